import { mainId } from '../../world/world-name.ts'
import { readBaseKey } from './saved-world.ts'
import type { WorldStore } from './world-store.ts'

/** Tracks which worlds are stored and when each was last used. */
export class StoredWorlds {
  readonly #store: WorldStore
  readonly #ttlMs: number | undefined
  /** Time of the last use, epoch ms, by world id. */
  readonly #usedAt = new Map<string, number>()
  /** Key of each world's base rows, by world id, for worlds that were read, saved or released. */
  readonly #baseKeys = new Map<string, string>()
  /** Ids of worlds used since the last `touchUsed`. */
  readonly #used = new Set<string>()

  /** @param ttlMs time after which unused worlds expire */
  constructor(store: WorldStore, ttlMs: number | undefined) {
    this.#store = store
    this.#ttlMs = ttlMs
  }

  has(id: string): boolean {
    return this.#usedAt.has(id)
  }

  setBase(id: string, key: string): void {
    this.#baseKeys.set(id, key)
  }

  /**
   * Returns the keys of all stored worlds' base rows, or undefined if a world cannot be read. The
   * next request to that world gets the error.
   */
  async baseKeys(): Promise<string[] | undefined> {
    try {
      for (const id of this.#usedAt.keys()) {
        const bytes = this.#baseKeys.has(id) ? undefined : await this.#store.load(id)
        if (bytes !== undefined) this.#baseKeys.set(id, readBaseKey(bytes))
      }
      return [...this.#baseKeys.values()]
    } catch {
      return undefined
    }
  }

  add(id: string, usedAt: number): void {
    this.#usedAt.set(id, usedAt)
  }

  delete(id: string): void {
    this.#usedAt.delete(id)
    this.#used.delete(id)
    this.#baseKeys.delete(id)
  }

  /** Marks a world as used, which delays its expiry. */
  markUsed(id: string, now: number): void {
    if (!this.has(id)) return
    this.#usedAt.set(id, now)
    this.#used.add(id)
  }

  /** Tells the store which worlds have been used, so that they do not expire. */
  async touchUsed(): Promise<void> {
    const used = [...this.#used]
    this.#used.clear()
    if (this.#ttlMs === undefined) return
    await Promise.all(used.map((id) => this.#store.touch(id)))
  }

  /** Returns the isolated worlds that have expired. */
  expired(now: number): string[] {
    const oldest = now - (this.#ttlMs ?? Infinity)
    return [...this.#usedAt].flatMap(([id, usedAt]) =>
      id !== mainId && usedAt < oldest ? [id] : [],
    )
  }
}
