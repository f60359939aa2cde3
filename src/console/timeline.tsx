import { useRef } from 'preact/hooks'
import { toClock } from './format.ts'
import type { Director } from './keyboard.ts'
import type { Replay } from './types.ts'

const strideMs = 10_000

/** The story as a slider, with a mark for each chapter. */
export function Timeline({ replay, director }: { replay: Replay; director: Director }) {
  const bar = useRef<HTMLDivElement>(null)
  const { at_ms: at, duration_ms: duration, chapters, chapter, until_ms: until } = replay
  const share = (ms: number) => `${duration === 0 ? 0 : (ms / duration) * 100}%`
  const onPointer = (event: PointerEvent) => {
    const box = bar.current?.getBoundingClientRect()
    if (box === undefined || event.button !== 0) return
    director.seek(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * duration)
  }
  const neighbour = (direction: 1 | -1) => {
    const places = [0, ...chapters.map(({ at_ms: place }) => place), duration]
    return direction === 1 ? (places.find((place) => place > at) ?? duration) : (places.findLast((place) => place < at) ?? 0)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => director.move(-strideMs),
    ArrowDown: () => director.move(-strideMs),
    ArrowRight: () => director.move(strideMs),
    ArrowUp: () => director.move(strideMs),
    PageDown: () => director.seek(neighbour(-1)),
    PageUp: () => director.seek(neighbour(1)),
    Home: () => director.seek(0),
    End: () => director.seek(duration),
  }
  const onKey = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  return (
    <div
      ref={bar}
      class="timeline"
      role="slider"
      tabIndex={0}
      aria-label="Timeline"
      aria-valuemin={0}
      aria-valuemax={Math.round(duration / 1000)}
      aria-valuenow={Math.round(at / 1000)}
      aria-valuetext={`${toClock(at)} of ${toClock(duration)}${chapter === null ? '' : `, ${chapter}`}`}
      onKeyDown={onKey}
      onPointerDown={onPointer}
    >
      <div class="track">
        <div class="passed" style={{ width: share(at) }} />
        {chapters.map(({ name, at_ms: place }) => (
          <div key={name} class="mark" style={{ left: share(place) }} title={`${toClock(place)} ${name}`} />
        ))}
        {until !== null && <div class="mark until" style={{ left: share(until) }} title={`Stops at ${toClock(until)}`} />}
        <div class="thumb" style={{ left: share(at) }} />
      </div>
    </div>
  )
}
