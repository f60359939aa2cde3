import { mainId } from '../world/world-name.ts'
import type { WorldStore } from './world-store.ts'

/** Which worlds are stored, and when each was used last. */
export class StoredWorlds {
  readonly #store: WorldStore
  readonly #ttlMs: number | undefined
  /** Epoch ms, by id. */
  readonly #usedAt = new Map<string, number>()
  /** Worlds that were used since the store was told of it. */
  readonly #used = new Set<string>()

  /** Unused worlds expire after `ttlMs`. */
  constructor(store: WorldStore, ttlMs: number | undefined) {
    this.#store = store
    this.#ttlMs = ttlMs
  }

  has(id: string): boolean {
    return this.#usedAt.has(id)
  }

  ids(): string[] {
    return [...this.#usedAt.keys()]
  }

  add(id: string, usedAt: number): void {
    this.#usedAt.set(id, usedAt)
  }

  delete(id: string): void {
    this.#usedAt.delete(id)
    this.#used.delete(id)
  }

  /** Notes that a world is used, so that it does not expire. */
  markUsed(id: string, now: number): void {
    if (!this.has(id)) return
    this.#usedAt.set(id, now)
    this.#used.add(id)
  }

  /** Tells the store which worlds were used, so that they do not expire there either. */
  async touchUsed(): Promise<void> {
    const used = [...this.#used]
    this.#used.clear()
    if (this.#ttlMs === undefined) return
    await Promise.all(used.map((id) => this.#store.touch(id)))
  }

  /** Lists the isolated worlds that have expired. */
  expired(now: number): string[] {
    const oldest = now - (this.#ttlMs ?? Infinity)
    return [...this.#usedAt].flatMap(([id, usedAt]) =>
      id !== mainId && usedAt < oldest ? [id] : [],
    )
  }
}
