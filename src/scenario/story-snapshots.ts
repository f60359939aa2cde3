import type { WorldSnapshot } from '../world/world-state.ts'
import type { World } from '../resources/world.ts'
import type { ScenarioTimeline } from './timeline.ts'

/** A snapshot of the world just before a step of its story. */
export interface StorySnapshot {
  /** The time of the story, ms since its start. */
  atMs: number
  snapshot: WorldSnapshot
}

/**
 * The number of snapshots at regular steps. If the story has no more chapters than this, each
 * chapter gets one too.
 */
const maxSnapshots = 32

/** Snapshots of a story that a seek back starts from. */
export class StorySnapshots {
  readonly #byStep = new Map<number, StorySnapshot>()

  /** Takes snapshots of a world from now on. */
  follow(world: World, { steps, chapters }: ScenarioTimeline): void {
    const stride = Math.ceil(steps.length / maxSnapshots)
    world.timeline.onStep = (index) => {
      const isChapter = chapters.length <= maxSnapshots && steps.at(index)?.chapter !== undefined
      if (!isChapter && index % stride !== 0) return
      // Without snapshots a seek back only takes longer.
      if (world.options.memory?.isFull === true) return
      this.#byStep.delete(index)
      this.#byStep.set(index, {
        atMs: steps.at(index)?.atMs ?? 0,
        snapshot: world.snapshot(),
      })
    }
  }

  /** Finds the last snapshot up to a time of the story, and drops the later ones. */
  backTo(target: number): StorySnapshot | undefined {
    for (const [index, { atMs }] of this.#byStep) if (atMs > target) this.#byStep.delete(index)
    return [...this.#byStep.values()].toSorted((a, b) => b.atMs - a.atMs)[0]
  }

  /** Drops all snapshots. */
  clear(): void {
    this.#byStep.clear()
  }
}
