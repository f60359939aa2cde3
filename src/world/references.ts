import type { Invariant } from '../engine/invariant.ts'
import { findWrongName } from '../engine/store/references.ts'
import type { LookUp } from '../engine/store/references.ts'
import { isTooLarge, largestId } from '../engine/store/rows.ts'
import type { Id } from '../engine/store/rows.ts'
import { anyTable } from '../engine/store/tables.ts'
import type { AnyTableDefinition } from '../engine/store/tables.ts'
import { SandboxError } from '../errors.ts'
import { tableDefinitions, tableNames } from './tables.ts'
import type { TableName } from './tables.ts'
import type { World } from './world.ts'

/** What the records of a table name in other tables. */
export function referencesOf(table: TableName): NonNullable<AnyTableDefinition['references']> {
  return (tableDefinitions[table] as AnyTableDefinition).references ?? {}
}

/** What always holds of what records name in other tables. */
export const namesInvariant: Invariant<World> = {
  name: 'the records that a record names are there',
  *check(world) {
    for (const table of tableNames) {
      for (const { what, why } of wrongNames(world, table, anyTable(world.db, table).all()))
        yield `In ${table} ${what}, but ${why}.`
    }
  },
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
        `ids, so it must be at most ${largestId}.`,
    )
  for (const { what, why } of wrongNames(world, table, records))
    throw new SandboxError(
      `Failed to load the scenario (records.${table} ${what}): ${why}. Add that record, or name ` +
        `another.`,
    )
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

function* wrongNames(world: World, table: TableName, records: readonly { id: Id }[]) {
  const { references }: AnyTableDefinition = tableDefinitions[table]
  if (references === undefined) return
  const lookUp: LookUp = (name, id) => anyTable(world.db, name).get(id)
  for (const record of records) {
    const wrong = findWrongName(record, references, { lookUp })
    if (wrong !== undefined) yield wrong
  }
}
