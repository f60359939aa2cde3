import { findBroken } from '../world/invariant.ts'
import type { Invariant } from '../world/invariant.ts'
import { findBrokenReference } from '../data/references.ts'
import type { LookUp } from '../data/references.ts'
import { isTooLarge, maxId } from '../data/rows.ts'
import type { Id } from '../data/rows.ts'
import { anyTable } from '../data/tables.ts'
import type { AnyTableDefinition } from '../data/tables.ts'
import { SandboxError } from '../errors.ts'
import { tableDefinitions, tableNames } from './all-tables.ts'
import type { TableName } from './all-tables.ts'
import type { World } from './world.ts'

/** What the records of a table name in other tables. */
export function referencesOf(table: TableName): NonNullable<AnyTableDefinition['references']> {
  return (tableDefinitions[table] as AnyTableDefinition).references ?? {}
}

/** What always holds of what records name in other tables. */
export const namesInvariant: Invariant<World> = {
  name: 'the records that a record names are there',
  check: (world) =>
    findBroken(tableNames, (table) =>
      findBroken(anyTable(world.db, table).all(), (record) => {
        const wrong = wrongNameOf(world, table, record)
        return wrong === undefined ? [] : [`In ${table} ${wrong.what}, but ${wrong.why}.`]
      }),
    ),
}

/**
 * Checks the ids of records by hand, and what they name, once the records of all tables are there.
 * @throws {SandboxError}
 */
export function checkHandmade(
  world: World,
  table: TableName,
  records: readonly { id: Id }[],
): void {
  const large = records.find(({ id }) => isTooLarge(id))
  if (large !== undefined)
    throw new SandboxError(
      `Failed to load the scenario (records.${table} ${large.id}: id): later records get larger ` +
        `ids, so it must be at most ${maxId}.`,
    )
  for (const record of records) {
    const wrong = wrongNameOf(world, table, record)
    if (wrong !== undefined)
      throw new SandboxError(
        `Failed to load the scenario (records.${table} ${wrong.what}): ${wrong.why}. Add that ` +
          `record, or name another.`,
      )
  }
}

/**
 * Makes a record by hand that lacks something. `index` is its place in the scenario. @throws
 * {SandboxError}
 */
export function insertHandmade(
  world: World,
  { table, index, record }: { table: TableName; index: number; record: object },
): void {
  try {
    anyTable(world.db, table).insert(record as { id: Id })
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    throw new SandboxError(
      `Failed to load the scenario (records.${table}.${index}): ${error.message}`,
      { cause: error },
    )
  }
}

/** The first wrong id that a record names; undefined when there is none. */
function wrongNameOf(world: World, table: TableName, record: { id: Id }) {
  const lookUp: LookUp = (name, id) => anyTable(world.db, name).get(id)
  return findBrokenReference(record, referencesOf(table), { lookUp })
}
