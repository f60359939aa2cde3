import type { z } from 'zod'
import type { Reading } from './reading.ts'

/**
 * State that a resource keeps in each world besides its records: a cache, rate windows, signatures.
 */
export interface Part<Value> {
  create: (world: never) => Value
}

/** A part that snapshots hold: its value can be written as JSON and restored. */
export interface SavedPart<
  Value extends { state(): unknown; restore(state: never): void } = {
    state(): unknown
    restore(state: never): void
  },
> extends Part<Value> {
  /** Its key in the state of a world. */
  name: string
  /** Checks the state that a snapshot holds. */
  schema: z.ZodType
}

/** Declares a part. `world.part(part)` then gives its value; each world has one of its own. */
export function definePart<W, Value>(create: (world: W) => Value): Part<Value> {
  return { create }
}

/** Declares a part that snapshots hold. */
export function defineSavedPart<
  W,
  Value extends { state(): unknown; restore(state: never): void },
>(part: { name: string; schema: z.ZodType; create: (world: W) => Value }): SavedPart<Value> {
  return { ...part, ...definePart(part.create) }
}

/** The parts of one world. */
export class Parts {
  readonly #world: object
  readonly #saved: readonly SavedPart[]
  readonly #values = new Map<Part<unknown>, unknown>()
  readonly #reading: Reading

  constructor(world: object, saved: readonly SavedPart[], reading: Reading) {
    this.#reading = reading
    this.#world = world
    this.#saved = saved
  }

  /** The value of a part. It is created on first use. */
  get<Value>(part: Part<Value>): Value {
    // Nobody tells when saved state changes.
    if (this.#reading.current !== undefined && 'schema' in part)
      this.#reading.current.isFleeting = true
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
