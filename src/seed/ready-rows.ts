import type { Id } from '../data/rows.ts'
import { toIsoTime } from '../lib/time.ts'
import { readyRows } from '../generated/ready-rows.ts'

/** Everything that determines the seeded records of a shipped scenario. */
export interface SeedChoice {
  /** Name of a shipped scenario, or any other scenario as a whole. */
  source: string | object
  seed: number
  /** Start of the clock, epoch ms. */
  start: number
  transcodingMs: number
  /** Sizes from the options of the sandbox. */
  data: object | undefined
}

/** The records of a seeded world by table, and the state of its ids and random numbers. */
export interface SeededRows {
  tables: ReadonlyMap<string, readonly { id: Id }[]>
  random: readonly number[]
  sequences: Readonly<Record<string, number>>
}

/** The values of one field. Each form is the shortest for some fields. */
export type Column =
  /** One value for most records, and the values of the others by place. */
  | { usual: unknown; at: readonly number[]; others: readonly unknown[] }
  /** Differences of numbers to the number before. With `isText`, the values are strings. */
  | { steps: readonly number[]; isText?: true }
  /** Differences of UTC times to the time before, ms. Null for records without a time. */
  | { times: readonly (number | null)[] }
  /** Places in a list of values. */
  | { values: readonly unknown[]; places: readonly number[] }
  /** Lists of objects with the same fields: their lengths, and the objects of all lists. */
  | { lengths: readonly number[]; items: PackedRows }
  | { all: readonly unknown[] }

/** The records of a table with the same fields, by column. */
export interface PackedRows {
  count: number
  fields: readonly string[]
  columns: readonly Column[]
}

/** The records of a scenario, as written by `npm run generate`. */
export interface PackedScenario {
  random: readonly number[]
  sequences: Readonly<Record<string, number>>
  /** Records by table, in groups that have the same fields. */
  tables: Readonly<Record<string, readonly PackedRows[]>>
}

/**
 * Loads the records that were generated in advance. Undefined if the scenario, its seed, start or
 * sizes are not the shipped ones. Reading these records takes a fraction of the time of seeding.
 */
export async function loadReadyRows(choice: SeedChoice): Promise<SeededRows | undefined> {
  const { source, seed, start, transcodingMs, data } = choice
  const ready = readyRows.find(({ name }) => name === source)
  if (ready === undefined || data !== undefined) return undefined
  if (ready.seed !== seed || ready.start !== start || ready.transcodingMs !== transcodingMs)
    return undefined
  const { files } = await ready.load()
  const { random, sequences, tables } = JSON.parse(files.rows) as PackedScenario
  return {
    random,
    sequences,
    tables: new Map(
      Object.entries(tables).map(([name, groups]) => [name, groups.flatMap(unpackRows)]),
    ),
  }
}

/** Returns the records of a group, with their fields in the original order. */
export function unpackRows({ count, fields, columns }: PackedRows): { id: Id }[] {
  // Copies of a whole record are much faster than records that grow field by field.
  const template: Record<string, unknown> = {}
  for (const [place, column] of columns.entries())
    template[fields[place] ?? ''] = 'usual' in column ? column.usual : null
  const rows = Array.from({ length: count }, () => ({ ...template }))
  for (const [place, column] of columns.entries()) {
    const field = fields[place] ?? ''
    const set = (index: number, value: unknown) => {
      const row = rows[index]
      if (row !== undefined) row[field] = value
    }
    fillColumn(column, set, count)
  }
  return rows as unknown as { id: Id }[]
}

function fillColumn(
  column: Column,
  set: (index: number, value: unknown) => void,
  count: number,
): void {
  if ('usual' in column)
    for (const [place, index] of column.at.entries()) set(index, column.others[place])
  else if ('all' in column)
    for (let index = 0; index < count; index += 1) set(index, column.all[index])
  else if ('values' in column)
    for (let index = 0; index < count; index += 1)
      set(index, column.values[column.places[index] ?? 0])
  else if ('steps' in column) {
    let value = 0
    for (let index = 0; index < count; index += 1) {
      value += column.steps[index] ?? 0
      set(index, column.isText === true ? String(value) : value)
    }
  } else if ('lengths' in column) {
    const items = unpackRows(column.items)
    let place = 0
    for (const [index, length] of column.lengths.entries())
      set(index, items.slice(place, (place += length)))
  } else {
    let time = 0
    for (const [index, step] of column.times.entries())
      if (step !== null) set(index, toIsoTime((time += step)))
  }
}
