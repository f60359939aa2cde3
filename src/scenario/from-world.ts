import { getTable } from '../data/tables.ts'
import type { Organisation } from '../world/tenancy/tenancy.table.ts'
import { derivedTables, tableNames } from '../resources/all-tables.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import type { Work } from '../world/work.ts'
import type { Scenario } from './schema.ts'
import { escapingTexts } from './texts.ts'

/** Tables whose rows are written as organisations of the scenario, not as records. */
const organisationTables: readonly TableName[] = ['organisations', 'apiKeys']

/** Descriptions of the state that a scenario cannot contain, for messages to the user. */
export const leftOutOfScenario = [
  'the API keys: each role gets a new one',
  'the rest of the story',
  'active faults, used rate windows, and the variation of responses',
  'the journal, the log of actions, and the captions',
] as const

/**
 * Converts a world to a scenario that starts at the current time of the world, with its
 * organisations, accounts and records. `leftOutOfScenario` lists the omitted state. Reads the
 * world in the first unit of work.
 */
export function* convertWorldToScenario(
  world: World,
  { name, source, personas }: { name: string; source: string; personas: Scenario['personas'] },
): Work<Record<string, unknown>> {
  const { db, options, clock } = world
  const now = clock.iso()
  const kept = tableNames.filter(
    (table) => !derivedTables.includes(table) && !organisationTables.includes(table),
  )
  const records = Object.fromEntries(
    kept
      .map((table) => [table, getTable(db, table).all()] as const)
      .filter(([, rows]) => rows.length > 0),
  )
  const organisations = db.organisations
    .all()
    .map((organisation) => toOrganisation(world, organisation))
  return yield* escapingTexts({
    name,
    title: 'A saved world',
    description: `Saved from the scenario ${source} at ${now}.`,
    seed: options.seed,
    now,
    transcodingSeconds: options.transcodingMs / 1000,
    personas,
    organisations,
    records,
  })
}

function toOrganisation(
  { db }: World,
  { id, name, limits, credits, isSubscriptionActive }: Organisation,
): Record<string, unknown> & { accounts: readonly object[] } {
  const keys = db.apiKeys.where(({ organisation }) => organisation === id)
  const accounts = db.accounts.where(({ organisation }) => organisation === id)
  return {
    name,
    limits,
    credits,
    isSubscriptionActive,
    roles: Object.fromEntries(keys.map(({ role, permissions }) => [role, permissions])),
    // Lists only these fields here. The account's record contains the others.
    accounts: accounts.map(({ id: account, username, name: shown, persona }) => ({
      id: account,
      username,
      name: shown,
      persona,
    })),
  }
}
