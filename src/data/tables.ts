import type { z } from 'zod'
import type { AnyReferences, LookUp } from './references.ts'
import type { Id } from './rows.ts'
import type { Changes } from './table-index.ts'
import { Table } from './table.ts'
import type { TableOf, TableSnapshot } from './table.ts'

/** A definition of a table whose record type does not matter. */
export interface AnyTableDefinition {
  schema: z.ZodObject<{ id: z.ZodType<Id> }>
  indexes: object
  references?: AnyReferences
  containers: readonly string[]
  epochSeconds?: readonly string[]
  firstId?: number
  derived?: 'rebuilt' | 'remembers'
}

/** The definitions of a world's tables, by name. */
export type TableDefinitions = Readonly<Record<string, AnyTableDefinition>>

/** The tables of some definitions, by name. */
export type TablesOf<Definitions> = {
  readonly [Name in keyof Definitions]: TableOf<Definitions[Name]>
}

/** A table whose record type does not matter. */
export type AnyTable = Table<{ id: Id }>

/** A snapshot of all tables. */
export type TablesSnapshot = ReadonlyMap<string, TableSnapshot<{ id: Id }>>

/**
 * Creates the empty tables of a world. `changes` counts the changes of all of them; `complete`
 * fills in what a record lacks.
 */
export function createTables<Definitions extends TableDefinitions>(
  definitions: Definitions,
  changes: Changes,
  complete: (table: string, values: Readonly<Record<string, unknown>>) => object,
): TablesOf<Definitions> {
  const tables: Record<string, AnyTable> = {}
  const lookUp: LookUp = (name, id) => tables[name]?.get(id)
  for (const [name, definition] of Object.entries(definitions))
    tables[name] = new Table(
      name,
      definition as unknown as ConstructorParameters<typeof Table>[1],
      {
        changes,
        lookUp,
        complete: (values) => complete(name, values),
      },
    )
  return tables as TablesOf<Definitions>
}

/** Finds a table by its name, where the record type does not matter. */
export function anyTable(tables: object, name: string): AnyTable {
  return (tables as Readonly<Record<string, AnyTable>>)[name] as AnyTable
}

/** The records of a table in a snapshot. */
export function rowsIn<Row>(snapshot: TablesSnapshot, name: string): readonly Row[] {
  return (snapshot.get(name)?.records.rows ?? []) as readonly unknown[] as readonly Row[]
}

/** Counts the records of a snapshot. Those that are still to be built are not counted. */
export function countRows(snapshot: TablesSnapshot): number {
  let count = 0
  for (const { records } of snapshot.values()) count += records.unsorted.length
  return count
}

/** Counts the rows of all tables but derived ones, which are a small part. */
export function countTableRows(tables: object): number {
  let count = 0
  for (const table of Object.values(tables as Readonly<Record<string, AnyTable>>))
    if (!table.isDerived) count += table.knownSize
  return count
}

/** Takes a snapshot of all tables. It holds pointers to records, not copies. */
export function snapshotTables(tables: object): TablesSnapshot {
  return new Map(
    Object.entries(tables as Readonly<Record<string, AnyTable>>).map(([name, table]) => [
      name,
      table.snapshot(),
    ]),
  )
}

/** Whether to build the indexes of a table may take longer than a request can wait. */
export function hasLargeTable(tables: object): boolean {
  return Object.values(tables as Readonly<Record<string, AnyTable>>).some(({ isLarge }) => isLarge)
}

/** Goes back to a snapshot of these tables, or of the same tables in another world. */
export function restoreTables(tables: object, snapshot: TablesSnapshot): void {
  for (const [name, table] of snapshot) anyTable(tables, name).restore(table)
}
