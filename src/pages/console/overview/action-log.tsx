import { useEffect, useRef, useState } from 'preact/hooks'
import { formatTimestamp, formatTime } from '../../shared/format.ts'
import { useStoreState } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import type { Place } from '../shared/place.ts'
import type { AppliedAction } from '../../shared/types.ts'

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
      <ClockEntry key="time" at={time} />,
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
  happening: AppliedAction
  isSelected: boolean
}) {
  return (
    <li id={`happening-${id}`} class={isSelected ? 'selected' : ''}>
      <time class="unit" dateTime={at}>
        {formatTime(at)}
      </time>
      <span class="kind">{type}</span>
      <span>{text}</span>
    </li>
  )
}

/** Shows the time of a change that the clock caused. A record's history links to it. */
function ClockEntry({ at }: { at: string }) {
  return (
    <li class="selected">
      <time class="unit" dateTime={at}>
        {formatTime(at)}
      </time>
      <span class="kind">clock</span>
      <span>The clock reached {formatTimestamp(at)}, when an effect was due.</span>
    </li>
  )
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
      {said?.text}
    </p>
  )
}
