import type { World } from '../resources/world.ts'
import type { Timeline } from './timeline.ts'
import { readFigure } from './watch.ts'
import type { Watch, WatchedFigure } from './watch.ts'

/** The values of the watched figures at a time of the story, ms since its start. */
interface Sample {
  atMs: number
  values: readonly number[]
}

/** A figure that a story is about, and how it came to what it is. */
export interface TrackedFigure extends WatchedFigure {
  /** Its values by the time of the story, oldest first; the last one is the present. */
  points: { at_ms: number; value: number }[]
}

/** The most samples of a story. */
const maxSamples = 240

/**
 * How the figures that a story is about went, by the time of the story: what no table remembers.
 */
export class StoryTrack {
  #samples: Sample[] = []

  /**
   * Takes samples of a world from here on: each just before the first moment of a piece of the
   * story.
   */
  follow(world: World, { moments, durationMs }: Timeline, watches: readonly Watch[]): void {
    if (watches.length === 0) return
    this.begin(world, watches, world.timeline.elapsed(world))
    const width = Math.max(1, durationMs / maxSamples)
    const { onStep } = world.timeline
    world.timeline.onStep = (index) => {
      onStep?.(index)
      const atMs = moments.at(index)?.atMs ?? 0
      const last = this.#samples.at(-1)
      if (last !== undefined && Math.floor(last.atMs / width) >= Math.floor(atMs / width)) return
      this.#samples.push({ atMs, values: watches.map((watch) => readFigure(world, watch).value) })
    }
  }

  /**
   * Goes on from a time of the story: the samples from then on are of what was, and the present is
   * the first of the new ones.
   */
  begin(world: World, watches: readonly Watch[], atMs: number): void {
    this.dropFrom(atMs)
    if (watches.length > 0)
      this.#samples.push({ atMs, values: watches.map((watch) => readFigure(world, watch).value) })
  }

  /** The figures now, and how they came to that. */
  read(world: World, watches: readonly Watch[], atMs: number): TrackedFigure[] {
    const past = this.#samples.filter((sample) => sample.atMs < atMs)
    return watches.map((watch, index) => {
      const now = readFigure(world, watch)
      const points = past.map(({ atMs: at, values }) => ({ at_ms: at, value: values[index] ?? 0 }))
      return { ...now, points: [...points, { at_ms: atMs, value: now.value }] }
    })
  }

  /** Drops the samples from a time of the story on, because the world goes back to it. */
  dropFrom(atMs: number): void {
    this.#samples = this.#samples.filter((sample) => sample.atMs < atMs)
  }
}
