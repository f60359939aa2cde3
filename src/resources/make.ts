import { describeValue, runWithTrimmedStack, SandboxError } from '../errors.ts'
import type { Factories } from '../world/factory.ts'
import type { DeclaredFactory } from './factories.ts'
import type { Table } from '../data/table.ts'
import type { RecordOf, TableName, Tables } from './all-tables.ts'
import type { FieldsOf, TraitOptions } from './traits.ts'

/** Fields of a record to make, and its trait. Missing fields get defaults. */
export type MadeFields<Name extends TableName> = FieldsOf<Name> & TraitOptions<Name>

/** Makes records of one kind. */
export interface RecordMaker<Name extends TableName> {
  /** Makes a record. With a trait, also makes the records that belong to it. */
  (fields?: MadeFields<Name>): RecordOf<Name>
  /**
   * Makes several records. If one of them is invalid, makes none.
   *
   * @example
   * const fans = sandbox.make.fan.many(50, (index) => ({ name: `Fan ${index}` }))
   */
  many(
    count: number,
    fields?: MadeFields<Name> | ((index: number) => MadeFields<Name>),
  ): RecordOf<Name>[]
}

/**
 * Functions that create records, one function per kind of record. Missing fields get realistic
 * defaults.
 */
export type Make = {
  readonly [Factory in DeclaredFactory as Factory['name']]: RecordMaker<Factory['table']>
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

/**
 * Creates the functions of `make`. `insert` adds records of the kind `name` to a table, all or
 * none.
 */
export function createRecordMakers(
  { kinds }: Factories,
  insert: (name: string, table: TableName, records: readonly object[]) => object[],
): Make {
  return Object.fromEntries(
    kinds.map(({ name, table }) => {
      const make = (fields: object = {}) =>
        runWithTrimmedStack(make, () => insert(name, table as TableName, [fields])[0])
      const many = (count: number, fields: object | ((index: number) => object) = {}) =>
        runWithTrimmedStack(many, () =>
          insert(name, table as TableName, listFields(name, count, fields)),
        )
      return [name, Object.assign(make, { many })]
    }),
  ) as unknown as Make
}

/** Maximum number of records in a call of `many`. */
const maxRecords = 10_000

function listFields(
  name: string,
  count: number,
  fields: object | ((index: number) => object),
): object[] {
  if (!Number.isInteger(count) || count < 0 || count > maxRecords)
    throw new SandboxError(
      `Failed to make the records (${name}: ${describeValue(count)}): the count must be an integer ` +
        `from 0 to ${maxRecords}.`,
    )
  return Array.from({ length: count }, (_, index) =>
    typeof fields === 'function' ? (fields as (index: number) => object)(index) : fields,
  )
}
