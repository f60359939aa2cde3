import type { FieldsToMake, Factories } from '../world/factory.ts'
import type { DeclaredFactory } from './factories.ts'
import type { Table } from '../data/table.ts'
import type { RecordOf, tableDefinitions, TableName, Tables } from './all-tables.ts'

/** Fields of a record to create. Missing fields get a default. */
export type FieldsOf<Name extends TableName> = FieldsToMake<(typeof tableDefinitions)[Name]>

/** Functions that create records, one per kind. Missing fields get a realistic default. */
export type Make = {
  readonly [Factory in DeclaredFactory as Factory['name']]: (
    fields?: FieldsOf<Factory['table']>,
  ) => RecordOf<Factory['table']>
}

/** The tables as users see them: `insert` fills in missing fields, as `make` does. */
export type OpenTables = {
  readonly [Name in TableName]: Name extends DeclaredFactory['table']
    ? Omit<PublicTable<Tables[Name]>, 'insert'> & {
        /**
         * Adds a record and returns the stored record. Missing fields get a realistic default.
         * @throws {SandboxError} if the record does not match the schema, its id is taken or too
         * large, it refers to a missing record, or a required field is missing
         */
        insert(fields: FieldsOf<Name>): RecordOf<Name>
      }
    : PublicTable<Tables[Name]>
}

/** The public part of a table. */
type PublicTable<Known> = Known extends Table<infer Row, infer Input> ? Table<Row, Input> : never

/**
 * Creates the functions of `make`. `insert` adds a record to a table, and `name` is the kind of
 * record.
 */
export function createRecordMakers(
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
