import { once } from '../lib/lazy-list.ts'
import type { IndexedTable } from './indexed-table.ts'
import type { References } from './references.ts'
import { compareIds } from './rows.ts'
import type { Id } from './rows.ts'
import type { Comparator } from './sorted-list.ts'
import type { IndexDefinition } from './table-index.ts'
import { z } from 'zod'
import { parseIso, toIsoTime } from '../lib/time.ts'

/**
 * A time in a record. Every spelling of an instant is stored as `YYYY-MM-DDTHH:MM:SS.sssZ`, because
 * times are compared as strings.
 */
export const recordTime = z.iso.datetime({ offset: true }).overwrite(toStoredTime)

const storedLength = 'YYYY-MM-DDTHH:MM:SS.sssZ'.length

/** Leaves a time unchanged if it is invalid, or if its year has more than four digits in UTC. */
function toStoredTime(text: string): string {
  if (text.length === storedLength && text.endsWith('Z')) return text
  const time = parseIso(text)
  const stored = Number.isNaN(time) ? text : toIsoTime(time)
  return stored.length === storedLength ? stored : text
}

type RowSchema = z.ZodObject<{ id: z.ZodType<Id> }>

/** The schema of a table's records, and its indexes. */
export interface TableDefinition<Schema extends RowSchema, Name extends string> {
  schema: Schema
  indexes: Record<Name, IndexDefinition<z.output<Schema>>>
  /** Fields that contain ids of records in other tables. */
  references?: References<z.output<Schema>>
  /**
   * Fields with epoch seconds, as an integer or as a string with six decimals. Their values are
   * shifted if the scenario starts at another time.
   */
  epochSeconds?: readonly (keyof z.output<Schema> & string)[]
  /**
   * The id of the first record. It has as many digits as the platform's ids. Tables whose ids could
   * be confused, such as posts and messages, start at different ids.
   */
  firstId?: number
  /**
   * Set if the records are derived from other tables. `rebuilt`: they are not part of snapshots.
   * `stored`: they are part of snapshots, because some of their sources may have been deleted.
   */
  derived?: 'rebuilt' | 'stored'
}

/**
 * Declares a table. TypeScript infers the record type and the names of the indexes. If the schema
 * is a function, it is called on first use.
 */
export function defineTable<Schema extends RowSchema, Name extends string>({
  schema,
  ...definition
}: Omit<TableDefinition<Schema, Name>, 'schema'> & {
  schema: Schema | z.ZodLazy<Schema>
}): TableDefinition<Schema, Name> {
  const toSchema = once(() => (isLazy(schema) ? schema.unwrap() : schema))
  return {
    ...definition,
    get schema() {
      return toSchema()
    },
  }
}

function isLazy<Schema extends RowSchema>(
  schema: Schema | z.ZodLazy<Schema>,
): schema is z.ZodLazy<Schema> {
  return schema.def.type === 'lazy'
}

/** The type of the table that a definition declares. */
export type TableForDefinition<Definition> =
  Definition extends TableDefinition<infer Schema, infer Name>
    ? IndexedTable<z.output<Schema>, Name, z.input<Schema> & { id: Id }>
    : never

/** Orders rows by the first comparator, and rows that it considers equal by the second. */
export function combineComparators<Row>(
  first: Comparator<Row>,
  second: Comparator<Row>,
): Comparator<Row> {
  return (a, b) => first(a, b) || second(a, b)
}

/** Orders rows by a field, smallest value first. Orders equal values by the next field. */
export function compareAscending<Row>(...fields: readonly ((row: Row) => Id)[]): Comparator<Row> {
  return fields
    .map(
      (field): Comparator<Row> =>
        (a, b) =>
          compareIds(field(a), field(b)),
    )
    .reduce(combineComparators)
}

/** Orders rows by a field, largest value first. Orders equal values by the next field. */
export function compareDescending<Row>(...fields: readonly ((row: Row) => Id)[]): Comparator<Row> {
  const ascending = compareAscending(...fields)
  return (a, b) => ascending(b, a)
}
