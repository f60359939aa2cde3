import type { z } from 'zod'
import type { Action } from './action.ts'
import type { Invariant } from '../world/invariant.ts'
import type { PersistedService } from '../world/service.ts'
import type { Route } from './route.ts'
import type { Sizes } from './sizes.ts'
import type { WorldSnapshot } from '../world/world-state.ts'

/**
 * Valid example values, by name of the parameter or body field. Undefined if the sandbox has no
 * valid value.
 */
export interface Examples {
  address?: Readonly<Record<string, unknown>>
  body?: Readonly<Record<string, unknown>>
}

/** Finds records that examples can refer to. */
export interface Samples {
  account: number
  /** Returns the account's first record with these field values, or an empty record. */
  own: (
    table: string,
    fields?: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>
  /** Returns the first record of any account with these field values. */
  any: (
    table: string,
    fields?: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>
}

/** A group of routes in the reference. */
export interface RouteGroup {
  /** Description of the group, one sentence. */
  about: string
  /** Example values that only this group's routes use. */
  examples?: (samples: Samples) => Examples
}

/** The values of a time bucket. `at` is the start of the bucket, epoch ms. */
export interface SeriesPoint {
  at: number
  grossCents: number
  netCents: number
  subscribers: number
  requests: number
  refused: number
}

/** Time buckets of a series, epoch ms. */
export interface SeriesFrame {
  points: SeriesPoint[]
  first: number
  width: number
  now: number
}

/** Scope of a figure: all accounts, one account, one post, or one link. */
export interface FigureScope {
  accounts: readonly number[]
  post?: number | undefined
  /** Name of the link on the platform. */
  link?: string | undefined
  /** Window of the payments to count, epoch ms. `until` is exclusive. */
  from?: number | undefined
  until?: number | undefined
}

/** A figure, such as a number of fans, that a story can watch. */
export interface Figure<World> {
  /** Default label. */
  label: string
  unit: 'count' | 'dollars'
  /** Returns the current value. */
  read: (world: World, scope: FigureScope) => number
  /** Returns the current name of what is measured, to compare it with others of its kind. */
  subject?: (world: World, scope: FigureScope) => string
}

/**
 * Declaration of a resource. The lists in `resources/` combine the declarations of all resources.
 */
export interface Resource<World = never> {
  name: string
  /** Route groups. */
  groups?: Readonly<Record<string, RouteGroup>>
  routes?: readonly Route[]
  /**
   * Modules that export API schemas. Each PascalCase export appears in the OpenAPI document under
   * its own name.
   */
  schemas?: readonly object[]
  /** Example values for all routes of the resource. */
  examples?: (samples: Samples) => Examples
  actions?: readonly Pick<Action<World, string, z.ZodType>, 'type' | 'summary' | 'schema'>[]
  /** Data sizes that a scenario can set for an account. */
  sizes?: Sizes
  /**
   * Fills in missing fields of manually written records from other records. Runs after all records
   * are loaded.
   */
  completeRecords?: (world: World) => void
  /** Services whose state is stored in snapshots. */
  services?: readonly PersistedService[]
  /** Invariants of the resource's records. */
  invariants?: readonly Invariant<World>[]
  /** Adds an account's values to a time series. */
  series?: (world: World, accountId: number, frame: SeriesFrame) => void
  /** Measured figures that a story can watch, by name. */
  figures?: Readonly<Record<string, Figure<World>>>
  /** Replaces the secrets in a world that was copied from another world. */
  renewSecrets?: (world: World, origin: WorldSnapshot | undefined) => void
}

/** Creates the function that declares resources for a type of world. */
export function createResourceDefiner<World>() {
  return <const Declared extends Resource<World>>(resource: Declared): Declared => resource
}

/** Wraps a single id in a list, for fields that accept several ids. */
export function toIdList(id: unknown): unknown[] | undefined {
  return id === undefined ? undefined : [id]
}
