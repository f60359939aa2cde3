import { useLoadedData, useStoreState, useStore } from '../../shared/hooks.ts'
import type { StorySummary } from '../../shared/types.ts'

/** Minimum interval between updates, ms. */
const followMs = 1_000
const emptyStory: StorySummary = {
  title: '',
  description: '',
  duration_ms: 0,
  chapters: [],
  watch: [],
}

/** Returns the story with all values so far. The event stream sends only the current values. */
export function useStory(): StorySummary {
  const { api } = useStore()
  const scenario = useStoreState((state) => state.pulse?.scenario)
  const replay = useStoreState((state) => state.pulse?.replay)
  const { at_ms: at = 0, watch = [], chapters = [], duration_ms: durationMs = 0 } = replay ?? {}
  const { data = emptyStory } = useLoadedData(
    () => api.get<StorySummary>('story'),
    JSON.stringify([scenario, at, watch.map(({ value }) => value)]),
    { pauseMs: followMs },
  )
  return {
    ...data,
    chapters,
    duration_ms: durationMs,
    watch: watch.map((figure, index) => {
      const past =
        data.watch[index]?.figure === figure.figure ? (data.watch[index]?.points ?? []) : []
      return {
        ...figure,
        points: [
          // The steps at 0:00 still change the first value.
          ...past.filter(({ at_ms: then }) => then > 0 && then < at),
          { at_ms: at, value: figure.value },
        ],
      }
    }),
  }
}
