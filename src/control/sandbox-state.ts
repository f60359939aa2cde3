import type { ClockState } from '../world/clock.ts'
import type { Account, ApiKey, Organisation } from '../world/tenancy/tenancy.table.ts'
import { toIsoTime } from '../lib/time.ts'
import type { VariationChoice } from '../world/variation-choice.ts'
import { variation } from '../api/variation-service.ts'
import type { Role } from '../generated/inputs.ts'
import type { ReplayState } from '../scenario/player.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import { countRecords } from './table-page.ts'

/** API keys by role. Undefined for roles that do not exist in the scenario. */
export type Keys = Readonly<Record<string, string>> & { readonly owner: string } & {
  readonly [Name in Exclude<Role, 'owner'>]?: string
}

/** The accounts of a scenario. Every shipped scenario has at least one. */
export type Accounts<Row> = readonly [Row, ...Row[]]

/** The state of a sandbox, for display. */
export interface SandboxState {
  /** Name of the scenario. */
  scenario: string
  seed: number
  /** Start time of the clock, RFC 3339. The scenario, the seed and this time determine the data. */
  start: string
  clock: ClockState
  organisations: Organisation[]
  keys: Pick<ApiKey, 'key' | 'role' | 'organisation' | 'permissions'>[]
  accounts: Pick<Account, 'id' | 'username' | 'organisation' | 'session' | 'connected'>[]
  /** The long operation in progress, such as `seeking`, or null. Requests wait until it ends. */
  busy: string | null
  /** Current variation of responses (docs/variation.md), or null if responses are not varied. */
  variation: VariationChoice | null
  /**
   * Names of the routes that overlays changed, added or removed (docs/verify.md), or null if
   * there is no overlay.
   */
  overlay: readonly string[] | null
  /** Number of all requests since the journal was cleared, and how many of them it still stores. */
  requests: { total: number; kept: number }
  /** Number of isolated worlds. */
  worlds: WorldCount
  /** Number of records in each table. */
  counts: Record<TableName, number>
}

/**
 * Number of isolated worlds in memory, their maximum number, and the number of worlds dropped to
 * free memory.
 */
export interface WorldCount {
  open: number
  most: number
  dropped: number
}

/** The part of the world's state that changes over time. */
export interface Pulse {
  /** Name of the scenario. */
  scenario: string
  clock: ClockState
  /** The long operation in progress, such as `seeking`, or null. */
  busy: string | null
  replay: ReplayState
  organisations: (Pick<Organisation, 'id' | 'limits' | 'credits'> & {
    used: { minute: number; day: number }
  })[]
  accounts: Pick<Account, 'id' | 'session' | 'connected'>[]
  /** Number of active faults. */
  faults: number
  /** Current variation of responses, or null if responses are not varied. */
  variation: VariationChoice | null
  /**
   * Number of isolated worlds in memory, and number of their requests. Set only for the main world.
   */
  worlds?: { open: number; requests: number }
  /** Set to `failing since …` while worlds cannot be saved. */
  state?: string
}

/** Returns the state of a world. */
export function readState(
  world: World,
  {
    scenario,
    busy,
    overlay,
    worlds,
  }: Pick<SandboxState, 'scenario' | 'busy' | 'overlay' | 'worlds'>,
): SandboxState {
  const { organisations, apiKeys } = world.db
  return {
    scenario,
    seed: world.options.seed,
    start: toIsoTime(world.options.start),
    clock: world.clock.state(),
    organisations: organisations
      .all()
      .map(({ id, name, limits, credits, isSubscriptionActive }) => ({
        id,
        name,
        limits,
        credits,
        isSubscriptionActive,
      })),
    keys: apiKeys.all().map(({ key, role, organisation, permissions }) => ({
      key,
      role,
      organisation,
      permissions,
    })),
    accounts: readAccounts(world),
    busy,
    variation: world.service(variation).choice,
    overlay,
    requests: { total: world.journal.lastId, kept: world.journal.size },
    worlds,
    counts: countRecords(world),
  }
}

export function readAccounts({ db }: World): SandboxState['accounts'] {
  return db.accounts.all().map(({ id, username, organisation, session, connected }) => ({
    id,
    username,
    organisation,
    session,
    connected,
  }))
}

/** Returns the part of the world's state that changes over time. */
export function readChangingState(
  world: World,
  scenario: string,
  replay: ReplayState,
): Omit<Pulse, 'busy'> {
  const { organisations, accounts } = world.db
  const now = world.clock.now()
  const { state } = world.options.conditions ?? {}
  return {
    scenario,
    clock: world.clock.state(),
    replay,
    organisations: organisations.all().map((organisation) => {
      const { remaining_minute, remaining_day } = world.limits.remaining(organisation, now)
      const { id, limits, credits } = organisation
      return {
        id,
        limits,
        credits,
        used: { minute: limits.minute - remaining_minute, day: limits.day - remaining_day },
      }
    }),
    accounts: accounts.all().map(({ id, session, connected }) => ({ id, session, connected })),
    faults: world.faults.list().length,
    variation: world.service(variation).choice,
    ...(state === undefined ? {} : { state }),
  }
}
