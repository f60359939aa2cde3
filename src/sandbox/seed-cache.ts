import { countSnapshotRows } from '../data/tables.ts'
import type { Seeded } from '../scenario/seed-sources.ts'

/** Maximum number of rows that the cache keeps for seeded data no longer in use. */
const maxKept = 75_000

/**
 * Caches the seeded data of sandboxes in this process. A second sandbox with the same options
 * shares the rows of the first sandbox. Rows are frozen and each sandbox has its own tables, so
 * sandboxes do not affect each other. An entry exists as long as a sandbox uses it. Small entries
 * that were used recently are kept longer, for the next test.
 */
export class SeedCache {
  readonly #known = new Map<string, WeakRef<Seeded>>()
  /** Entries by key, least recently used first. */
  readonly #kept = new Map<string, Seeded>()
  readonly #pending = new Map<string, Promise<Seeded>>()

  /** Returns the entry for a key, and creates it with `seed` if needed. */
  async get(key: string, seed: () => Promise<Seeded>): Promise<Seeded> {
    const seeded =
      this.#known.get(key)?.deref() ?? (await (this.#pending.get(key) ?? this.#make(key, seed)))
    this.#keep(key, seeded)
    return seeded
  }

  async #make(key: string, seed: () => Promise<Seeded>): Promise<Seeded> {
    for (const [known, state] of this.#known)
      if (state.deref() === undefined) this.#known.delete(known)
    const seeding = seed()
    this.#pending.set(key, seeding)
    try {
      const seeded = await seeding
      this.#known.set(key, new WeakRef(seeded))
      return seeded
    } finally {
      this.#pending.delete(key)
    }
  }

  #keep(key: string, seeded: Seeded): void {
    this.#kept.delete(key)
    this.#kept.set(key, seeded)
    let records = 0
    for (const [kept, state] of [...this.#kept].toReversed()) {
      records += countSnapshotRows(state.origin.tables)
      if (records > maxKept) this.#kept.delete(kept)
    }
  }
}
