import { useEffect, useRef, useState } from 'preact/hooks'
import { shortenInstants, toClock, toCount } from './format.ts'
import { useShared, useStore } from './hooks.ts'
import { Icon } from './icons.tsx'
import type { Director } from './keyboard.ts'
import { StoryChoice } from './scenario.tsx'
import { Timeline } from './timeline.tsx'
import type { Replay } from './types.ts'

const speeds = [0.5, 1, 2, 5, 10, 30, 60, 100, 1000]

/** The story: its caption, its timeline and its controls. */
export function Player({ director }: { director: Director }) {
  const replay = useShared((state) => state.pulse?.replay)
  const caption = useShared((state) => state.caption)
  const store = useStore()
  const problem = useShared((state) => state.problem)
  const [isFolded, setFolded] = useState(() => matchMedia('(max-width: 40rem)').matches)
  if (replay === undefined) return null
  const hasStory = replay.duration_ms > 0 || replay.chapters.length > 0
  return (
    <section class="player" aria-label="Player" tabIndex={-1}>
      <p class={caption === null ? 'caption empty' : 'caption'} aria-live="polite">
        {caption ?? (hasStory ? 'Captions appear here.' : '')}
      </p>
      {hasStory ? (
        <>
          <Timeline replay={replay} director={director} />
          <Controls replay={replay} director={director} />
          <details open={!isFolded} onToggle={(event) => setFolded(!event.currentTarget.open)}>
            <summary>Chapters</summary>
            <Chapters replay={replay} director={director} />
          </details>
          <Remarks replay={replay} />
        </>
      ) : (
        <StoryChoice />
      )}
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
          <button type="button" onClick={store.dismiss}>
            Dismiss
          </button>
        </p>
      )}
    </section>
  )
}

function Controls({ replay, director }: { replay: Replay; director: Director }) {
  const [isLooping, setLooping] = useState(replay.loop)
  useEffect(() => setLooping(replay.loop), [replay.loop])
  const isPlaying = replay.status === 'playing'
  const { command } = director
  const play = (loop: boolean) => command({ command: 'play', speed: replay.speed, loop })
  const chooseLoop = (loop: boolean) => {
    setLooping(loop)
    if (isPlaying) play(loop)
  }
  const shown = speeds.includes(replay.speed) ? speeds : [...speeds, replay.speed].toSorted((a, b) => a - b)
  return (
    <div class="controls" role="group" aria-label="Story">
      <button type="button" onClick={() => command({ command: 'stop' })} aria-label="Back to the start">
        <Icon name="start" />
      </button>
      <button type="button" onClick={() => director.move(-10_000)} aria-label="Back 10 seconds">
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
      <button type="button" onClick={() => director.move(10_000)} aria-label="Forward 10 seconds">
        +10 s
      </button>
      <button type="button" onClick={() => command({ command: 'step' })} aria-label="Play the next moment">
        <Icon name="step" />
      </button>
      <p class="at">
        <strong>{toClock(replay.at_ms)}</strong> / {toClock(replay.duration_ms)}
      </p>
      <p class={`status ${replay.status}`}>{statuses[replay.status]}</p>
      <label class="inline">
        Speed{' '}
        <select value={String(replay.speed)} onChange={(event) => command({ command: 'speed', speed: Number(event.currentTarget.value) })}>
          {shown.map((speed) => (
            <option key={speed} value={String(speed)}>
              {speed}×
            </option>
          ))}
        </select>
      </label>
      <label class="inline">
        <input type="checkbox" checked={isLooping} onChange={(event) => chooseLoop(event.currentTarget.checked)} /> Loop
      </label>
      <p class="next" aria-live="off">
        {replay.next !== null && `Next in ${toClock(Math.max(0, replay.next.at_ms - replay.at_ms))}`}
      </p>
    </div>
  )
}

const statuses = { idle: 'At the start', playing: 'Playing', paused: 'Paused', ended: 'The end' } as const

function Chapters({ replay, director }: { replay: Replay; director: Director }) {
  return (
    <ol class="chapters" aria-label="Chapters">
      {replay.chapters.map(({ name, at_ms: at }) => (
        <li key={name}>
          <button
            type="button"
            aria-current={name === replay.chapter ? 'true' : undefined}
            onClick={({ currentTarget }) => {
              director.command({ command: 'seek', to: name })
              // Space goes on to play and pause, instead of going to the chapter once more.
              currentTarget.closest<HTMLElement>('.player')?.focus()
            }}
          >
            <span class="unit">{toClock(at)}</span> {name}
          </button>
        </li>
      ))}
    </ol>
  )
}

function Remarks({ replay: { warning, problems, status } }: { replay: Replay }) {
  const passed = usePassed(warning, status)
  return (
    <div class="remarks" role="status">
      {warning !== null && warning !== passed && <p class="warning">{shortenInstants(warning)}</p>}
      {problems.length > 0 && (
        <details class="warning">
          <summary>{toCount(problems.length, 'step')} could not be done</summary>
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

/** The warning that was there when the story began to play. A user who plays on has read it. */
function usePassed(warning: string | null, status: Replay['status']): string | null {
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
