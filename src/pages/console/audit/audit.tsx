import { ErrorMessage } from '../forms/error-message.tsx'
import { formatCount, formatNumber, formatPercent } from '../../shared/format.ts'
import { useCommandRunner, useLoadedData, useStoreState, useStore } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { toHash } from '../shared/place.ts'
import type { Place } from '../shared/place.ts'
import type { Audit } from '../../shared/types.ts'
import { describeRequests } from '../shared/first-request.tsx'
import { Gauge } from '../overview/gauges.tsx'
import { Table } from '../shared/table.tsx'

/** Minimum interval between updates, ms. */
const followMs = 2_000

const badges = { error: 'badge strong', warning: 'badge warn', hint: 'badge' } as const

/** Shows client mistakes and the cost of the requests. */
export function AuditPanel({ place: { item } }: { place: Place }) {
  const { api } = useStore()
  const { total, kept } = useStoreState((state) => state.requests)
  const { error, run } = useCommandRunner()
  const {
    data,
    error: loadError,
    reload,
  } = useLoadedData(() => api.get<Audit>('audit'), String(total), { pauseMs: followMs })
  if (data === undefined)
    return (
      <Panel title="Audit">
        <ErrorMessage text={loadError} />
      </Panel>
    )
  const restart = () => run(() => api.send('POST', 'checkpoint').then(reload))
  return (
    <div class="split">
      <Panel
        title="Audit"
        className="audit"
        aside={
          <button type="button" onClick={restart}>
            Restart from here
          </button>
        }
      >
        <ErrorMessage text={error ?? loadError} />
        <p class="help">
          {formatCount(data.summary.requests, 'request')} of clients audited.
          {kept < total && ` The journal stores ${describeRequests({ total, kept })}.`}
        </p>
        {item !== undefined && data.findings.every(({ rule }) => rule !== item) && (
          <p class="warning" role="status">
            No finding of the rule {item}.
          </p>
        )}
        {data.findings.length === 0 ? (
          <p class="done">No findings.</p>
        ) : (
          <ul class="list findings">
            {data.findings.map(({ rule, severity, message, advice, source, requests }, index) => (
              <li
                key={`${rule} ${index}`}
                class={rule === item ? 'selected' : ''}
                ref={rule === item ? show : undefined}
              >
                <span class={badges[severity]}>{severity}</span>
                <div class="grow">
                  <strong>{message}</strong>
                  <p>{advice}</p>
                  <p class="help">
                    <code>{rule}</code>, {source}.{' '}
                    {requests.slice(0, 8).map((id) => (
                      <span key={id}>
                        <a href={toHash({ view: 'requests', item: String(id) })}>{id}</a>{' '}
                      </span>
                    ))}
                    {requests.length > 8 && `and ${formatNumber(requests.length - 8)} more`}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
        <List title="Never met" items={data.summary.untried} />
        <List title="Permissions used" items={data.summary.smallestRole} />
      </Panel>
      <CostPanel cost={data.cost} />
    </div>
  )
}

/** Scrolls to the finding selected by a link. */
function show(finding: HTMLElement | null): void {
  finding?.scrollIntoView({ block: 'nearest' })
}

function List({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <p class="help">{items.join(', ')}</p>
    </>
  )
}

const columns = {
  credits: 'Credits',
  requests: 'Requests',
  bytes: 'Bytes',
  pages: 'Pages',
} as const
const names = Object.keys(columns) as (keyof typeof columns)[]

/** Shows the cost by route, and the peak use of a rate limit. */
function CostPanel({ cost: { routes, peak, ...sums } }: { cost: Audit['cost'] }) {
  return (
    <Panel title="Cost">
      {Object.entries({
        'Fullest minute': [peak.minute, peak.minuteShare] as const,
        'Fullest day': [peak.day, peak.dayShare] as const,
      }).map(([label, [requests, share]]) => (
        <Gauge
          key={label}
          label={label}
          value={share}
          max={1}
          text={`${formatCount(requests, 'request')}, ${formatPercent(share)} of the limit`}
        />
      ))}
      <Table
        label="Cost by route"
        className="costs"
        rows={[['All', sums] as const, ...Object.entries(routes)]}
        keyOf={([route]) => route}
        columns={[
          { title: 'Route', className: 'path', cell: ([route]) => route },
          ...names.map((name) => ({
            title: columns[name],
            className: 'number',
            cell: ([, spent]: readonly [string, Readonly<Record<typeof name, number>>]) =>
              formatNumber(spent[name]),
          })),
        ]}
      />
    </Panel>
  )
}
