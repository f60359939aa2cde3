import type { WorldSnapshot } from '../engine/world.ts'
import type { World } from '../world/world.ts'
import type { Timeline } from './timeline.ts'

/** The world just before a moment of its story. */
export interface Mark {
  /** Ms of the story since its start. */
  atMs: number
  snapshot: WorldSnapshot
}

/** How many snapshots a story keeps for the way back, besides its start. */
const mostMarks = 32

/** The way that a story came: snapshots at its chapters and between them. */
export class Marks {
  readonly #marks = new Map<number, Mark>()

  /** Marks the way of the world from here on. */
  follow(world: World, { moments, chapters }: Timeline): void {
    const stride = Math.ceil(moments.length / mostMarks)
    world.script.onMoment = (index) => {
      const isChapter = chapters.length <= mostMarks && moments[index]?.chapter !== undefined
      if (!isChapter && index % stride !== 0) return
      this.#marks.set(index, { atMs: moments[index]?.atMs ?? 0, snapshot: world.snapshot() })
    }
  }

  /** The last one up to that time of the story; those after it are forgotten. */
  backTo(target: number): Mark | undefined {
    for (const [index, { atMs }] of this.#marks) if (atMs > target) this.#marks.delete(index)
    return [...this.#marks.values()].toSorted((a, b) => b.atMs - a.atMs)[0]
  }

  /** Forgets them all. */
  clear(): void {
    this.#marks.clear()
  }
}
