import type { z } from 'zod'
import type { DependencyTracker } from '../data/dependencies.ts'

/**
 * State that a resource keeps in each world besides its records: a cache, rate windows, signatures.
 */
export interface WorldService<Value> {
  create: (world: never) => Value
}

/** A part that snapshots hold: its value can be written as JSON and restored. */
export interface PersistedService<
  Value extends { state(): unknown; restore(state: never): void } = {
    state(): unknown
    restore(state: never): void
  },
> extends WorldService<Value> {
  /** Its key in the state of a world. */
  name: string
  /** Checks the state that a snapshot holds. */
  schema: z.ZodType
}

/** Declares a part. `world.service(part)` then gives its value; each world has one of its own. */
export function defineService<W, Value>(create: (world: W) => Value): WorldService<Value> {
  return { create }
}

/** Declares a part that snapshots hold. */
export function definePersistedService<
  W,
  Value extends { state(): unknown; restore(state: never): void },
>(part: { name: string; schema: z.ZodType; create: (world: W) => Value }): PersistedService<Value> {
  return { ...part, ...defineService(part.create) }
}

/** The parts of one world. */
export class Services {
  readonly #world: object
  readonly #saved: readonly PersistedService[]
  readonly #values = new Map<WorldService<unknown>, unknown>()
  readonly #tracker: DependencyTracker

  constructor(world: object, saved: readonly PersistedService[], tracker: DependencyTracker) {
    this.#tracker = tracker
    this.#world = world
    this.#saved = saved
  }

  /** The value of a part. It is created on first use. */
  get<Value>(part: WorldService<Value>): Value {
    // Nobody tells when saved state changes.
    if (this.#tracker.current !== undefined && 'schema' in part)
      this.#tracker.current.isFleeting = true
    const known = this.#values.get(part)
    if (known !== undefined) return known as Value
    const value = part.create(this.#world as never)
    this.#values.set(part, value)
    return value
  }

  /** The state of the saved parts by name, as JSON. */
  state(): Record<string, unknown> {
    return Object.fromEntries(this.#saved.map((part) => [part.name, this.get(part).state()]))
  }

  /** Goes back to a state. */
  restore(state: Readonly<Record<string, unknown>>): void {
    for (const part of this.#saved) this.get(part).restore(state[part.name] as never)
  }
}
