import type { z } from 'zod'
import type { DependencyTracker } from '../data/dependencies.ts'

/** State that a resource keeps in a world in addition to its records, such as a cache. */
export interface WorldService<Value> {
  create: (world: never) => Value
}

export interface Restorable {
  state(): unknown
  restore(state: never): void
}

/** A service whose state is stored in snapshots, as JSON. */
export interface PersistedService<
  Value extends Restorable = Restorable,
> extends WorldService<Value> {
  /** Property name of the service's state in the state of a world. */
  name: string
  /** Schema of the state in a snapshot. */
  schema: z.ZodType
}

/** Declares a service. `world.service(service)` returns the service's value for that world. */
export function defineService<W, Value>(create: (world: W) => Value): WorldService<Value> {
  return { create }
}

/** Declares a service whose state is part of snapshots. */
export function definePersistedService<W, Value extends Restorable>(service: {
  name: string
  schema: z.ZodType
  create: (world: W) => Value
}): PersistedService<Value> {
  return service
}

export class Services {
  readonly #world: object
  readonly #persisted: readonly PersistedService[]
  readonly #tracker: DependencyTracker
  readonly #values = new Map<WorldService<unknown>, unknown>()

  constructor(world: object, persisted: readonly PersistedService[], tracker: DependencyTracker) {
    this.#world = world
    this.#persisted = persisted
    this.#tracker = tracker
  }

  /** Returns the value of a service. The value is created lazily. */
  get<Value>(service: WorldService<Value>): Value {
    // The dependency tracking of views does not cover persisted state.
    if (this.#tracker.current !== undefined && 'schema' in service)
      this.#tracker.current.isUncacheable = true
    const existing = this.#values.get(service)
    if (existing !== undefined) return existing as Value
    const value = service.create(this.#world as never)
    this.#values.set(service, value)
    return value
  }

  /** Returns the states of the persisted services as JSON, by service name. */
  state(): Record<string, unknown> {
    return Object.fromEntries(
      this.#persisted.map((service) => [service.name, this.get(service).state()]),
    )
  }

  restore(state: Readonly<Record<string, unknown>>): void {
    for (const service of this.#persisted) this.get(service).restore(state[service.name] as never)
  }
}
