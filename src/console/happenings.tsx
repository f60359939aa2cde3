import { useEffect, useRef, useState } from 'preact/hooks'
import { toTime } from './format.ts'
import { useShared } from './hooks.ts'
import { Panel } from './panel.tsx'
import type { Happening } from './types.ts'

const shown = 40
/** How long a screen reader may speak before the next text, ms. */
const breathMs = 4_000

/** What happened, newest first. */
export function HappeningsPanel() {
  const happenings = useShared((state) => state.happenings)
  return (
    <Panel title="What happens">
      <Announcer latest={happenings[0]} />
      {happenings.length === 0 ? (
        <p class="help">Nothing yet. Play the story, or do an action.</p>
      ) : (
        <ol class="feed scrolls" tabIndex={0} aria-label="What happened, newest first">
          {happenings.slice(0, shown).map(({ id, at, type, text }) => (
            <li key={id}>
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
