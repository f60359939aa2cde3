import { useEffect, useState } from 'preact/hooks'
import { Chart } from './chart.tsx'
import { formatFigure, toDollars, toNumber, toWholeDollars } from './format.ts'
import { useLoad, useShared, useStore } from './hooks.ts'
import { Panel } from './panel.tsx'
import { StoryPlot } from './story-plot.tsx'
import { useStory } from './story.ts'
import type { Series } from './types.ts'

/** How often the plots are loaded again, ms. */
const followMs = 1_000
const spans = {
  '': 'Since the start',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '365d': 'Last 365 days',
} as const

/** The figures of the story over its time, or revenue, subscribers and requests over sandbox time. */
export function PlotsPanel() {
  const hasFigures = useShared((state) => (state.pulse?.replay.watch.length ?? 0) > 0)
  return (
    <>
      {hasFigures && <StoryPanel />}
      <SandboxTimePanel />
    </>
  )
}

function StoryPanel() {
  const { watch, chapters, duration_ms: durationMs } = useStory()
  return (
    <Panel title="Over the story" wide>
      <div class="charts">
        {watch.map((figure) => (
          <figure key={figure.figure} class="chart">
            <figcaption>
              {figure.label} <strong>{formatFigure(figure.value, figure.unit)}</strong>
            </figcaption>
            <StoryPlot figure={figure} chapters={chapters} durationMs={durationMs} />
          </figure>
        ))}
      </div>
    </Panel>
  )
}

function SandboxTimePanel() {
  const { api } = useStore()
  const hasStory = useShared((state) => (state.pulse?.replay.duration_ms ?? 0) > 0)
  const about = useShared((state) => state.about)
  const scenario = useShared((state) => state.pulse?.scenario)
  const now = useShared((state) => state.pulse?.clock.now)
  const requests = useShared((state) => state.requests.total)
  const happened = useShared((state) => state.happenings[0]?.id)
  const isHidden = useHidden()
  const [chosen, setSpan] = useState<string>()
  const [account, setAccount] = useState('')
  const span = chosen ?? (hasStory ? '' : '30d')
  useEffect(() => setAccount(''), [scenario])
  const { data, error } = useLoad(
    () => api.get<Series>('series', { span: span || undefined, account: account || undefined }),
    JSON.stringify([scenario, span, account, isHidden || [now, requests, happened]]),
    followMs,
  )
  const points = data?.points ?? []
  const width = data?.width_ms ?? 0
  const sum = (pick: (point: Series['points'][number]) => number) => points.reduce((total, point) => total + pick(point), 0)
  const requestCount = sum((point) => point.requests)
  const refused = sum((point) => point.refused)
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
      {error !== undefined && <p class="error">{error}</p>}
      <div class="charts">
        <Chart
          title="Gross revenue"
          figure={toDollars(sum(({ gross }) => gross))}
          points={points.map(({ at, gross }) => ({ at, value: gross }))}
          widthMs={width}
          format={toDollars}
          formatAxis={toWholeDollars}
        />
        <Chart
          title="Subscribers"
          figure={toNumber(points.at(-1)?.subscribers ?? 0)}
          points={points.map(({ at, subscribers }) => ({ at, value: subscribers }))}
          widthMs={width}
          format={toNumber}
          formatAxis={toNumber}
          isLine
        />
        <Chart
          title="Requests"
          figure={refused > 0 ? `${toNumber(requestCount)}, ${toNumber(refused)} refused` : toNumber(requestCount)}
          points={points.map((point) => ({ at: point.at, value: point.requests, bad: point.refused }))}
          widthMs={width}
          format={toNumber}
          formatAxis={toNumber}
        />
      </div>
    </Panel>
  )
}

/** Whether the page is hidden. */
function useHidden(): boolean {
  const [isHidden, setHidden] = useState(document.hidden)
  useEffect(() => {
    const update = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return isHidden
}
