import type { FieldsToMake } from '../engine/factory.ts'
import { inOrder } from '../engine/order.ts'
import { allResources } from './resources.ts'
import type { resources } from './resources.ts'
import type { RecordOf, tableDefinitions, TableName, Tables } from './tables.ts'

type Declared = Extract<(typeof resources)[number], { factories: readonly unknown[] }>['factories'][number]

/** What completes records that somebody makes by hand, in an order in which each table comes behind those that its records name. */
export const factories = inOrder(allResources.flatMap((resource) => resource.factories ?? []))

/** The fields of a record to make: what is left out gets a default. */
export type FieldsOf<Name extends TableName> = FieldsToMake<(typeof tableDefinitions)[Name]>

/** Makes records, a function for each kind: what is left out gets a believable default. */
export type Make = {
  readonly [Factory in Declared as Factory['name']]: (fields?: FieldsOf<Factory['table']>) => RecordOf<Factory['table']>
}

/** The tables as people use them: `insert` completes what a record lacks, as `make` does. */
export type OpenTables = {
  readonly [Name in TableName]: Name extends Declared['table']
    ? Omit<Tables[Name], 'insert'> & {
        /**
         * Adds a record and returns it as stored. What is left out gets a believable default.
         * @throws {SandboxError} when it does not fit the schema, the id is taken or too large, it names a record that is not there, or it
         * lacks a field that only the caller can know.
         */
        insert(fields: FieldsOf<Name>): RecordOf<Name>
      }
    : Tables[Name]
}

/** Makes the functions of `make`. `insert` puts a record with those fields into a table; `name` is what one is called. */
export function createMake(insert: (name: string, table: TableName, fields: object) => object): Make {
  return Object.fromEntries(
    factories.map(({ name, table }) => [name, (fields: object = {}) => insert(name, table as TableName, fields)]),
  ) as unknown as Make
}
