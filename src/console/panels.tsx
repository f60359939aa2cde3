import { AccountsPanel } from './access/accounts.tsx'
import { KeysPanel } from './access/keys.tsx'
import { ActionsPanel } from './actions/actions.tsx'
import { FaultsPanel } from './actions/faults.tsx'
import { AuditPanel } from './audit/audit.tsx'
import { TablesPanel } from './data/tables.tsx'
import { GaugesPanel } from './overview/gauges.tsx'
import { HappeningsPanel } from './overview/happenings.tsx'
import { PlotsPanel } from './overview/plots.tsx'
import { RecentPanel } from './overview/recent.tsx'
import { JournalPanel } from './requests/journal.tsx'
import type { usePlace } from './shared/place.ts'
import { ScenarioPanel } from './timeline/scenario.tsx'
import { WorldsPanel } from './worlds/worlds.tsx'

/** What a tab shows. */
export function Panels({ place }: { place: ReturnType<typeof usePlace> }) {
  switch (place.view) {
    case 'requests':
      return <JournalPanel place={place} />
    case 'audit':
      return <AuditPanel />
    case 'worlds':
      return <WorldsPanel />
    case 'actions':
      return (
        <div class="columns">
          <ActionsPanel place={place} />
          <FaultsPanel />
        </div>
      )
    case 'data':
      return <TablesPanel place={place} />
    case 'access':
      return (
        <div class="columns">
          <KeysPanel />
          <ScenarioPanel />
        </div>
      )
    default:
      return (
        <>
          <PlotsPanel />
          <div class="columns">
            <HappeningsPanel place={place} />
            <RecentPanel />
            <div class="stack">
              <GaugesPanel />
              <AccountsPanel />
            </div>
          </div>
        </>
      )
  }
}
