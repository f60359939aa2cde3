import type { WorldSnapshot } from '../engine/world.ts'
import type { World } from '../world/world.ts'
import type { Timeline } from './timeline.ts'

/** A snapshot of the world just before a moment of its story. */
export interface StorySnapshot {
  /** The time of the story, ms since its start. */
  atMs: number
  snapshot: WorldSnapshot
  /** Gives back what it takes of the budget. */
  release: () => void
}

/**
 * The number of snapshots at regular moments. If the story has no more chapters than this, each
 * chapter gets one too.
 */
const mostSnapshots = 32

/** The snapshots of a story, which a seek back starts from. */
export class StorySnapshots {
  readonly #byMoment = new Map<number, StorySnapshot>()

  /** Takes snapshots of a world from here on. */
  follow(world: World, { moments, chapters }: Timeline): void {
    const stride = Math.ceil(moments.length / mostSnapshots)
    world.script.onMoment = (index) => {
      const isChapter = chapters.length <= mostSnapshots && moments.at(index)?.chapter !== undefined
      if (!isChapter && index % stride !== 0) return
      // Without them a seek back takes longer: they are the first to do without.
      if (world.meter?.budget.isReserved === true) return
      const snapshot = world.snapshot()
      this.#drop(index)
      const bytes = bytesOf(snapshot)
      world.meter?.add(bytes)
      this.#byMoment.set(index, {
        atMs: moments.at(index)?.atMs ?? 0,
        snapshot,
        release: () => world.meter?.add(-bytes),
      })
    }
  }

  /** Finds the last snapshot up to a time of the story, and drops the later ones. */
  backTo(target: number): StorySnapshot | undefined {
    for (const [index, { atMs }] of this.#byMoment) if (atMs > target) this.#drop(index)
    return [...this.#byMoment.values()].toSorted((a, b) => b.atMs - a.atMs)[0]
  }

  /** Drops all snapshots. */
  clear(): void {
    for (const index of this.#byMoment.keys()) this.#drop(index)
  }

  #drop(index: number): void {
    this.#byMoment.get(index)?.release()
    this.#byMoment.delete(index)
  }
}

/** What a snapshot takes of a budget: a pointer to each record. */
function bytesOf({ tables }: WorldSnapshot): number {
  let rows = 0
  for (const table of tables.values()) rows += table.records.unsorted.length
  return rows * 8
}
