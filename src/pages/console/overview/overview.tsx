import { useEffect, useRef, useState } from 'preact/hooks'
import { formatMessage, formatTimestamp, formatTime, formatFigure } from '../../shared/format.ts'
import { useStoreState } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { toHash } from '../shared/place.ts'
import type { Place } from '../shared/place.ts'
import type { AppliedAction } from '../../shared/types.ts'
import { Fragment } from 'preact'
import { getBadges, useFindings } from '../requests/findings.ts'
import { FirstRequest, RequestCount, groupRepeated } from '../shared/first-request.tsx'
import { StatusCode } from '../../shared/status-code.tsx'
import { StoryPlot } from '../timeline/story-plot.tsx'
import { useStory } from '../timeline/use-story.ts'
import { SandboxTimePanel } from './sandbox-time.tsx'

const shown = 200
/** Minimum interval between announcements to screen readers, ms. */
const announceMs = 4_000

/** Lists the actions, newest first. The URL can select an action or a time between two actions. */
export function ActionLogPanel({ place: { item, filters } }: { place: Place }) {
  const happenings = useStoreState((state) => state.happenings)
  const hasStory = useStoreState((state) => (state.pulse?.replay.duration_ms ?? 0) > 0)
  const list = useRef<HTMLOListElement>(null)
  const time = filters?.['at']
  useEffect(() => {
    if (item !== undefined || time !== undefined)
      list.current?.querySelector('.selected')?.scrollIntoView({ block: 'center' })
  }, [item, time, happenings.length > 0])
  const isKept = item === undefined || happenings.some(({ id }) => String(id) === item)
  const rows = happenings
    .slice(0, shown)
    .map((happening) => (
      <Row key={happening.id} happening={happening} isSelected={String(happening.id) === item} />
    ))
  if (time !== undefined)
    rows.splice(
      findInsertIndex(time, happenings.slice(0, shown)),
      0,
      <Row key="time" happening={toClockEntry(time)} isSelected />,
    )
  return (
    <Panel title="What happens" aside={<a href="#data?since=load">What changed since load</a>}>
      <Announcer latest={happenings[0]} />
      {!isKept && <p class="help">Action {item} is older than the list.</p>}
      {rows.length === 0 ? (
        <p class="help">
          No action yet. {hasStory ? 'Play the story, or ' : ''}
          <a href="#actions">{hasStory ? 'do an action' : 'Do an action'}</a>. The list does not
          contain changes by requests and by the clock. <a href="#data?since=load">What changed</a>{' '}
          does.
        </p>
      ) : (
        <ol ref={list} class="feed scrolls" tabIndex={0} aria-label="What happened, newest first">
          {rows}
        </ol>
      )}
    </Panel>
  )
}

function Row({
  happening: { id, at, type, text },
  isSelected,
}: {
  happening: Pick<AppliedAction, 'id' | 'at' | 'type' | 'text'>
  isSelected: boolean
}) {
  return (
    <li id={`happening-${id}`} class={isSelected ? 'selected' : ''}>
      <time class="unit" dateTime={at}>
        {formatTime(at)}
      </time>
      <span class="kind">{type}</span>
      <span>{formatMessage(text)}</span>
    </li>
  )
}

/** Describes the time of a change that the clock caused. A record's history links to it. */
function toClockEntry(at: string) {
  const text = `The clock reached ${formatTimestamp(at)}, when an effect was due.`
  return { id: 0, at, type: 'clock', text }
}

/** Returns the index at which to insert a time in the list, which has the newest action first. */
function findInsertIndex(time: string, happenings: readonly AppliedAction[]): number {
  const place = happenings.findIndex(({ at }) => Date.parse(at) <= Date.parse(time))
  return place === -1 ? happenings.length : place
}

function Announcer({ latest }: { latest: AppliedAction | undefined }) {
  const [said, setSaid] = useState<AppliedAction>()
  const next = useRef(latest)
  next.current = latest
  useEffect(() => {
    const timer = setInterval(() => setSaid(next.current), announceMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <p class="hidden" aria-live="polite">
      {formatMessage(said?.text ?? '')}
    </p>
  )
}

const shownRequests = 12

/** Shows the newest client requests. */
export function RecentRequestsPanel() {
  const { rows } = useStoreState((state) => state.requests)
  const findings = useFindings(rows, { isNewest: true, hasWorlds: false })
  return (
    <Panel title="Requests" aside={<RequestCount isLink />}>
      {rows.length === 0 ? (
        <FirstRequest title="No requests yet." />
      ) : (
        <ol class="feed scrolls" tabIndex={0} aria-label="Newest requests">
          {groupRepeated(rows)
            .slice(0, shownRequests)
            .map(({ row, row: { id, at, method, path, status, error }, all }) => (
              <li key={id}>
                <time class="unit" dateTime={at}>
                  {formatTime(at)}
                </time>
                <StatusCode status={status} />
                <span class="path">
                  <a
                    class="quiet clamp"
                    title={path}
                    href={toHash({ view: 'requests', item: String(id) })}
                  >
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

/**
 * Plots the story's values over story time, or revenue, subscribers and requests over sandbox time.
 */
export function PlotsPanel() {
  const hasFigures = useStoreState((state) => (state.pulse?.replay.watch.length ?? 0) > 0)
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
        {watch.filter(isPlotted).map((figure) => (
          <figure key={`${figure.figure} ${figure.label}`} class="chart">
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

/** False for links, because the stage compares them on cards. */
function isPlotted({ subject }: { subject?: string }): boolean {
  return subject === undefined
}
