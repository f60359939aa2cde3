import { useEffect, useState } from 'preact/hooks'
import { formatDuration } from '../../shared/format.ts'
import { Icon } from '../../shared/icons.tsx'
import type { Replay } from '../../shared/types.ts'
import type { StoryController } from './keyboard.ts'

const speeds = [0.5, 1, 2, 5, 10, 30, 60, 100, 1000]

/** Shows the story's buttons, progress and speed. */
export function StoryControls({ replay, director }: { replay: Replay; director: StoryController }) {
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
