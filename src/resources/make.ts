import type { FieldsToMake, Factories } from '../world/factory.ts'
import type { DeclaredFactory } from './factories.ts'
import type { Table } from '../data/table.ts'
import type { RecordOf, tableDefinitions, TableName, Tables } from './all-tables.ts'

/** Fields of a record to create. Missing fields get defaults. */
export type FieldsOf<Name extends TableName> = FieldsToMake<(typeof tableDefinitions)[Name]>

/**
 * Functions that create records, one function per kind of record. Missing fields get realistic
 * defaults.
 */
export type Make = {
  readonly [Factory in DeclaredFactory as Factory['name']]: (
    fields?: FieldsOf<Factory['table']>,
  ) => RecordOf<Factory['table']>
}

/** The tables in the public API. Like `make`, `insert` fills in missing fields. */
export type OpenTables = {
  readonly [Name in TableName]: Name extends DeclaredFactory['table']
    ? Omit<PublicTable<Tables[Name]>, 'insert'> & {
        /**
         * Adds a record and returns it as stored. Missing fields get realistic defaults. @throws
         * {SandboxError} if the record does not match the schema, its id is taken or too large, it
         * refers to a missing record, or a required field is missing
         */
        insert(fields: FieldsOf<Name>): RecordOf<Name>
      }
    : PublicTable<Tables[Name]>
}

/** The public interface of a table. */
type PublicTable<Known> = Known extends Table<infer Row, infer Input> ? Table<Row, Input> : never

/** Creates the functions of `make`. `insert` adds a record of the kind `name` to a table. */
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
