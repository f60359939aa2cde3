import { useState } from 'preact/hooks'
import type { FormSchema } from '../shared/fields.ts'
import { SchemaForm } from '../shared/form.tsx'
import { useDeed, useLoad, useShared, useStore } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { Problem } from '../shared/problem.tsx'
import { useRoutes } from '../shared/routes.ts'
import type { ActionDescription, Fault } from '../shared/types.ts'

/** The faults in force, and a form for another. */
export function FaultsPanel() {
  const { api } = useStore()
  const { error, run } = useDeed()
  const inForce = useShared((state) => state.pulse?.faults ?? 0)
  const requests = useShared((state) => state.requests.total)
  const [turn, setTurn] = useState(0)
  const { data: faults = [] } = useLoad(
    () => api.get<Fault[]>('faults'),
    `${inForce} ${requests} ${turn}`,
    turn === 0 ? 500 : 0,
  )
  const { data: actions = [] } = useLoad(() => api.get<ActionDescription[]>('actions'), '')
  const routes = useRoutes()
  const schema = actions.find(({ type }) => type === 'fault.add')?.schema as FormSchema | undefined
  const reload = () => setTurn((before) => before + 1)
  const lift = (id?: number) =>
    run(() => api.send('DELETE', id === undefined ? 'faults' : `faults/${id}`).then(reload))
  return (
    <Panel
      title="Faults"
      aside={
        faults.length > 0 && (
          <button type="button" onClick={() => lift()}>
            Lift all
          </button>
        )
      }
    >
      <Problem text={error} />
      {faults.length === 0 ? (
        <p class="help">None in force: the API answers as it should.</p>
      ) : (
        <ul class="list" aria-label="Faults in force">
          {faults.map((fault) => (
            <li key={fault.id}>
              <div class="grow">
                <strong>{fault.route ?? 'every route'}</strong>
                <div class="help">{describe(fault)}</div>
              </div>
              <button
                type="button"
                aria-label={`Lift the fault on ${fault.route ?? 'every route'}`}
                onClick={() => lift(fault.id)}
              >
                Lift
              </button>
            </li>
          ))}
        </ul>
      )}
      <h3>Another fault</h3>
      {schema !== undefined && (
        <SchemaForm
          schema={schema}
          submitLabel="Put in force"
          routes={routes}
          onSubmit={async (fields) => {
            const fault = await api.send<Fault>('POST', 'faults', fields)
            reload()
            return [`In force: ${describe(fault)}.`]
          }}
        />
      )}
    </Panel>
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
    sequence === undefined ? undefined : `${sequence.length} answers in turn`,
    account === undefined ? undefined : `on account ${account}`,
    role === undefined ? undefined : `for the role ${role}`,
    times === undefined ? 'until it is lifted' : `${times} more ${times === 1 ? 'time' : 'times'}`,
    `fired ${fired} ${fired === 1 ? 'time' : 'times'}`,
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}
