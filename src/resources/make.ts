import type { FieldsToMake, Factories } from '../world/factory.ts'
import type { DeclaredFactory } from './factories.ts'
import type { Table } from '../data/table.ts'
import type { RecordOf, tableDefinitions, TableName, Tables } from './all-tables.ts'

/** Fields of a record to make. Missing fields get a default. */
export type FieldsOf<Name extends TableName> = FieldsToMake<(typeof tableDefinitions)[Name]>

/** Functions that make records, one per kind. Missing fields get a believable default. */
export type Make = {
  readonly [Factory in DeclaredFactory as Factory['name']]: (
    fields?: FieldsOf<Factory['table']>,
  ) => RecordOf<Factory['table']>
}

/** The tables for users: `insert` completes missing fields, as `make` does. */
export type OpenTables = {
  readonly [Name in TableName]: Name extends DeclaredFactory['table']
    ? Omit<PublicTable<Tables[Name]>, 'insert'> & {
        /**
         * Adds a record and returns it as stored. Missing fields get a believable default.
         * @throws {SandboxError} if it does not match the schema, its id is taken or too large, it
         * references a missing record, or a field without a possible default is missing.
         */
        insert(fields: FieldsOf<Name>): RecordOf<Name>
      }
    : PublicTable<Tables[Name]>
}

/** The public part of a table. */
type PublicTable<Known> = Known extends Table<infer Row, infer Input> ? Table<Row, Input> : never

/**
 * Creates the functions of `make`. `insert` adds a record to a table; `name` is the kind of the
 * record.
 */
export function createMake(
  { kinds }: Factories,
  insert: (name: string, table: TableName, fields: object) => object,
): Make {
  return Object.fromEntries(
    kinds.map(({ name, table }) => [
      name,
      (fields: object = {}) => insert(name, table as TableName, fields),
    ]),
  ) as unknown as Make
}
