import { CopyButton } from '../../shared/copy-button.tsx'
import { SchemaForm } from '../forms/form.tsx'
import { formatMessage } from '../../shared/format.ts'
import { useStore, useStoreState } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { navigateTo } from '../shared/place.ts'
import type { Place } from '../shared/place.ts'
import { RecordLink } from '../shared/record-link.tsx'
import { tableOfKind } from '../shared/records.ts'
import { useRoutes } from '../shared/routes.tsx'
import type { ActionReport, Pulse } from '../../shared/types.ts'
import { toActionCode } from './code.ts'
import type { ShownAction } from './use-actions.ts'

/** Form for an action. The action and the initial values come from the URL. */
export function ActionsPanel({
  place: { item = 'tip', filters = {} },
  actions,
}: {
  place: Place
  actions: readonly ShownAction[]
}) {
  const { api } = useStore()
  const routes = useRoutes()
  const accounts = useStoreState((state) => getAccountIds(state.pulse))
  const action = actions.find((each) => each.type === item)
  return (
    <Panel
      title="Actions"
      aside={item.startsWith('key.') && <a href="#access">All keys and accounts</a>}
    >
      <div class="field">
        <label for="action">Action</label>
        <select
          id="action"
          value={action?.type ?? ''}
          onChange={(event) => navigateTo({ view: 'actions', item: event.currentTarget.value })}
        >
          {action === undefined && <option value="" />}
          {actions.map(({ type, title }) => (
            <option key={type} value={type}>
              {title} ({type})
            </option>
          ))}
        </select>
        {action !== undefined && <p class="help">{action.summary}.</p>}
        {action === undefined && (
          <p class="warning" role="status">
            No action {item}. Choose another one.
          </p>
        )}
      </div>
      {action !== undefined && (
        <SchemaForm
          // Another scenario has other accounts, so the form starts again.
          key={JSON.stringify([action.type, filters, accounts])}
          schema={action.schema}
          first={action.first}
          initial={filters}
          submitLabel={action.button}
          routes={routes}
          takesFocus
          toCode={(fields) => toActionCode({ type: action.type, ...fields })}
          onSubmit={async (fields) => {
            const done = await api.send<ActionReport>('POST', 'actions', {
              ...fields,
              type: action.type,
            })
            return <ActionDoneMessage done={done} />
          }}
        />
      )}
    </Panel>
  )
}

function getAccountIds(pulse: Pulse | null): string {
  return JSON.stringify([pulse?.scenario, pulse?.accounts.map(({ id }) => id)])
}

/** Shows the result of an action, with links to the records that it created or changed. */
function ActionDoneMessage({ done: { happened, ids = {} } }: { done: ActionReport }) {
  return (
    <>
      <p>{formatMessage(happened)}.</p>
      <p class="row">
        {Object.entries(ids).map(([kind, id]) => {
          const table = tableOfKind[kind]
          const text = `${kind.replaceAll('_', ' ')} ${String(id)}`
          return table === undefined ? (
            <span key={kind}>
              {text} {kind === 'key' && <CopyButton text={String(id)} what="the key" />}
            </span>
          ) : (
            <RecordLink key={kind} table={table} id={String(id)}>
              {text}
            </RecordLink>
          )
        })}
      </p>
    </>
  )
}
