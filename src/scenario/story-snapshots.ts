import type { WorldSnapshot } from '../world/world-state.ts'
import type { World } from '../resources/world.ts'
import type { Timeline } from './timeline.ts'

/** A snapshot of the world just before a moment of its story. */
export interface StorySnapshot {
  /** The time of the story, ms since its start. */
  atMs: number
  snapshot: WorldSnapshot
}

/**
 * The number of snapshots at regular moments. If the story has no more chapters than this, each
 * chapter gets one too.
 */
const maxSnapshots = 32

/** The snapshots of a story, which a seek back starts from. */
export class StorySnapshots {
  readonly #byMoment = new Map<number, StorySnapshot>()

  /** Takes snapshots of a world from here on. */
  follow(world: World, { moments, chapters }: Timeline): void {
    const stride = Math.ceil(moments.length / maxSnapshots)
    world.timeline.onStep = (index) => {
      const isChapter = chapters.length <= maxSnapshots && moments.at(index)?.chapter !== undefined
      if (!isChapter && index % stride !== 0) return
      // Without them a seek back only takes longer.
      if (world.options.memory?.isFull === true) return
      this.#byMoment.delete(index)
      this.#byMoment.set(index, {
        atMs: moments.at(index)?.atMs ?? 0,
        snapshot: world.snapshot(),
      })
    }
  }

  /** Finds the last snapshot up to a time of the story, and drops the later ones. */
  backTo(target: number): StorySnapshot | undefined {
    for (const [index, { atMs }] of this.#byMoment) if (atMs > target) this.#byMoment.delete(index)
    return [...this.#byMoment.values()].toSorted((a, b) => b.atMs - a.atMs)[0]
  }

  /** Drops all snapshots. */
  clear(): void {
    this.#byMoment.clear()
  }
}
