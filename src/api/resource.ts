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
 * What can be sent to a sandbox as it is, by the name of the parameter or of the body's field;
 * undefined is what the sandbox lacks.
 */
export interface Examples {
  address?: Readonly<Record<string, unknown>>
  body?: Readonly<Record<string, unknown>>
}

/** Where examples are found: the records of one account, or of all. */
export interface Samples {
  account: number
  /** The first record of the account with those fields; one without any where there is none. */
  own: (
    table: string,
    fields?: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>
  /** The first record of all with those fields. */
  any: (
    table: string,
    fields?: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>
}

/** A group of routes, as the reference names it. */
export interface RouteGroup {
  /** What its routes are about, in a sentence. */
  about: string
  /** Examples for its routes alone. */
  examples?: (samples: Samples) => Examples
}

/** What falls due by the clock: the first of its kind that is to come. */
export interface ClockEvent<World> extends Step {
  next: (world: World) => Due | undefined
}

/** Listeners that keep derived records up to date with the records that they come from. */
export interface Listeners<World> extends Step {
  attach: (world: World) => void
}

/** Fills some tables with data: for each organisation, then for each account. */
export interface SeedStep<Seeding> extends Step {
  /**
   * Told the id of an organisation and what the scenario says of it. It comes before all accounts.
   */
  organisation?: (seeding: Seeding, plan: never) => void
  /** `plan` is the account, its persona, and the sizes that the scenario gives it. */
  account?: (seeding: Seeding, plan: never) => void
}

/** What happened in one piece of sandbox time, which begins `at`, epoch ms. */
export interface SeriesPoint {
  at: number
  grossCents: number
  netCents: number
  subscribers: number
  requests: number
  refused: number
}

/** Pieces of sandbox time to sum figures in. Epoch ms. */
export interface SeriesFrame {
  points: SeriesPoint[]
  first: number
  width: number
  now: number
}

/** What a figure counts over: those accounts, or one post. */
export interface FigureScope {
  accounts: readonly number[]
  post?: number | undefined
}

/** A figure that a story can be about. */
export interface Figure<World> {
  /** What it is called where a scenario gives it no name. */
  label: string
  unit: 'count' | 'dollars'
  /** Its value now. */
  read: (world: World, scope: FigureScope) => number
}

/**
 * All that one resource brings: adding one is its folder, and its place in the lists of `world/`.
 */
export interface Resource<World = never, Seeding = never> {
  name: string
  /** The groups of routes that it stands for. */
  groups?: Readonly<Record<string, RouteGroup>>
  routes?: readonly Route[]
  /**
   * Its modules of wire shapes: what they export under a PascalCase name stands in the OpenAPI
   * document under it.
   */
  schemas?: readonly object[]
  /** Examples for the routes of all groups. */
  examples?: (samples: Samples) => Examples
  actions?: readonly Pick<Action<World, string, z.ZodType>, 'type' | 'summary' | 'schema'>[]
  /** What a scenario can ask of it for an account. */
  sizes?: Sizes
  seeds?: readonly SeedStep<Seeding>[]
  /**
   * Completes records by hand with what follows from others: it comes after the seeded records are
   * loaded, where a scenario has any.
   */
  completeRecords?: (world: World) => void
  /** Listeners to changes of its records and those of others. */
  listeners?: readonly Listeners<World>[]
  /**
   * What its records do by themselves as the clock moves on. At equal times the upper one goes
   * first.
   */
  agenda?: readonly ClockEvent<World>[]
  /** The services whose state snapshots hold. */
  services?: readonly PersistedService[]
  /** What always holds of its records, and of what they say together with others. */
  invariants?: readonly Invariant<World>[]
  /** Adds its figures of an account to pieces of time. */
  series?: (world: World, accountId: number, frame: SeriesFrame) => void
  /** Its figures that a story can be about, by name. */
  figures?: Readonly<Record<string, Figure<World>>>
  /** Gives a world secrets of its own in place of those of the world that it was made from. */
  renewSecrets?: (world: World, origin: WorldSnapshot | undefined) => void
}

/** Makes the function that declares the resources of that world. */
export function resourcesOver<World, Seeding>() {
  return <const Declared extends Resource<World, Seeding>>(resource: Declared): Declared => resource
}

/** A list with that id, for fields that take several; undefined where there is none. */
export function toList(id: unknown): unknown[] | undefined {
  return id === undefined ? undefined : [id]
}
