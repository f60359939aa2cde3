import { ErrorMessage } from '../forms/error-message.tsx'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Chart } from '../shared/chart.tsx'
import {
  formatDollars,
  formatTimestamp,
  formatNumber,
  formatWholeDollars,
} from '../../shared/format.ts'
import { useLoadedData, useStoreState, useStore } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import type { Series } from '../../shared/types.ts'

/** Minimum interval between updates, ms. */
const followMs = 1_000
const spans = {
  '': 'Since the start',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '365d': 'Last 365 days',
} as const

/** Plots revenue, subscribers and requests over sandbox time. */
export function SandboxTimePanel() {
  const { api } = useStore()
  const hasStory = useStoreState((state) => (state.pulse?.replay.duration_ms ?? 0) > 0)
  const about = useStoreState((state) => state.about)
  const scenario = useStoreState((state) => state.pulse?.scenario)
  const now = useStoreState((state) => state.pulse?.clock.now)
  const requests = useStoreState((state) => state.requests.total)
  const happened = useStoreState((state) => state.happenings[0]?.id)
  const isHidden = useIsHidden()
  const [chosen, setSpan] = useState<string>()
  const [account, setAccount] = useState('')
  const [isNet, setNet] = useState(true)
  const span = chosen ?? (hasStory ? '' : '30d')
  useEffect(() => setAccount(''), [scenario])
  // The plotted values only change when the last point's time span ends.
  const passed = useRef(0)
  const { data, error } = useLoadedData(
    () => api.get<Series>('series', { span: span || undefined, account: account || undefined }),
    JSON.stringify([scenario, span, account, isHidden || [passed.current, requests, happened]]),
    { pauseMs: followMs },
  )
  const { data: recent } = useLoadedData(
    () => api.get<Series>('series', { span: '15m', account: account || undefined }),
    JSON.stringify([scenario, account, isHidden || [now?.slice(0, 16), requests]]),
    { pauseMs: followMs },
  )
  const end = getSeriesEnd(data)
  if (Date.parse(now ?? '') >= end) passed.current = end
  const points = data?.points ?? []
  const width = data?.width_ms ?? 0
  const sum = (pick: (point: Series['points'][number]) => number, of = points) =>
    of.reduce((total, point) => total + pick(point), 0)
  const revenueOf = ({ net, gross }: Series['points'][number]) => (isNet ? net : gross)
  /** Shows nothing instead of 0 until the values are loaded. */
  const shown = (text: string) => (data === undefined ? '' : text)
  const minutes = recent?.points ?? []
  const requestCount = sum((point) => point.requests, minutes)
  const refused = sum((point) => point.refused, minutes)
  return (
    <Panel
      title="Over sandbox time"
      wide
      aside={
        <div class="row">
          <label class="inline">
            Time{' '}
            <select value={span} onChange={(event) => setSpan(event.currentTarget.value)}>
              {Object.entries(spans).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label class="inline">
            Revenue{' '}
            <select
              value={isNet ? 'net' : 'gross'}
              onChange={(event) => setNet(event.currentTarget.value === 'net')}
            >
              <option value="net">net: what creators get</option>
              <option value="gross">gross: what fans paid</option>
            </select>
          </label>
          <label class="inline">
            Account{' '}
            <select value={account} onChange={(event) => setAccount(event.currentTarget.value)}>
              <option value="">all</option>
              {about?.accounts.map(({ id, username }) => (
                <option key={id} value={String(id)}>
                  {username}
                </option>
              ))}
            </select>
          </label>
        </div>
      }
    >
      <ErrorMessage text={error} />
      <p class="help">
        {data === undefined
          ? 'Loading.'
          : `From ${formatTimestamp(data.from)} to ${formatTimestamp(data.to)} UTC`}
      </p>
      <div class="charts">
        <Chart
          title={isNet ? 'Net revenue' : 'Gross revenue'}
          figure={shown(formatDollars(sum(revenueOf)))}
          points={points.map((point) => ({ at: point.at, value: revenueOf(point) }))}
          widthMs={width}
          format={formatDollars}
          formatAxis={formatWholeDollars}
          empty={shown('Fan payments in this period appear here.')}
        />
        <Chart
          title="Subscribers"
          figure={shown(formatNumber(points.at(-1)?.subscribers ?? 0))}
          points={points.map(({ at, subscribers }) => ({ at, value: subscribers }))}
          widthMs={width}
          format={formatNumber}
          formatAxis={formatNumber}
          isLine
          empty={shown('The line begins when the clock moves.')}
        />
        <Chart
          title="Requests"
          note="last 15 minutes"
          figure={
            refused > 0
              ? `${formatNumber(requestCount)}, ${formatNumber(refused)} refused`
              : formatNumber(requestCount)
          }
          points={minutes.map((point) => ({
            at: point.at,
            value: point.requests,
            bad: point.refused,
          }))}
          widthMs={recent?.width_ms ?? 0}
          format={formatNumber}
          formatAxis={formatNumber}
          empty="Your client's requests appear here, with refused ones in red."
        />
      </div>
    </Panel>
  )
}

/** Returns the end of the last point's time span, epoch ms. */
function getSeriesEnd(series: Series | undefined): number {
  const last = series?.points.at(-1)
  return last === undefined ? Infinity : Date.parse(last.at) + (series?.width_ms ?? 0)
}

/** Tracks whether the page is hidden. */
function useIsHidden(): boolean {
  const [isHidden, setHidden] = useState(document.hidden)
  useEffect(() => {
    const update = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return isHidden
}
