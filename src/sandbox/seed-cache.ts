import { countRows } from '../data/tables.ts'
import type { Seeded } from '../seed/seed.ts'

/** Maximum number of rows of seed data that are kept although no sandbox uses them. */
const maxKept = 75_000

/**
 * Seed data of the sandboxes of a process. A second sandbox with the same options copies the rows
 * of the first. Rows are frozen, and each sandbox has its own tables, so sandboxes do not affect
 * each other. An entry lives as long as a sandbox that uses it. The last small entries are kept for
 * the next test.
 */
export class SeedCache {
  readonly #known = new Map<string, WeakRef<Seeded>>()
  /** Least recently used first. */
  readonly #kept = new Map<string, Seeded>()
  readonly #underWay = new Map<string, Promise<Seeded>>()

  /** Returns the entry of a key, and makes it with `seed` if needed. */
  async get(key: string, seed: () => Promise<Seeded>): Promise<Seeded> {
    const seeded =
      this.#known.get(key)?.deref() ?? (await (this.#underWay.get(key) ?? this.#make(key, seed)))
    this.#keep(key, seeded)
    return seeded
  }

  async #make(key: string, seed: () => Promise<Seeded>): Promise<Seeded> {
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
