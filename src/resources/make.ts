import type { FieldsToMake, Factories } from '../world/factory.ts'
import type { DeclaredFactory } from './factories.ts'
import type { Table } from '../data/table.ts'
import type { RecordOf, tableDefinitions, TableName, Tables } from './all-tables.ts'

/** The fields of a record to make: what is left out gets a default. */
export type FieldsOf<Name extends TableName> = FieldsToMake<(typeof tableDefinitions)[Name]>

/** Makes records, a function for each kind: what is left out gets a believable default. */
export type Make = {
  readonly [Factory in DeclaredFactory as Factory['name']]: (
    fields?: FieldsOf<Factory['table']>,
  ) => RecordOf<Factory['table']>
}

/** The tables as people use them: `insert` completes what a record lacks, as `make` does. */
export type OpenTables = {
  readonly [Name in TableName]: Name extends DeclaredFactory['table']
    ? Omit<PublicTable<Tables[Name]>, 'insert'> & {
        /**
         * Adds a record and returns it as stored. What is left out gets a believable default.
         * @throws {SandboxError} when it does not fit the schema, the id is taken or too large, it
         * names a record that is not there, or it lacks a field that only the caller can know.
         */
        insert(fields: FieldsOf<Name>): RecordOf<Name>
      }
    : PublicTable<Tables[Name]>
}

/** The public part of a table. */
type PublicTable<Known> = Known extends Table<infer Row, infer Input> ? Table<Row, Input> : never

/**
 * Makes the functions of `make`. `insert` puts a record with those fields into a table; `name` is
 * what one is called.
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
