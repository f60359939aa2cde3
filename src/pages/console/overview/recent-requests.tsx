import { Fragment } from 'preact'
import { getBadges, useFindings } from '../requests/findings.ts'
import { FirstRequest, RequestCount, groupRepeated } from '../shared/first-request.tsx'
import { formatTime } from '../../shared/format.ts'
import { useStoreState } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { toHash } from '../shared/place.ts'
import { StatusCode } from '../../shared/status-code.tsx'

const shown = 12

/** Shows the newest client requests. */
export function RecentRequestsPanel() {
  const { total, rows } = useStoreState((state) => state.requests)
  const findings = useFindings(rows, { isNewest: true, hasWorlds: false })
  return (
    <Panel title="Requests" aside={<RequestCount count={total} isLink />}>
      {rows.length === 0 ? (
        <FirstRequest title="No requests yet." />
      ) : (
        <ol class="feed scrolls" tabIndex={0} aria-label="Newest requests">
          {groupRepeated(rows)
            .slice(0, shown)
            .map(({ row, row: { id, at, method, path, status, error }, all }) => (
              <li key={id}>
                <time class="unit" dateTime={at}>
                  {formatTime(at)}
                </time>
                <StatusCode status={status} />
                <span class="path">
                  <a class="quiet" href={toHash({ view: 'requests', item: String(id) })}>
                    {method} {path}
                  </a>
                  {all.length > 1 && <span class="badge">× {all.length}</span>}
                  {error !== null && <span class="reason">{error}</span>}
                  {getBadges(row, findings).map((text) => (
                    <Fragment key={text}>
                      {' '}
                      <span class="badge warn finding">{text}</span>
                    </Fragment>
                  ))}
                </span>
              </li>
            ))}
        </ol>
      )}
    </Panel>
  )
}
