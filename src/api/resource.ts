import type { z } from 'zod'
import type { Action } from './action.ts'
import type { Due } from '../world/due.ts'
import type { Invariant } from '../world/invariant.ts'
import type { Step } from '../lib/order.ts'
import type { PersistedService } from '../world/service.ts'
import type { Route } from './route.ts'
import type { Sizes } from './sizes.ts'
import type { WorldSnapshot } from '../world/world-state.ts'

/**
 * Values that a sandbox accepts, by the name of the parameter or body field. A value is undefined
 * if the sandbox has none.
 */
export interface Examples {
  address?: Readonly<Record<string, unknown>>
  body?: Readonly<Record<string, unknown>>
}

/** Records to take examples from. */
export interface Samples {
  account: number
  /** Returns the first record of the account with those fields, or an empty record. */
  own: (
    table: string,
    fields?: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>
  /** Returns the first record of any account with those fields. */
  any: (
    table: string,
    fields?: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>
}

/** A group of routes, as the reference names it. */
export interface RouteGroup {
  /** Describes its routes in a sentence. */
  about: string
  /** Examples for its routes only. */
  examples?: (samples: Samples) => Examples
}

/** A kind of effect that falls due by the clock. */
export interface ClockEvent<World> extends Step {
  next: (world: World) => Due | undefined
}

/** Listeners that keep derived records up to date. */
export interface Listeners<World> extends Step {
  attach: (world: World) => void
}

/** Fills some tables with data: for each organisation, then for each account. */
export interface SeedStep<Seeding> extends Step {
  /**
   * Seeds an organisation by its id and its plan from the scenario. It runs before all accounts.
   */
  organisation?: (seeding: Seeding, plan: never) => void
  /** `plan` is the account, its persona, and the sizes that the scenario gives it. */
  account?: (seeding: Seeding, plan: never) => void
}

/** Figures of one bucket of sandbox time, which starts `at`, epoch ms. */
export interface SeriesPoint {
  at: number
  grossCents: number
  netCents: number
  subscribers: number
  requests: number
  refused: number
}

/** Buckets of sandbox time to sum figures in. Epoch ms. */
export interface SeriesFrame {
  points: SeriesPoint[]
  first: number
  width: number
  now: number
}

/** The scope of a figure: some accounts, or one post. */
export interface FigureScope {
  accounts: readonly number[]
  post?: number | undefined
}

/** A figure that a story can watch. */
export interface Figure<World> {
  /** Default name. */
  label: string
  unit: 'count' | 'dollars'
  /** Its value now. */
  read: (world: World, scope: FigureScope) => number
}

/** The declaration of a resource. The lists in `resources/` contain all resources. */
export interface Resource<World = never, Seeding = never> {
  name: string
  /** Its groups of routes. */
  groups?: Readonly<Record<string, RouteGroup>>
  routes?: readonly Route[]
  /**
   * Its modules of schemas of the API. The OpenAPI document contains each PascalCase export by its
   * name.
   */
  schemas?: readonly object[]
  /** Examples for the routes of all groups. */
  examples?: (samples: Samples) => Examples
  actions?: readonly Pick<Action<World, string, z.ZodType>, 'type' | 'summary' | 'schema'>[]
  /** The data sizes that a scenario can set for an account. */
  sizes?: Sizes
  seeds?: readonly SeedStep<Seeding>[]
  /** Completes the hand-written records of a scenario from other records, after all are loaded. */
  completeRecords?: (world: World) => void
  /** Listeners to changes of its records and those of others. */
  listeners?: readonly Listeners<World>[]
  /**
   * Effects of the clock on its records. At equal times the first in the list runs first.
   */
  agenda?: readonly ClockEvent<World>[]
  /** The services whose state snapshots hold. */
  services?: readonly PersistedService[]
  /** Invariants of its records, also in combination with others. */
  invariants?: readonly Invariant<World>[]
  /** Adds its figures of an account to the buckets of a series. */
  series?: (world: World, accountId: number, frame: SeriesFrame) => void
  /** Its figures that a story can watch, by name. */
  figures?: Readonly<Record<string, Figure<World>>>
  /** Replaces the secrets that a world copied from its origin. */
  renewSecrets?: (world: World, origin: WorldSnapshot | undefined) => void
}

/** Creates the function that declares the resources of a world type. */
export function resourcesOver<World, Seeding>() {
  return <const Declared extends Resource<World, Seeding>>(resource: Declared): Declared => resource
}

/** Wraps an id in a list, for fields that take several ids. */
export function toList(id: unknown): unknown[] | undefined {
  return id === undefined ? undefined : [id]
}
