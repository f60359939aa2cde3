import { useState, useEffect, useRef } from 'preact/hooks'
import { useIsNarrow, useStoreState, useStore } from '../../shared/hooks.ts'
import { StoryControls } from './controls.tsx'
import type { StoryController } from './keyboard.ts'
import { StoryTimeline } from './timeline.tsx'
import { formatDuration, shortenTimestamps, formatCount } from '../../shared/format.ts'
import type { Replay } from '../../shared/types.ts'

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
      {warning !== null && warning !== passed && (
        <p class="warning">{shortenTimestamps(warning)}</p>
      )}
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
