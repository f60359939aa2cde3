import { useState, useEffect, useRef } from 'preact/hooks'
import { useIsNarrow, useStoreState, useStore } from '../../shared/hooks.ts'
import type { StoryController } from './keyboard.ts'
import { StoryTimeline } from './timeline.tsx'
import { formatDuration, formatMessage, formatCount } from '../../shared/format.ts'
import type { Replay } from '../../shared/types.ts'
import { Icon } from '../../shared/icons.tsx'

/**
 * Shows the story's caption, timeline and controls. `isFolded` hides the chapters. On a phone, the
 * player is folded until the user unfolds it, so that the requests are visible below it.
 */
export function StoryPlayer({
  director,
  isFolded: isElsewhere,
}: {
  director: StoryController
  isFolded: boolean
}) {
  const isNarrow = useIsNarrow()
  const [isUnfolded, setUnfolded] = useState(false)
  const isFolded = isElsewhere || (isNarrow && !isUnfolded)
  const replay = useStoreState((state) => state.pulse?.replay)
  const caption = useStoreState((state) => state.caption)
  const store = useStore()
  const error = useStoreState((state) => state.error)
  const [hasChapters, setChapters] = useState(true)
  if (replay === undefined) return null
  const hasStory = replay.duration_ms > 0 || replay.chapters.length > 0
  // Without content, the player would be an empty box.
  if (!hasStory && caption === null && error === null) return null
  return (
    <section class={isFolded ? 'player folded' : 'player'} aria-label="Player" tabIndex={-1}>
      <p class={caption === null ? 'caption empty' : 'caption'} aria-live="polite">
        {caption ?? (hasStory ? 'Captions appear here.' : '')}
      </p>
      {hasStory && (
        <>
          <StoryTimeline replay={replay} director={director} />
          <StoryControls replay={replay} director={director} />
          <details
            open={hasChapters && !isFolded}
            onToggle={(event) => isFolded || setChapters(event.currentTarget.open)}
          >
            <summary>Chapters</summary>
            <ChapterButtons replay={replay} director={director} />
          </details>
          {isNarrow && !isElsewhere && (
            <button type="button" class="plain" onClick={() => setUnfolded(!isUnfolded)}>
              {isUnfolded ? 'Fewer controls' : 'All controls and chapters'}
            </button>
          )}
          <StoryWarnings replay={replay} />
        </>
      )}
      {error !== null && (
        <p class="problem" role="alert">
          {error}
          <button type="button" onClick={store.dismissError}>
            Dismiss
          </button>
        </p>
      )}
    </section>
  )
}

/** Shows the chapters of the story as buttons that seek to them. */
function ChapterButtons({ replay, director }: { replay: Replay; director: StoryController }) {
  return (
    <ol class="chapters" aria-label="Chapters">
      {replay.chapters.map(({ name, at_ms: at }) => (
        <li key={name}>
          <button
            type="button"
            aria-current={name === replay.chapter ? 'true' : undefined}
            onClick={({ currentTarget }) => {
              director.command({ command: 'seek', to: name })
              // Moves the focus away, because Space would otherwise press this button again instead
              // of playing or pausing.
              currentTarget.closest<HTMLElement>('.player')?.focus()
            }}
          >
            <span class="unit">{formatDuration(at)}</span> {name}
          </button>
        </li>
      ))}
    </ol>
  )
}

/** Warns about dropped changes and failed steps of the story. */
function StoryWarnings({ replay: { warning, problems, status } }: { replay: Replay }) {
  const passed = usePassedWarning(warning, status)
  return (
    <div class="remarks" role="status">
      {warning !== null && warning !== passed && <p class="warning">{formatMessage(warning)}</p>}
      {problems.length > 0 && (
        <details class="warning">
          <summary>{formatCount(problems.length, 'step')} failed</summary>
          <ul>
            {problems.slice(-20).map((problem, index) => (
              <li key={index}>{problem}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

/**
 * Returns the warning that was shown when the story was last started. It is not shown again,
 * because the user has already read it.
 */
function usePassedWarning(warning: string | null, status: Replay['status']): string | null {
  const [passed, setPassed] = useState<string | null>(null)
  const before = useRef(warning)
  useEffect(() => {
    if (status === 'playing') setPassed(before.current)
  }, [status])
  useEffect(() => {
    before.current = warning
  }, [warning])
  return passed
}

const speeds = [0.5, 1, 2, 5, 10, 30, 60, 100, 1000]

/** Shows the story's buttons, progress and speed. */
function StoryControls({ replay, director }: { replay: Replay; director: StoryController }) {
  const [isLooping, setLooping] = useState(replay.loop)
  useEffect(() => setLooping(replay.loop), [replay.loop])
  const isPlaying = replay.status === 'playing'
  const { command } = director
  const play = (loop: boolean) => command({ command: 'play', speed: replay.speed, loop })
  const chooseLoop = (loop: boolean) => {
    setLooping(loop)
    if (isPlaying) play(loop)
  }
  const shown = speeds.includes(replay.speed)
    ? speeds
    : [...speeds, replay.speed].toSorted((a, b) => a - b)
  return (
    <div class="controls" role="group" aria-label="Story">
      <button
        type="button"
        onClick={() => command({ command: 'stop' })}
        aria-label="Back to the start"
      >
        <Icon name="start" />
      </button>
      <button type="button" onClick={() => director.move(-10_000)} title="Back 10 seconds">
        −10 s
      </button>
      <button
        type="button"
        class="primary play"
        onClick={() => (isPlaying ? command({ command: 'pause' }) : play(isLooping))}
        aria-keyshortcuts="Space"
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <button type="button" onClick={() => director.move(10_000)} title="Forward 10 seconds">
        +10 s
      </button>
      <button
        type="button"
        onClick={() => command({ command: 'step' })}
        aria-label="Play the next step"
      >
        <Icon name="step" />
      </button>
      <p class="at">
        <strong>{formatDuration(replay.at_ms)}</strong> / {formatDuration(replay.duration_ms)}
      </p>
      <p class={`status ${replay.status}`}>{statuses[replay.status]}</p>
      <label class="inline">
        Speed{' '}
        <select
          value={String(replay.speed)}
          onChange={(event) =>
            command({ command: 'speed', speed: Number(event.currentTarget.value) })
          }
        >
          {shown.map((speed) => (
            <option key={speed} value={String(speed)}>
              {speed}×
            </option>
          ))}
        </select>
      </label>
      <label class="inline">
        <input
          type="checkbox"
          checked={isLooping}
          onChange={(event) => chooseLoop(event.currentTarget.checked)}
        />{' '}
        Loop
      </label>
      <p class="next" aria-live="off">
        {replay.next !== null &&
          `Next in ${formatDuration(Math.max(0, replay.next.at_ms - replay.at_ms))}`}
      </p>
    </div>
  )
}

const statuses = {
  idle: 'At the start',
  playing: 'Playing',
  paused: 'Paused',
  ended: 'The end',
} as const
