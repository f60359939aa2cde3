import { AccountsPanel } from './access/accounts.tsx'
import { AccessPanels } from './access/access.tsx'
import { ActionsPanel } from './actions/actions.tsx'
import { FaultsPanel } from './actions/faults.tsx'
import { AuditPanel } from './audit/audit.tsx'
import { TablesPanel } from './data/tables.tsx'
import { GaugesPanel } from './overview/gauges.tsx'
import { HappeningsPanel } from './overview/happenings.tsx'
import { PlotsPanel } from './overview/plots.tsx'
import { RecentPanel } from './overview/recent.tsx'
import { JournalPanel } from './requests/journal.tsx'
import type { Place } from './shared/place.ts'

/** The panels of the selected tab. */
export function Panels({ place }: { place: Place }) {
  switch (place.view) {
    case 'requests':
      return <JournalPanel place={place} />
    case 'audit':
      return <AuditPanel />
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
      return <AccessPanels />
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
