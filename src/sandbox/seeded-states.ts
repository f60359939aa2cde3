import { countRows } from '../data/tables.ts'
import type { Seeded } from '../seed/seed.ts'

/**
 * The most records of the states that are kept although no sandbox is left that began with them.
 */
const maxKept = 75_000

/**
 * The states that the sandboxes of a process were seeded with, by what they were seeded from: a
 * second sandbox with the same options begins with the records of the first instead of seeding them
 * anew. Records are frozen, and each sandbox has tables of its own, so nothing that happens in one
 * shows in another. A state lives as long as a sandbox that began with it; the last small ones live
 * on for the next test.
 */
export class SeededStates {
  readonly #known = new Map<string, WeakRef<Seeded>>()
  /** The one that was used last comes last. */
  readonly #kept = new Map<string, Seeded>()
  readonly #underWay = new Map<string, Promise<Seeded>>()

  /** The state of that key, which `seed` makes where there is none. */
  async take(key: string, seed: () => Promise<Seeded>): Promise<Seeded> {
    const seeded =
      this.#known.get(key)?.deref() ?? (await (this.#underWay.get(key) ?? this.#begin(key, seed)))
    this.#keep(key, seeded)
    return seeded
  }

  async #begin(key: string, seed: () => Promise<Seeded>): Promise<Seeded> {
    for (const [known, state] of this.#known)
      if (state.deref() === undefined) this.#known.delete(known)
    const seeding = seed()
    this.#underWay.set(key, seeding)
    try {
      const seeded = await seeding
      this.#known.set(key, new WeakRef(seeded))
      return seeded
    } finally {
      this.#underWay.delete(key)
    }
  }

  #keep(key: string, seeded: Seeded): void {
    this.#kept.delete(key)
    this.#kept.set(key, seeded)
    let records = 0
    for (const [kept, state] of [...this.#kept].toReversed()) {
      records += countRows(state.origin.tables)
      if (records > maxKept) this.#kept.delete(kept)
    }
  }
}
