import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'
import { getTable } from '../data/tables.ts'
import { foldCase } from '../lib/text.ts'
import { matchesWithTypos, splitIntoLowerWords } from '../lib/typo.ts'
import { describeValue, truncateForMessage, SandboxError } from '../errors.ts'
import { tableDefinitions, tableNames } from '../resources/all-tables.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import { forEachInSlices, sortInSlices } from '../world/work.ts'
import type { Work } from '../world/work.ts'
import { checkInput, NotFoundError } from '../api/check-input.ts'
import { parsePicturePath, publicHost } from '../world/public-files.ts'
import { listReferences } from '../data/references.ts'
import type { Id } from '../data/rows.ts'
import { getTableReferences } from '../resources/references.ts'

/**
 * Selects a table's records. A filter converts a field to a string and compares it with a value.
 * Null and missing fields become `null`.
 */
export const DataQuery = lazyStrictObject(() => ({
  limit: z.int().min(0).optional().describe('Maximum number of records. Default: 100.'),
  offset: z.int().min(0).optional().describe('Number of records to skip. Default: 0.'),
  contains: z
    .string()
    .max(200)
    .optional()
    .describe('Only records that contain this text in any field, ignoring case.'),
  typos: z
    .boolean()
    .optional()
    .describe(
      'true: `contains` selects records with words that begin like its words. One typo is ' +
        'forgiven in a word of four or more letters.',
    ),
  newest: z
    .int()
    .min(0)
    .optional()
    .describe('Only this many records, those with the largest ids. Default: all records.'),
  sort: z
    .string()
    .max(100)
    .optional()
    .describe('The field to sort by. Add `:desc` for descending order. Default: id.'),
  pictures: z.boolean().optional().describe('true: include the URLs of their pictures, by id.'),
  names: z
    .boolean()
    .optional()
    .describe('true: include the names of the records to which they refer.'),
  filters: z
    .record(z.string(), z.string())
    .readonly()
    .optional()
    .describe('Field values to filter by, as strings.'),
}))
export type DataQuery = z.infer<typeof DataQuery>

/** A page of raw records, and the number of all matching records. */
export interface DataPage {
  total: number
  items: readonly object[]
  /**
   * URLs of the records' pictures by id, relative to the control plane. Present only if requested.
   */
  pictures?: Record<string, string>
  /**
   * Names of the records to which these records refer, by field and id, such as `fanId 12`. Present
   * only if requested.
   */
  names?: Record<string, string>
}

/** Counts the records of each table. */
export function countRecords(world: World): Record<TableName, number> {
  return Object.fromEntries(
    tableNames.map((name) => [name, getTable(world.db, name).size]),
  ) as Record<TableName, number>
}

/**
 * Reads raw records of a table, sorted by id.
 *
 * @throws {NotFoundError} if the table is unknown; {SandboxError} if a field is unknown
 */
export function* readTablePage(world: World, table: string, query: DataQuery): Work<DataPage> {
  const page = yield* readPage(world, table, query)
  const name = requireTable(table, 'read')
  return {
    ...page,
    ...(query.pictures === true ? { pictures: findPictures(world, name, page.items) } : {}),
    ...(query.names === true ? { names: findNames(world, name, page.items) } : {}),
  }
}

function findNames(
  world: World,
  table: TableName,
  records: readonly object[],
): Record<string, string> {
  const references = getTableReferences(table)
  return Object.fromEntries(
    records
      .flatMap((record) => listReferences(record, references))
      .flatMap(({ field, tables, id }) =>
        tables.flatMap((name) => {
          const { username, name: own } = (getTable(world.db, name).get(id) ?? {}) as {
            username?: unknown
            name?: unknown
          }
          const found = username ?? own
          return typeof found === 'string' ? [[`${field} ${id}`, found] as const] : []
        }),
      ),
  )
}

