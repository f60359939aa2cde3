import type { Random } from './random.ts'
import type { Id } from '../data/rows.ts'
import { getTable } from '../data/tables.ts'

/** The largest id of each table that has created ids. */
export type LargestIds = Readonly<Record<string, number>>

/** In a table without numeric ids, new ids start after this number. */
const firstId = 1000

/**
 * Creates unique ids. Each id is larger than all previous ids of the table, with a realistic gap.
 */
export class Sequences {
  readonly #tables: object
  readonly #random: Random
  #largest: Record<string, number> = {}

  constructor(tables: object, random: Random) {
    this.#tables = tables
    this.#random = random
    for (const name of Object.keys(tables))
      getTable(tables, name).onChange((before, after) => {
        if (before === undefined && after !== undefined) this.#raiseTo(name, after.id)
      })
  }

  /**
   * Creates an id. `random` determines the gap to the previous id.
   * @default the random source of the world
   */
  next(name: string, random: Random = this.#random): number {
    const id = this.largest(name) + random.integer(1, 60)
    this.#largest[name] = id
    return id
  }

  /** Returns the largest id of a table so far. */
  largest(name: string): number {
    return this.#largest[name] ?? findMaxId(getTable(this.#tables, name).all())
  }

  /** Returns the largest ids so far, by table. */
  state(): LargestIds {
    return { ...this.#largest }
  }

  restore(largest: LargestIds): void {
    this.#largest = { ...largest }
  }

  /** Updates the largest ids after records are loaded. */
  raiseLargestIds(): void {
    for (const name of Object.keys(this.#tables)) {
      const largest = this.#largest[name]
      if (largest !== undefined)
        this.#largest[name] = Math.max(largest, findMaxId(getTable(this.#tables, name).all()))
    }
  }

  /** Updates the largest id after a record is inserted. */
  #raiseTo(name: string, id: Id): void {
    const largest = this.#largest[name]
    if (largest !== undefined && isNumber(id) && Number(id) > largest)
      this.#largest[name] = Number(id)
  }
}

/**
 * Returns the largest numeric id. Reads all rows if the ids are strings, because `'9'` sorts after
 * `'10'`.
 */
function findMaxId(rows: readonly { id: Id }[]): number {
  const last = rows.at(-1)?.id
  let largest = typeof last === 'number' ? last : -1
  if (typeof last === 'string')
    for (const { id } of rows) if (isNumber(id) && Number(id) > largest) largest = Number(id)
  return largest < 0 ? firstId : largest
}

/** True if an id is a number or a numeric string. */
function isNumber(id: Id): boolean {
  return Number.isSafeInteger(Number(id))
}
