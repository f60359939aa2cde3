import { inflateText } from '../lib/base64.ts'
import { importModules } from '../lib/import-modules.ts'
import type { Id } from '../data/rows.ts'
import type { LaterRows } from '../data/table-data.ts'
import { toIsoTime } from '../lib/time.ts'
import { readyRows } from '../generated/ready-rows.ts'
import type { Shape } from '../generated/ready-rows.ts'

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
  tables: ReadonlyMap<string, LaterRows<{ id: Id }>>
  random: readonly number[]
  sequences: Readonly<Record<string, number>>
}

/** The values of one field. Each form is the shortest for some fields. */
export type Column =
  /** One value for most records, and the values of the others by place. */
  | { usual: unknown; at: readonly number[]; others: readonly unknown[] }
  /** The values of an earlier column for most records, and the values of the others by place. */
  | { like: number; at: readonly number[]; others: readonly unknown[] }
  /** Differences of numbers to the number before. With `isText`, the values are strings. */
  | { steps: readonly number[]; isText?: true }
  /** Differences of UTC times to the time before, ms. Null for records without a time. */
  | { times: readonly (number | null)[] }
  /** Places in a list of values. */
  | { values: readonly unknown[]; places: readonly number[] }
  /** Lists of objects: their lengths, and the objects of all lists. */
  | { lengths: readonly number[]; items: PackedRows }
  | { all: readonly unknown[] }

/** Records by column, in groups that have the same fields. */
export interface PackedRows {
  groups: readonly {
    count: number
    /** Place of the function in `shapes` that creates a record from the columns. */
    shape: number
    columns: readonly Column[]
  }[]
  /** The group of each record, if there are several groups. */
  order?: readonly number[]
}

/** The records of a scenario, as written by `npm run generate`. */
export interface PackedScenario {
  random: readonly number[]
  sequences: Readonly<Record<string, number>>
  tables: Readonly<Record<string, PackedRows>>
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
  const { files } = await importModules(ready.load)
  const { random, sequences, tables } = JSON.parse(await inflateText(files.rows)) as PackedScenario
  return {
    random,
    sequences,
    tables: new Map(
      Object.entries(tables).map(([name, packed]) => [
        name,
        {
          count: packed.groups.reduce((sum, { count }) => sum + count, 0),
          create: () => unpackRows(packed, files.shapes) as { id: Id }[],
        },
      ]),
    ),
  }
}

/** Returns the records in their original order. */
export function unpackRows({ groups, order }: PackedRows, shapes: readonly Shape[]): object[] {
  const made = groups.map(({ count, shape, columns }) => {
    const values: (readonly unknown[])[] = []
    for (const column of columns)
      values.push(
        'like' in column
          ? withOthers(values[column.like]?.slice() ?? [], column)
          : unpackColumn(column, count, shapes),
      )
    const create = shapes[shape] as Shape
    return Array.from({ length: count }, (_, index) => create(values, index))
  })
  if (order === undefined) return made.flat()
  const rows = made.map((group) => group.values())
  return order.map((group) => rows[group]?.next().value as object)
}

function unpackColumn(
  column: Exclude<Column, { like: number }>,
  count: number,
  shapes: readonly Shape[],
): readonly unknown[] {
  if ('all' in column) return column.all
  if ('values' in column) return column.places.map((place) => column.values[place])
  if ('usual' in column)
    return withOthers(
      Array.from({ length: count }, () => column.usual),
      column,
    )
  if ('steps' in column) {
    let value = 0
    const numbers = column.steps.map((step) => (value += step))
    return column.isText === true ? numbers.map(String) : numbers
  }
  if ('lengths' in column) {
    const items = unpackRows(column.items, shapes)
    let end = 0
    return column.lengths.map((length) => items.slice(end, (end += length)))
  }
  let time = 0
  return column.times.map((step) => (step === null ? null : toIsoTime((time += step))))
}

function withOthers(
  values: unknown[],
  { at, others }: { at: readonly number[]; others: readonly unknown[] },
): unknown[] {
  for (const [place, index] of at.entries()) values[index] = others[place]
  return values
}
