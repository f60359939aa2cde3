import { toNumber, toTime } from '../shared/format.ts'
import { useShared } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { toHash } from '../shared/place.ts'
import { Status } from '../shared/status.tsx'

const shown = 12

/** The newest requests of clients. */
export function RecentPanel() {
  const { total, rows } = useShared((state) => state.requests)
  return (
    <Panel title="Requests" aside={<a href="#requests">{toNumber(total)} in all</a>}>
      {rows.length === 0 ? (
        <p class="help">No requests yet. Point your client at this address.</p>
      ) : (
        <ol class="feed" aria-label="Newest requests">
          {rows.slice(0, shown).map(({ id, at, method, path, status, error }) => (
            <li key={id}>
              <time class="unit" dateTime={at}>
                {toTime(at)}
              </time>
              <Status status={status} />
              <span class="path">
                <a class="quiet" href={toHash({ view: 'requests', item: String(id) })}>
                  {method} {path}
                </a>
                {error !== null && <span class="reason">{error}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
