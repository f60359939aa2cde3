import { getTable } from '../data/tables.ts'
import type { Organisation } from '../world/tenancy/tenancy.table.ts'
import { derivedTables, tableDefinitions, tableNames } from '../resources/all-tables.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import { forEachInSlices } from '../world/work.ts'
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
  const tables = kept
    .map((table) => [table, getTable(db, table).all()] as const)
    .filter(([, rows]) => rows.length > 0)
  const organisations = db.organisations
    .all()
    .map((organisation) => toOrganisation(world, organisation))
  const records: Record<string, readonly object[]> = {}
  for (const [table, rows] of tables) records[table] = yield* orderFields(table, rows)
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

/** Orders the fields as in a loaded scenario, so that a saved world is the same bytes each time. */
function* orderFields(table: TableName, rows: readonly object[]): Work<readonly object[]> {
  const fields = Object.keys(tableDefinitions[table].schema.shape)
  const ordered: object[] = []
  yield* forEachInSlices(rows, (row) => {
    const values = row as Readonly<Record<string, unknown>>
    const written: Record<string, unknown> = {}
    for (const field of fields) if (field in values) written[field] = values[field]
    ordered.push(written)
  })
  return ordered
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
