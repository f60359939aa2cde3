import { formatDuration } from '../../shared/format.ts'
import type { Replay } from '../../shared/types.ts'
import type { StoryController } from './keyboard.ts'

/** Shows the chapters of the story as buttons that seek to them. */
export function ChapterButtons({
  replay,
  director,
}: {
  replay: Replay
  director: StoryController
}) {
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
