import type { ClockState } from '../model/clock.ts'
import type { Account, ApiKey, Organisation } from '../model/organisations.ts'
import type { TableName } from '../model/tables.ts'
import type { World } from '../model/world.ts'
import { countRecords } from './data.ts'

/** What a person needs to know of a sandbox to use it. */
export interface SandboxState {
  /** The scenario's name. */
  scenario: string
  seed: number
  clock: ClockState
  organisations: Organisation[]
  keys: Pick<ApiKey, 'key' | 'role' | 'organisation' | 'permissions'>[]
  accounts: Pick<Account, 'id' | 'username' | 'organisation' | 'session' | 'connected'>[]
  /** How many records each table has. */
  counts: Record<TableName, number>
}

/** Reads the state of a world. */
export function readState(world: World, scenario: string): SandboxState {
  const { organisations, apiKeys, accounts } = world.db
  return {
    scenario,
    seed: world.options.seed,
    clock: world.clock.state(),
    organisations: organisations.all().map(({ id, name, limits, credits, isSubscriptionActive }) => ({ id, name, limits, credits, isSubscriptionActive })),
    keys: apiKeys.all().map(({ key, role, organisation, permissions }) => ({ key, role, organisation, permissions })),
    accounts: accounts.all().map(({ id, username, organisation, session, connected }) => ({ id, username, organisation, session, connected })),
    counts: countRecords(world),
  }
}
