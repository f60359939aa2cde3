import type { WorldSnapshot } from '../world/world-state.ts'
import type { World } from '../resources/world.ts'
import type { ScenarioTimeline } from './expand-timeline.ts'

/** A snapshot of the world before a step of its story. */
export interface StorySnapshot {
  /** Story time, ms since the start. */
  atMs: number
  snapshot: WorldSnapshot
}

/**
 * Maximum number of snapshots at regular intervals. Each chapter also gets a snapshot, unless there
 * are more chapters than this maximum.
 */
const maxSnapshots = 32

/** Snapshots taken during a story, which make rewinding faster. */
export class StorySnapshots {
  readonly #byStep = new Map<number, StorySnapshot>()

  /** Starts to take snapshots of a world. */
  follow(world: World, { steps, chapters }: ScenarioTimeline): void {
    const stride = Math.ceil(steps.length / maxSnapshots)
    world.timeline.onStep = (index) => {
      const isChapter = chapters.length <= maxSnapshots && steps.at(index)?.chapter !== undefined
      if (!isChapter && index % stride !== 0) return
      // Skips the snapshot if memory is low. Rewinding works without snapshots, but takes longer.
      if (world.options.memory?.isFull === true) return
      this.#byStep.delete(index)
      this.#byStep.set(index, {
        atMs: steps.at(index)?.atMs ?? 0,
        snapshot: world.snapshot(),
      })
    }
  }

  /** Finds the latest snapshot that is not after a story time. Drops all later snapshots. */
  rewindTo(target: number): StorySnapshot | undefined {
    for (const [index, { atMs }] of this.#byStep) if (atMs > target) this.#byStep.delete(index)
    return [...this.#byStep.values()].toSorted((a, b) => b.atMs - a.atMs)[0]
  }

  /** Drops all snapshots. */
  clear(): void {
    this.#byStep.clear()
  }
}
