import type { z } from 'zod'
import type { Id } from './rows.ts'
import type { Changes } from './table-index.ts'
import { Table } from './table.ts'
import type { TableOf, TableSnapshot } from './table.ts'

/** A definition of a table of which the records are not known. */
export interface AnyTableDefinition {
  schema: z.ZodObject<{ id: z.ZodType<Id> }>
  indexes: object
  containers: readonly string[]
  firstId?: number
  derived?: 'rebuilt' | 'remembers'
}

/** The definitions of a world's tables, by name. */
export type TableDefinitions = Readonly<Record<string, AnyTableDefinition>>

/** The tables that definitions make. */
export type TablesOf<Definitions> = { readonly [Name in keyof Definitions]: TableOf<Definitions[Name]> }

/** A table of records of which only the id is known. */
export type AnyTable = Table<{ id: Id }>

/** The state of all tables at one time. */
export type TablesSnapshot = ReadonlyMap<string, TableSnapshot<{ id: Id }>>

/** Makes the empty tables of a world; `changes` counts all that changes in them. */
export function createTables<Definitions extends TableDefinitions>(definitions: Definitions, changes: Changes): TablesOf<Definitions> {
  const tables = Object.entries(definitions).map(([name, definition]) => [
    name,
    new Table(name, definition as unknown as ConstructorParameters<typeof Table>[1], changes),
  ])
  return Object.fromEntries(tables) as TablesOf<Definitions>
}

/** Any table by its name, where the kind of its records does not matter. */
export function anyTable(tables: object, name: string): AnyTable {
  return (tables as Readonly<Record<string, AnyTable>>)[name] as AnyTable
}

/** The records of a table in a snapshot. */
export function rowsIn<Row>(snapshot: TablesSnapshot, name: string): readonly Row[] {
  return (snapshot.get(name)?.rows ?? []) as readonly unknown[] as readonly Row[]
}

/** Keeps the state of all tables: pointers, no copies of records. */
export function snapshotTables(tables: object): TablesSnapshot {
  return new Map(Object.entries(tables as Readonly<Record<string, AnyTable>>).map(([name, table]) => [name, table.snapshot()]))
}

/** Goes back to a snapshot of these tables or of their twins in another world. */
export function restoreTables(tables: object, snapshot: TablesSnapshot): void {
  for (const [name, table] of snapshot) anyTable(tables, name).restore(table)
}
