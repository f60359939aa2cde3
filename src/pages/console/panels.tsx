import { AccountsPanel, AccessPanels } from './access/access.tsx'
import { ActionsPanel } from './actions/actions.tsx'
import { FaultsPanel } from './actions/faults.tsx'
import { useActions } from './actions/use-actions.ts'
import { AuditPanel } from './audit/audit.tsx'
import { TablesPanel } from './data/tables.tsx'
import { GaugesPanel } from './overview/gauges.tsx'
import { ActionLogPanel, PlotsPanel, RecentRequestsPanel } from './overview/overview.tsx'
import { useIsNarrow } from '../shared/hooks.ts'
import { StoryPicker } from './timeline/story-picker.tsx'
import { JournalPanel } from './requests/journal.tsx'
import type { Place } from './shared/place.ts'

/** Shows the panels of the selected tab. */
export function TabPanels({ place }: { place: Place }) {
  switch (place.view) {
    case 'requests':
      return <JournalPanel place={place} />
    case 'audit':
      return <AuditPanel place={place} />
    case 'actions':
      return <ActionPanels place={place} />
    case 'data':
      return <TablesPanel place={place} />
    case 'access':
      return <AccessPanels />
    default:
      return <OverviewPanels place={place} />
  }
}

function ActionPanels({ place }: { place: Place }) {
  const actions = useActions()
  // Shows nothing until the actions are loaded. A form that appears later would shift the panel
  // below it.
  if (actions.length === 0) return null
  return (
    <div class="columns">
      <ActionsPanel place={place} actions={actions} />
      <FaultsPanel actions={actions} />
    </div>
  )
}

/**
 * Shows the overview panels. The requests come before the plots, and on a phone before all other
 * panels.
 */
function OverviewPanels({ place }: { place: Place }) {
  const isNarrow = useIsNarrow()
  const log = <ActionLogPanel place={place} />
  return (
    <>
      {isNarrow ? (
        <div class="columns even">
          <RecentRequestsPanel />
        </div>
      ) : (
        <div class="columns even">
          {log}
          <RecentRequestsPanel />
          <GaugesPanel />
        </div>
      )}
      <PlotsPanel />
      <div class="columns">
        {isNarrow && log}
        {isNarrow && <GaugesPanel />}
        <AccountsPanel />
        <StoryPicker />
      </div>
    </>
  )
}
