import { jsonSize } from '../lib/json-size.ts'
import { anyTable } from '../data/tables.ts'
import type { Organisation } from '../world/tenancy/tenancy.table.ts'
import { SandboxError } from '../errors.ts'
import { derivedTables, tableNames } from '../resources/all-tables.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import type { Scenario } from './schema.ts'

/**
 * The most characters of the records of a scenario that is made of a world: a file of more is no
 * file to read.
 */
const maxCharacters = 64 * 1024 * 1024
/** Said by the organisations of the scenario. */
const organisational: readonly TableName[] = ['organisations', 'apiKeys']

/** What a scenario cannot say of a world, for people. */
export const leftOutOfPresent = [
  'the API keys themselves: each role gets its own again',
  'the rest of the story',
  'faults in force, what of the rate windows is used, and how answers vary',
  'the journal, what happened so far, and the captions',
] as const

/**
 * Makes a scenario of a world: one that starts at its present time, with its organisations,
 * accounts and records. `leftOutOfPresent` lists the rest.
 *
 * @throws {SandboxError} when the world is too large for a file.
 */
export function toPresentScenario(
  world: World,
  { name, source, personas }: { name: string; source: string; personas: Scenario['personas'] },
): Record<string, unknown> {
  const { db, options, clock } = world
  const now = clock.iso()
  const kept = tableNames.filter(
    (table) => !derivedTables.includes(table) && !organisational.includes(table),
  )
  const records = Object.fromEntries(
    kept
      .map((table) => [table, anyTable(db, table).all()] as const)
      .filter(([, rows]) => rows.length > 0),
  )
  const organisations = db.organisations
    .all()
    .map((organisation) => toOrganisation(world, organisation))
  let size = 0
  for (const rows of Object.values(records))
    for (const row of rows) {
      size += jsonSize(row)
      if (size > maxCharacters)
        throw new SandboxError(
          `Failed to make a scenario of the world: its records have more than ${maxCharacters} ` +
            `characters. Take a snapshot instead.`,
        )
    }
  return {
    name,
    title: 'A world as it was',
    description: `Made of the scenario ${source} at ${now}.`,
    seed: options.seed,
    now,
    transcodingSeconds: options.transcodingMs / 1000,
    personas,
    organisations,
    records,
  }
}

function toOrganisation(
  { db }: World,
  { id, name, limits, credits, isSubscriptionActive }: Organisation,
): Record<string, unknown> {
  const keys = db.apiKeys.where(({ organisation }) => organisation === id)
  const accounts = db.accounts.where(({ organisation }) => organisation === id)
  return {
    name,
    limits,
    credits,
    isSubscriptionActive,
    roles: Object.fromEntries(keys.map(({ role, permissions }) => [role, permissions])),
    // The rest of an account stands in its record.
    accounts: accounts.map(({ id: account, username, name: shown, persona }) => ({
      id: account,
      username,
      name: shown,
      persona,
    })),
  }
}
