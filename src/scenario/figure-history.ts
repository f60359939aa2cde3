import type { World } from '../resources/world.ts'
import type { ScenarioTimeline } from './timeline.ts'
import { readWatchedFigure } from './watched-figure.ts'
import type { Watch, WatchedFigure } from './watched-figure.ts'

/** The values of the watched figures at a story time, ms since the start of the story. */
interface Sample {
  atMs: number
  values: readonly number[]
}

/** A watched figure and its values over time. */
export interface FigureSeries extends WatchedFigure {
  /** Values by story time, oldest first. The last value is the current one. */
  points: { at_ms: number; value: number }[]
}

/** Maximum number of samples per story. */
const maxSamples = 240

/** Samples of the watched figures, by story time. They are stored only in memory. */
export class FigureHistory {
  #samples: Sample[] = []

  /** Starts sampling a world. Takes at most `maxSamples`, evenly distributed over the story. */
  follow(world: World, { steps, durationMs }: ScenarioTimeline, watches: readonly Watch[]): void {
    if (watches.length === 0) return
    this.restart(world, watches, world.timeline.elapsed(world))
    const width = Math.max(1, durationMs / maxSamples)
    const { onStep } = world.timeline
    world.timeline.onStep = (index) => {
      onStep?.(index)
      const atMs = steps.at(index)?.atMs ?? 0
      const last = this.#samples.at(-1)
      if (last !== undefined && Math.floor(last.atMs / width) >= Math.floor(atMs / width)) return
      this.#samples.push({
        atMs,
        values: watches.map((watch) => readWatchedFigure(world, watch).value),
      })
    }
  }

  /** Removes the samples from a story time onwards, and takes a new sample. */
  restart(world: World, watches: readonly Watch[], atMs: number): void {
    this.dropFrom(atMs)
    if (watches.length > 0)
      this.#samples.push({
        atMs,
        values: watches.map((watch) => readWatchedFigure(world, watch).value),
      })
  }

  /** Returns the current figures, with their values over time. */
  read(world: World, watches: readonly Watch[], atMs: number): FigureSeries[] {
    const past = this.#samples.filter((sample) => sample.atMs < atMs)
    return watches.map((watch, index) => {
      const now = readWatchedFigure(world, watch)
      const points = past.map(({ atMs: at, values }) => ({ at_ms: at, value: values[index] ?? 0 }))
      return { ...now, points: [...points, { at_ms: atMs, value: now.value }] }
    })
  }

  /**
   * Removes the samples from a story time onwards. Called when the world is rewound to that time.
   */
  dropFrom(atMs: number): void {
    this.#samples = this.#samples.filter((sample) => sample.atMs < atMs)
  }
}
