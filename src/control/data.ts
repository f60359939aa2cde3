import { z } from 'zod'
import { anyTable } from '../engine/store/tables.ts'
import { cut, SandboxError } from '../errors.ts'
import { tableDefinitions, tableNames } from '../world/tables.ts'
import type { TableName } from '../world/tables.ts'
import type { World } from '../world/world.ts'
import { check, show, UnknownError } from './check.ts'

/** Selects records of a table. A filter compares the text of a field with a value. The text of a null or missing field is `null`. */
export const DataQuery = z.lazy(() =>
  z.strictObject({
    limit: z.int().min(0).optional().describe('The most records to return. Default: 100.'),
    offset: z.int().min(0).optional().describe('How many records to skip. Default: 0.'),
    filters: z.record(z.string(), z.string()).readonly().optional().describe('The texts that fields must have, by field.'),
  }),
)
export type DataQuery = z.infer<typeof DataQuery>

/** A page of raw records, and the number of all that match. */
export interface DataPage {
  total: number
  items: readonly object[]
}

/** Counts the records of each table. */
export function countRecords(world: World): Record<TableName, number> {
  return Object.fromEntries(tableNames.map((name) => [name, anyTable(world.db, name).size])) as Record<TableName, number>
}

/** Counts the records that each table holds now. One that follows others and is outdated is not built for that. */
export function countKnown(world: World): Record<TableName, number> {
  return Object.fromEntries(tableNames.map((name) => [name, anyTable(world.db, name).knownSize])) as Record<TableName, number>
}

/** Reads raw records of a table in the order of their ids. @throws {UnknownError} no such table; {SandboxError} no such field. */
export function readTable(world: World, table: string, query: DataQuery): DataPage {
  const { limit = 100, offset = 0, filters = {} } = check(DataQuery, query, { verb: 'read a table' })
  const name = tableNames.find((candidate) => candidate === table)
  if (name === undefined)
    throw new UnknownError(`Failed to read the table ${show(table)}: there is none of that name. There are ${tableNames.join(', ')}.`)
  const fields = Object.keys(tableDefinitions[name].schema.shape)
  const unknown = Object.keys(filters).find((field) => !fields.includes(field))
  if (unknown !== undefined)
    throw new SandboxError(`Failed to read ${name} (${cut(unknown, 80)}): its records have no such field. They have ${fields.join(', ')}.`)
  const records = anyTable(world.db, name)
  const filterEntries = Object.entries(filters)
  if (filterEntries.length === 0) return { total: records.size, items: records.slice(offset, limit) }
  const matching = records.where((record) =>
    filterEntries.every(([field, value]) => toText((record as unknown as Record<string, unknown>)[field]) === value),
  )
  return { total: matching.length, items: matching.slice(offset, offset + limit) }
}

function toText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return String(value ?? null)
}
