import { AccountsPanel } from './accounts.tsx'
import { ActionsPanel } from './actions.tsx'
import { AuditPanel } from './audit.tsx'
import { ClockPanel } from './clock.tsx'
import { FaultsPanel } from './faults.tsx'
import { GaugesPanel } from './gauges.tsx'
import { HappeningsPanel } from './happenings.tsx'
import { JournalPanel } from './journal.tsx'
import { KeysPanel } from './keys.tsx'
import type { usePlace } from './place.ts'
import { PlotsPanel } from './plots.tsx'
import { RecentPanel } from './recent.tsx'
import { ScenarioPanel } from './scenario.tsx'
import { TablesPanel } from './tables.tsx'
import { WorldsPanel } from './worlds.tsx'

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
          <ActionsPanel />
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
              <ClockPanel />
            </div>
          </div>
        </>
      )
  }
}
