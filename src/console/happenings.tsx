import { useEffect, useRef, useState } from 'preact/hooks'
import { toTime } from './format.ts'
import { useShared } from './hooks.ts'
import { Panel } from './panel.tsx'
import type { Place } from './place.ts'
import type { Happening } from './types.ts'

const shown = 200
/** How long a screen reader may speak before the next text, ms. */
const breathMs = 4_000

/** What happened, newest first. The address names one that another part of the page leads to. */
export function HappeningsPanel({ place: { item } }: { place: Place }) {
  const happenings = useShared((state) => state.happenings)
  useEffect(() => {
    if (item !== undefined) document.querySelector(`#happening-${item}`)?.scrollIntoView({ block: 'center' })
  }, [item, happenings.length > 0])
  const isKept = item === undefined || happenings.some(({ id }) => String(id) === item)
  return (
    <Panel title="What happens">
      <Announcer latest={happenings[0]} />
      {!isKept && <p class="help">What happened as number {item} is longer ago than the list goes back.</p>}
      {happenings.length === 0 ? (
        <p class="help">Nothing yet. Play the story, or do an action.</p>
      ) : (
        <ol class="feed scrolls" tabIndex={0} aria-label="What happened, newest first">
          {happenings.slice(0, shown).map(({ id, at, type, text }) => (
            <li key={id} id={`happening-${id}`} class={String(id) === item ? 'selected' : ''}>
              <time class="unit" dateTime={at}>
                {toTime(at)}
              </time>
              <span class="kind">{type}</span>
              <span>{text}</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
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
