import { useRef, useState } from 'preact/hooks'
import { formatDuration } from '../../shared/format.ts'
import type { Replay } from '../../shared/types.ts'
import type { StoryController } from './keyboard.ts'

const strideMs = 10_000

/**
 * Shows the story as a slider, with marks for the chapters and a preview of the time under the
 * pointer.
 */
export function StoryTimeline({ replay, director }: { replay: Replay; director: StoryController }) {
  const bar = useRef<HTMLDivElement>(null)
  const [hover, setHover] = useState<number>()
  /** Position of the thumb while it is dragged, ms. Releasing the thumb seeks to this position. */
  const [dragged, setDragged] = useState<number>()
  const { at_ms: at, duration_ms: duration, chapters, chapter, until_ms: until } = replay
  const share = (ms: number) => `${duration === 0 ? 0 : (ms / duration) * 100}%`
  const cqw = (ms: number) => `${duration === 0 ? 0 : (ms / duration) * 100}cqw`
  const placeOf = ({ clientX }: PointerEvent) => {
    const box = bar.current?.getBoundingClientRect()
    return box === undefined
      ? at
      : Math.max(0, Math.min(1, (clientX - box.left) / box.width)) * duration
  }
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    bar.current?.setPointerCapture(event.pointerId)
    setDragged(placeOf(event))
  }
  const onMove = (event: PointerEvent) => {
    setHover(placeOf(event))
    if (dragged !== undefined) setDragged(placeOf(event))
  }
  const onUp = (event: PointerEvent) => {
    if (dragged === undefined) return
    director.seek(placeOf(event))
    setDragged(undefined)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => director.move(-strideMs),
    ArrowDown: () => director.move(-strideMs),
    ArrowRight: () => director.move(strideMs),
    ArrowUp: () => director.move(strideMs),
    PageDown: () => director.chapter(1),
    PageUp: () => director.chapter(-1),
    Home: () => director.seek(0),
    End: () => director.seek(duration),
  }
  const onKey = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const shown = dragged ?? at
  const preview = dragged ?? hover
  return (
    <div
      ref={bar}
      class="timeline"
      role="slider"
      tabIndex={0}
      aria-label="Timeline"
      aria-valuemin={0}
      aria-valuemax={Math.round(duration / 1000)}
      aria-valuenow={Math.round(shown / 1000)}
      aria-valuetext={`${formatDuration(shown)} of ${formatDuration(duration)}${chapter === null ? '' : `, ${chapter}`}`}
      onKeyDown={onKey}
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={() => setDragged(undefined)}
      onPointerLeave={() => setHover(undefined)}
    >
      <div class="track">
        <div
          class="passed"
          style={{ transform: `scaleX(${duration === 0 ? 0 : shown / duration})` }}
        />
        {chapters.map(({ name, at_ms: place }) => (
          <div key={name} class="mark" style={{ left: share(place) }} />
        ))}
        {until !== null && (
          <div
            class="mark until"
            style={{ left: share(until) }}
            title={`Stops at ${formatDuration(until)}`}
          />
        )}
        <div class="thumb-way" style={{ transform: `translateX(${cqw(shown)})` }}>
          <div class="thumb" />
        </div>
        {preview !== undefined && (
          <div class="preview" style={{ transform: `translateX(${cqw(preview)})` }}>
            <span>
              {formatDuration(preview)} {chapters.findLast((each) => each.at_ms <= preview)?.name}
            </span>
          </div>
        )}
      </div>
    </div>
  )
}
