import { ErrorMessage } from '../forms/error-message.tsx'
import { useId, useState } from 'preact/hooks'
import { useCommandRunner, useStore } from '../../shared/hooks.ts'
import type { Fault } from '../../shared/types.ts'

const counts = ['1', '3', 'all'] as const
const subjects = { 1: 'The next request', 3: 'The next 3 requests', all: 'All requests' }
const kinds = [
  ['502', 'Fail 502', { status: 502 }],
  ['503', 'Fail 503', { status: 503 }],
  ['429', 'Fail 429', { status: 429 }],
  ['timeout', 'Time out', { delay_ms: 60_000 }],
  ['lost answer', 'Drop', { drop: true }],
  ['broken JSON', 'Break JSON', { truncate: true }],
] as const

/**
 * Form that makes the next requests to a route fail. If the route is null, requests to any route
 * fail.
 */
export function FailRequestsForm({ route, onDone }: { route: string | null; onDone?: () => void }) {
  const { api, showToast: say } = useStore()
  const { error, isBusy, run } = useCommandRunner()
  const [count, setCount] = useState<(typeof counts)[number]>('1')
  const name = useId()
  const fail = (kind: string, effect: object) =>
    run(async () => {
      const times = count === 'all' ? undefined : Number(count)
      const fault = await api.send<Fault>('POST', 'faults', {
        ...(route === null ? {} : { route }),
        ...effect,
        times,
      })
      const subject = `${subjects[count]}${route === null ? '' : ` of ${route}`}`
      say(`${subject} ${times === 1 ? 'fails' : 'fail'} with ${kind}.`, {
        run: async () => {
          await api.send('DELETE', `faults/${fault.id}`)
          onDone?.()
          return `Removed the fault: ${route ?? 'every route'} answers normally.`
        },
        applies: async () => (await api.get<Fault[]>('faults')).some(({ id }) => id === fault.id),
      })
      onDone?.()
    })
  return (
    <div class="fail-next" role="group" aria-label="Fail the next requests">
      <span>Next</span>
      {counts.map((each) => (
        <label key={each} class="choice">
          <input
            type="radio"
            name={name}
            checked={each === count}
            onChange={() => setCount(each)}
          />
          {each}
        </label>
      ))}
      {kinds.map(([kind, label, effect]) => (
        <button key={kind} type="button" disabled={isBusy} onClick={() => fail(kind, effect)}>
          {label}
        </button>
      ))}
      <ErrorMessage text={error} />
    </div>
  )
}
