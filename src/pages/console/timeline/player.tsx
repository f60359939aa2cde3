import { useState } from 'preact/hooks'
import { useIsNarrow, useStoreState, useStore } from '../../shared/hooks.ts'
import { ChapterButtons } from './chapters.tsx'
import { StoryControls } from './controls.tsx'
import type { StoryController } from './keyboard.ts'
import { StoryWarnings } from './story-warnings.tsx'
import { StoryTimeline } from './timeline.tsx'

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
