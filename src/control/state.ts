import type { ClockState } from '../world/clock.ts'
import type { Account, ApiKey, Organisation } from '../world/tenancy/tenancy.table.ts'
import { toIso } from '../lib/time.ts'
import type { VariationChoice } from '../world/variation-choice.ts'
import { variation } from '../api/variation.ts'
import type { ReplayState } from '../scenario/player.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import { countKnown, countRecords } from './data.ts'

/** What a person needs to know about a sandbox to use it. */
export interface SandboxState {
  /** The scenario's name. */
  scenario: string
  seed: number
  /** When its clock started, RFC 3339. The same scenario, seed and start: the same data. */
  start: string
  clock: ClockState
  organisations: Organisation[]
  keys: Pick<ApiKey, 'key' | 'role' | 'organisation' | 'permissions'>[]
  accounts: Pick<Account, 'id' | 'username' | 'organisation' | 'session' | 'connected'>[]
  /** What long work the world is busy with, such as `seeking`; requests to it wait. Null mostly. */
  busy: string | null
  /** How answers vary (docs/variation.md); null where they do not. */
  variation: VariationChoice | null
  /**
   * The names of the routes that overlays changed, added or took away (docs/overlays.md); null
   * without an overlay.
   */
  overlay: readonly string[] | null
  /** The isolated worlds of the sandbox. */
  worlds: WorldCount
  /** The number of records of each table. */
  counts: Record<TableName, number>
}

/**
 * How many isolated worlds there are, how many there may be, and how many were dropped to make room
 * for others.
 */
export interface WorldCount {
  open: number
  most: number
  dropped: number
}

/** What changes as time goes on. */
export interface Pulse {
  /** The scenario's name. */
  scenario: string
  clock: ClockState
  /** What long work the world is busy with, such as `seeking`; null mostly. */
  busy: string | null
  replay: ReplayState
  organisations: (Pick<Organisation, 'id' | 'limits' | 'credits'> & {
    used: { minute: number; day: number }
  })[]
  accounts: Pick<Account, 'id' | 'session' | 'connected'>[]
  /** The number of faults in force. */
  faults: number
  /** How answers vary; null where they do not. */
  variation: VariationChoice | null
  /**
   * Of the file that keeps the world, `failing since …`; absent while it is written, or when there
   * is none.
   */
  state?: string
}

/**
 * Reads the state of a world. `busy` is what it is busy with: then nothing is built for the counts.
 */
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
    start: toIso(world.options.start),
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
    worlds,
    counts: busy === null ? countRecords(world) : countKnown(world),
  }
}

/** Reads the accounts of a world. */
export function readAccounts({ db }: World): SandboxState['accounts'] {
  return db.accounts.all().map(({ id, username, organisation, session, connected }) => ({
    id,
    username,
    organisation,
    session,
    connected,
  }))
}

/** Reads what changes as time goes on. */
export function readPulse(
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
