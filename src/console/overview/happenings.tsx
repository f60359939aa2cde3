import { useEffect, useRef, useState } from 'preact/hooks'
import { toMoment, toTime } from '../shared/format.ts'
import { useShared } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import type { Place } from '../shared/place.ts'
import type { Happening } from '../shared/types.ts'

const shown = 200
/** How long a screen reader may speak before the next text, ms. */
const breathMs = 4_000

/**
 * What happened, newest first. The address names one that another part of the page leads to, or a
 * moment between them.
 */
export function HappeningsPanel({ place: { item, filters } }: { place: Place }) {
  const happenings = useShared((state) => state.happenings)
  const list = useRef<HTMLOListElement>(null)
  const moment = filters?.['at']
  useEffect(() => {
    if (item !== undefined || moment !== undefined)
      list.current?.querySelector('.selected')?.scrollIntoView({ block: 'center' })
  }, [item, moment, happenings.length > 0])
  const isKept = item === undefined || happenings.some(({ id }) => String(id) === item)
  const rows = happenings
    .slice(0, shown)
    .map((happening) => (
      <Row key={happening.id} happening={happening} isSelected={String(happening.id) === item} />
    ))
  if (moment !== undefined)
    rows.splice(placeOf(moment, happenings.slice(0, shown)), 0, <Moment key="moment" at={moment} />)
  return (
    <Panel title="What happens">
      <Announcer latest={happenings[0]} />
      {!isKept && (
        <p class="help">What happened as number {item} is longer ago than the list goes back.</p>
      )}
      {rows.length === 0 ? (
        <p class="help">Nothing yet. Play the story, or do an action.</p>
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
  happening: Happening
  isSelected: boolean
}) {
  return (
    <li id={`happening-${id}`} class={isSelected ? 'selected' : ''}>
      <time class="unit" dateTime={at}>
        {toTime(at)}
      </time>
      <span class="kind">{type}</span>
      <span>{text}</span>
    </li>
  )
}

/** Where time came by what was due: a change of a record leads here that no action made. */
function Moment({ at }: { at: string }) {
  return (
    <li class="selected">
      <time class="unit" dateTime={at}>
        {toTime(at)}
      </time>
      <span class="kind">clock</span>
      <span>The clock came to {toMoment(at)}, when something was due.</span>
    </li>
  )
}

/** Where a moment stands in a list whose newest comes first: before what had happened by then. */
function placeOf(moment: string, happenings: readonly Happening[]): number {
  const place = happenings.findIndex(({ at }) => Date.parse(at) <= Date.parse(moment))
  return place === -1 ? happenings.length : place
}

/** Lets screen readers speak the newest happening, one after the other. */
function Announcer({ latest }: { latest: Happening | undefined }) {
  const [said, setSaid] = useState<Happening>()
  const next = useRef(latest)
  next.current = latest
  useEffect(() => {
    const timer = setInterval(() => setSaid(next.current), breathMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <p class="hidden" aria-live="polite">
      {said?.text}
    </p>
  )
}
