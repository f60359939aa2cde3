import { useRef } from 'preact/hooks'
import { toCount } from '../shared/format.ts'
import { useDeed, useShared, useStore } from '../shared/hooks.ts'
import { Problem } from '../shared/problem.tsx'
import type { About, Scenario } from '../shared/types.ts'

/**
 * A button that loads a scenario, after it said what that drops and changes. A story stands at its
 * start until somebody plays it.
 */
export function LoadButton({ scenario, label = 'Load' }: { scenario: Scenario; label?: string }) {
  const { api, refresh } = useStore()
  const dialog = useRef<HTMLDialogElement>(null)
  const about = useShared((state) => state.about)
  const requests = useShared((state) => state.requests.total)
  const { error, isBusy, run } = useDeed()
  const { name, title, duration_ms: duration } = scenario
  const load = () =>
    run(async () => {
      await api.send('PUT', 'scenario', { name, cue: true })
      await refresh()
      dialog.current?.close()
    })
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={label === 'Load' ? `Load ${name}` : `Load ${name}: ${label}`}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </button>
      <dialog ref={dialog} aria-label={`Load ${title}`}>
        <h2>{title}</h2>
        <p>{scenario.description}</p>
        <h3>What is dropped</h3>
        <p>
          All that clients and actions wrote, {toCount(requests, 'request')} of the journal, faults,
          and the time of the clock.
        </p>
        {about !== null && <Changes about={about} scenario={scenario} />}
        {duration > 0 && <p class="help">The story stands at its start until you play it.</p>}
        <Problem text={error} />
        <div class="row">
          <button type="button" class="primary" disabled={isBusy} onClick={load}>
            {isBusy ? 'Loading' : `Load ${name}`}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
  )
}

/** Which keys and accounts go, come and stay. */
function Changes({ about, scenario: { roles, accounts } }: { about: About; scenario: Scenario }) {
  const [before, after] = [about.keys.map(({ role }) => role), roles]
  const [had, gets] = [about.accounts.map(({ id }) => id), accounts.map(({ id }) => id)]
  return (
    <>
      <h3>Keys and accounts</h3>
      <ul class="changes">
        <Change label="Keys that stay" items={after.filter((role) => before.includes(role))} />
        <Change label="Keys that go" items={before.filter((role) => !after.includes(role))} />
        <Change label="Keys that come" items={after.filter((role) => !before.includes(role))} />
        <Change
          label="Accounts that go"
          items={about.accounts
            .filter(({ id }) => !gets.includes(id))
            .map(({ id, username }) => `${username} (${id})`)}
        />
        <Change
          label="Accounts that come"
          items={accounts
            .filter(({ id }) => !had.includes(id))
            .map(({ id, username }) => `${username} (${id})`)}
        />
      </ul>
    </>
  )
}

function Change({ label, items }: { label: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <li>
      {label}: <strong>{items.join(', ')}</strong>
    </li>
  )
}