function* readPage(world: World, table: string, query: DataQuery): Work<DataPage> {
  const checked = checkInput(DataQuery, query, { verb: 'read a table' })
  const { limit = 100, offset = 0, filters = {}, contains = '' } = checked
  const { typos = false, newest = Infinity, sort } = checked
  const name = requireTable(table, 'read')
  const fields = Object.keys(tableDefinitions[name].schema.shape)
  const unknown = Object.keys(filters).find((field) => !fields.includes(field))
  if (unknown !== undefined)
    throw new SandboxError(
      `Failed to read ${name} (${truncateForMessage(unknown, 80)}): there is no such field. The fields are ` +
        `${fields.join(', ')}.`,
      { field: unknown },
    )
  const records = getTable(world.db, name)
  const filterEntries = Object.entries(filters)
  const [, field = '', direction] = /^(\w+)(?::(asc|desc))?$/.exec(sort ?? '') ?? []
  if (sort !== undefined && !fields.includes(field))
    throw new SandboxError(
      `Failed to sort ${name} (${truncateForMessage(sort, 80)}): it must be one of ${fields.join(', ')}. Add ` +
        ':desc for descending order.',
      { field: 'sort' },
    )
  const isWhole = contains === '' && filterEntries.length === 0 && newest === Infinity
  if (isWhole && sort !== undefined && field === 'id')
    return {
      total: records.size,
      items:
        direction === 'desc'
          ? takeLastRecords(records, offset, limit)
          : records.slice(offset, limit),
    }
  if (isWhole && sort === undefined)
    return { total: records.size, items: records.slice(offset, limit) }
  const part = foldCase(contains)
  const words = splitIntoLowerWords(contains)
  const fieldOf = (record: object, each: string) =>
    (record as Readonly<Record<string, unknown>>)[each]
  const isMatching = (record: object) =>
    filterEntries.every(([each, value]) => toText(fieldOf(record, each)) === value) &&
    (part === '' || (typos ? matchesWithTypos(words, wordsOf(record)) : hasText(record, part)))
  const matching: object[] = []
  yield* forEachInSlices(records.slice(Math.max(0, records.size - newest), newest), (record) => {
    if (isMatching(record)) matching.push(record)
  })
  const sign = direction === 'desc' ? -1 : 1
  const ordered =
    sort === undefined
      ? matching
      : yield* sortInSlices(
          matching,
          (a, b) => sign * compare(fieldOf(a, field), fieldOf(b, field)),
        )
  return { total: matching.length, items: ordered.slice(offset, offset + limit) }
}

/** True if a field of a record, or a value inside it, contains a text in the form of `foldCase`. */
function hasText(value: unknown, part: string): boolean {
  if (value === null || value === undefined) return false
  if (typeof value !== 'object') return foldCase(String(value)).includes(part)
  return Object.values(value).some((inner) => hasText(inner, part))
}

/** Splits a record's text fields into words, for searching. */
function wordsOf(record: object): readonly string[] {
  return Object.values(record).flatMap((value) =>
    typeof value === 'string' ? splitIntoLowerWords(value) : [],
  )
}

function takeLastRecords(
  records: { size: number; slice: (offset: number, limit: number) => readonly object[] },
  offset: number,
  limit: number,
): readonly object[] {
  const end = Math.max(0, records.size - offset)
  const start = Math.max(0, end - limit)
  return end === start ? [] : records.slice(start, end - start).toReversed()
}

/** Compares two numbers by value, and all other values as strings. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [first, second] = [toText(a), toText(b)]
  return first < second ? -1 : Number(first > second)
}

/**
 * Finds a table by its name.
 *
 * @throws {NotFoundError}
 */
export function requireTable(table: string, verb: string): TableName {
  const name = tableNames.find((candidate) => candidate === table)
  if (name !== undefined) return name
  throw new NotFoundError(
    `Failed to ${verb} the table ${describeValue(table)}: it does not exist. The tables are ` +
      `${tableNames.join(', ')}.`,
  )
}

function toText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return String(value ?? null)
}

/**
 * Finds a picture for each record: the record's own picture, or the picture of the first referenced
 * record that has one. The URLs are relative to the control plane, which serves pictures without a
 * token because they are part of this package.
 */
export function findPictures(
  world: World,
  table: TableName,
  records: readonly object[],
): Record<string, string> {
  const found = records.map(
    (record) => [String((record as { id: Id }).id), findPicture(world, table, record)] as const,
  )
  return Object.fromEntries(
    found.flatMap(([id, picture]) => (picture === undefined ? [] : [[id, picture]])),
  )
}

function findPicture(world: World, table: TableName, record: object): string | undefined {
  const own = findOwnPicture(record)
  if (own !== undefined) return own
  const named = listReferences(record, getTableReferences(table)).flatMap(({ tables, id }) =>
    // Skips references to accounts, because almost every record has one.
    tables.includes('accounts')
      ? []
      : tables.flatMap((name) => findOwnPicture(getTable(world.db, name).get(id)) ?? []),
  )
  return named.find((picture) => picture.startsWith('media/')) ?? named[0]
}

function findOwnPicture(record: object | undefined): string | undefined {
  const { asset, avatar } = (record ?? {}) as { asset?: unknown; avatar?: unknown }
  if (typeof asset === 'string') return `media/${encodeURIComponent(asset)}/thumb`
  if (typeof avatar !== 'string' || !avatar.startsWith(`${publicHost}/`)) return undefined
  const user = parsePicturePath(avatar.slice(publicHost.length))
  return user && `files/${user.userId}/avatar_c50.svg`
}
