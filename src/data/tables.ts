import type { z } from 'zod'
import type { Changes } from './change-log.ts'
import type { TableForDefinition } from './define-table.ts'
import { IndexedTable } from './indexed-table.ts'
import type { AnyReferences, LookUp } from './references.ts'
import type { Id } from './rows.ts'
import type { TableData } from './table-data.ts'

/** The definition of a table with any record type. */
export interface AnyTableDefinition {
  schema: z.ZodObject<{ id: z.ZodType<Id> }>
  indexes: object
  references?: AnyReferences
  epochSeconds?: readonly string[]
  firstId?: number
  derived?: 'rebuilt' | 'stored'
}

/** The definitions of a world's tables, by table name. */
export type TableDefinitions = Readonly<Record<string, AnyTableDefinition>>

/** The tables for the given definitions, by name. */
export type TablesByName<Definitions> = {
  readonly [Name in keyof Definitions]: TableForDefinition<Definitions[Name]>
}

/** A table of any record type. */
export type AnyTable = IndexedTable<{ id: Id }>

/** A snapshot of all tables, by table name. */
export type TablesSnapshot = ReadonlyMap<string, TableData<{ id: Id }>>

/** Creates the empty tables of a world. `complete` fills in missing fields of a record. */
export function createTables<Definitions extends TableDefinitions>(
  definitions: Definitions,
  changes: Changes,
  complete: (table: string, values: Readonly<Record<string, unknown>>) => object,
): TablesByName<Definitions> {
  const tables: Record<string, AnyTable> = {}
  const lookUp: LookUp = (name, id) => tables[name]?.get(id)
  for (const [name, definition] of Object.entries(definitions))
    tables[name] = new IndexedTable(
      name,
      definition as unknown as ConstructorParameters<typeof IndexedTable>[1],
      { changes, lookUp, complete: (values) => complete(name, values) },
    )
  return tables as TablesByName<Definitions>
}

export function listTables(tables: object): AnyTable[] {
  return Object.values(tables as Readonly<Record<string, AnyTable>>)
}

/** Returns a table by its name. The type of its records is unknown. */
export function getTable(tables: object, name: string): AnyTable {
  return (tables as Readonly<Record<string, AnyTable>>)[name] as AnyTable
}

/** Returns the records of a table in a snapshot. */
export function getSnapshotRows<Row>(snapshot: TablesSnapshot, name: string): readonly Row[] {
  return (snapshot.get(name)?.rows.all ?? []) as readonly unknown[] as readonly Row[]
}

/** Counts the records of a snapshot. */
export function countSnapshotRows(snapshot: TablesSnapshot): number {
  let count = 0
  for (const { size } of snapshot.values()) count += size
  return count
}

/** Counts the records of all tables except derived tables. */
export function countTableRows(tables: readonly AnyTable[]): number {
  let count = 0
  for (const table of tables) if (!table.isDerived) count += table.data.size
  return count
}

/** Takes a snapshot of all tables. */
export function snapshotTables(tables: object): TablesSnapshot {
  return new Map(listTables(tables).map((table) => [table.name, table.snapshot()]))
}

/** Restores a snapshot of these tables, or of the same tables in another world. */
export function restoreTables(tables: object, snapshot: TablesSnapshot): void {
  for (const [name, data] of snapshot) getTable(tables, name).restore(data)
}
