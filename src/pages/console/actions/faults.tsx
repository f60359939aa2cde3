import { ErrorMessage } from '../forms/error-message.tsx'
import { useState } from 'preact/hooks'
import { formatCount } from '../../shared/format.ts'
import { SchemaForm } from '../forms/form.tsx'
import { useCommandRunner, useStore } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { toHash } from '../shared/place.ts'
import { useRoutes } from '../shared/routes.tsx'
import type { Fault } from '../../shared/types.ts'
import { toFaultCode } from './code.ts'
import { FailRequestsForm } from './fail-requests-form.tsx'
import { removeFaults, useFaults } from './use-actions.ts'
import type { ShownAction } from './use-actions.ts'

/** Shows the active faults, a quick way to add one, and the form with all fields. */
export function FaultsPanel({ actions }: { actions: readonly ShownAction[] }) {
  const { api, showToast: say } = useStore()
  const { error, run } = useCommandRunner()
  const [route, setRoute] = useState('')
  const { faults, reload } = useFaults()
  const action = actions.find(({ type }) => type === 'fault.add')
  const routes = useRoutes()
  const lift = (lifted: readonly Fault[]) =>
    run(async () => {
      const undo = await removeFaults(api, lifted)
      reload()
      say(`Removed ${formatCount(lifted.length, 'fault')}.`, {
        run: async () => {
          const done = await undo()
          reload()
          return done
        },
      })
    })
  return (
    <Panel
      title="Faults"
      aside={
        faults.length > 0 && (
          <button type="button" onClick={() => lift(faults)}>
            Remove all
          </button>
        )
      }
    >
      <ErrorMessage text={error} />
      {faults.length === 0 ? (
        <p class="help">No faults: the API answers normally.</p>
      ) : (
        <ul class="list" aria-label="Active faults">
          {faults.map((fault) => (
            <li key={fault.id}>
              <div class="grow">
                <strong>{fault.route ?? 'every route'}</strong>
                <div class="help">{describe(fault)}</div>
              </div>
              <button
                type="button"
                aria-label={`Remove the fault on ${fault.route ?? 'every route'}`}
                onClick={() => lift([fault])}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <h3>Add a fault</h3>
      <label class="inline grow">
        Route{' '}
        <select
          class="grow"
          value={route}
          onChange={(event) => setRoute(event.currentTarget.value)}
        >
          <option value="">every route</option>
          {routes.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <FailRequestsForm route={route === '' ? null : route} onDone={reload} />
      {action !== undefined && (
        <details>
          <summary>All fields of a fault</summary>
          <SchemaForm
            // The route that is selected above is also the route of this form.
            key={route}
            initial={{ route }}
            schema={action.schema}
            first={action.first}
            submitLabel={action.button}
            routes={routes}
            toCode={toFaultCode}
            onSubmit={async (fields) => {
              const fault = await api.send<Fault>('POST', 'faults', fields)
              reload()
              return <AddedFault fault={fault} />
            }}
          />
        </details>
      )}
    </Panel>
  )
}

/** Shows the added fault, with a link to the requests that it affects. */
function AddedFault({ fault }: { fault: Fault }) {
  const { route = '' } = fault
  return (
    <p>
      {`Fault ${fault.id} is active: ${route === '' ? 'every route' : route} ${describe(fault)}. `}
      <a href={toHash({ view: 'requests', filters: { route } })}>
        {route === '' ? 'Requests' : 'Requests of this route'}
      </a>
    </p>
  )
}

function describe({
  status,
  error,
  delay_ms: delay,
  drop,
  truncate,
  sequence,
  times,
  account_id: account,
  role,
  fired,
}: Fault): string {
  const parts = [
    status === undefined ? undefined : `answers ${status}`,
    error === undefined ? undefined : `“${error}”`,
    delay === undefined ? undefined : `waits ${delay} ms`,
    truncate === true ? 'sends half of the body' : undefined,
    drop === undefined || drop === false
      ? undefined
      : `cuts the connection${drop === true ? '' : ' midway'}`,
    sequence === undefined ? undefined : `${sequence.length} responses in sequence`,
    account === undefined ? undefined : `on account ${account}`,
    role === undefined ? undefined : `for the role ${role}`,
    times === undefined ? 'until it is removed' : formatCount(times, 'more time'),
    `fired ${formatCount(fired, 'time')}`,
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}
