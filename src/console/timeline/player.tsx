import { useState } from 'preact/hooks'
import { useStoreState, useStore } from '../shared/hooks.ts'
import { ChapterButtons } from './chapters.tsx'
import { StoryControls } from './controls.tsx'
import type { StoryController } from './keyboard.ts'
import { StoryWarnings } from './story-warnings.tsx'
import { StoryPicker } from './story-picker.tsx'
import { StoryTimeline } from './timeline.tsx'

/** Shows the story's caption, timeline and controls. `isFolded` hides the chapters. */
export function StoryPlayer({
  director,
  isFolded,
}: {
  director: StoryController
  isFolded: boolean
}) {
  const replay = useStoreState((state) => state.pulse?.replay)
  const caption = useStoreState((state) => state.caption)
  const store = useStore()
  const error = useStoreState((state) => state.error)
  const [hasChapters, setChapters] = useState(() => !matchMedia('(max-width: 40rem)').matches)
  if (replay === undefined) return null
  const hasStory = replay.duration_ms > 0 || replay.chapters.length > 0
  // Without content, the player would be an empty box.
  if (!hasStory && isFolded && caption === null && error === null) return null
  return (
    <section class={isFolded ? 'player folded' : 'player'} aria-label="Player" tabIndex={-1}>
      <p class={caption === null ? 'caption empty' : 'caption'} aria-live="polite">
        {caption ?? (hasStory ? 'Captions appear here.' : '')}
      </p>
      {hasStory ? (
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
          <StoryWarnings replay={replay} />
        </>
      ) : (
        !isFolded && <StoryPicker />
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
