import { findViolations } from '../world/invariant.ts'
import type { Invariant } from '../world/invariant.ts'
import { findBrokenReference } from '../data/references.ts'
import type { LookUp } from '../data/references.ts'
import { isIdTooLarge, maxId } from '../data/rows.ts'
import type { Id } from '../data/rows.ts'
import { getTable } from '../data/tables.ts'
import type { AnyTableDefinition } from '../data/tables.ts'
import { SandboxError } from '../errors.ts'
import { tableDefinitions, tableNames } from './all-tables.ts'
import type { TableName } from './all-tables.ts'
import type { World } from './world.ts'

/** Returns the references of a table to other tables. */
export function getTableReferences(
  table: TableName,
): NonNullable<AnyTableDefinition['references']> {
  return (tableDefinitions[table] as AnyTableDefinition).references ?? {}
}

/** Checks that references point to existing records. */
export const namesInvariant: Invariant<World> = {
  name: 'records refer only to existing records',
  check: (world) =>
    findViolations(tableNames, (table) =>
      findViolations(getTable(world.db, table).all(), (record) => {
        const wrong = findInvalidReference(world, table, record)
        return wrong === undefined ? [] : [`In ${table} ${wrong.what}, but ${wrong.why}.`]
      }),
    ),
}

/**
 * Checks the ids and references of manually written records, after all tables are loaded.
 * @throws {SandboxError}
 */
export function checkManualRecords(
  world: World,
  table: TableName,
  records: readonly { id: Id }[],
): void {
  const large = records.find(({ id }) => isIdTooLarge(id))
  if (large !== undefined)
    throw new SandboxError(
      `Failed to load the scenario (records.${table} ${large.id}: id): it must be at most ` +
        `${maxId}, because later records get larger ids.`,
    )
  for (const record of records) {
    const wrong = findInvalidReference(world, table, record)
    if (wrong !== undefined)
      throw new SandboxError(
        `Failed to load the scenario (records.${table} ${wrong.what}): ${wrong.why}. Add the ` +
          `record or change the id.`,
      )
  }
}

/**
 * Completes and inserts a manually written record. `index` is its position in the scenario.
 * @throws {SandboxError}
 */
export function insertManualRecord(
  world: World,
  { table, index, record }: { table: TableName; index: number; record: object },
): void {
  try {
    getTable(world.db, table).insert(record as { id: Id })
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    throw new SandboxError(
      `Failed to load the scenario (records.${table}.${index}): ${error.message}`,
      { cause: error },
    )
  }
}

/** Returns the first invalid reference of a record. Undefined if all references are valid. */
function findInvalidReference(world: World, table: TableName, record: { id: Id }) {
  const lookUp: LookUp = (name, id) => getTable(world.db, name).get(id)
  return findBrokenReference(record, getTableReferences(table), { lookUp })
}
