import type { Random } from './random.ts'
import type { Id } from '../data/rows.ts'
import { anyTable } from '../data/tables.ts'

/** The largest ids by table. It holds only the tables that have given a new id. */
export type LargestIds = Readonly<Record<string, number>>

/** Where the ids begin in a table without numeric ids. */
const firstId = 1000

/**
 * Gives new ids. A new id is larger than all ids of its table, leaves a realistic gap, and is never
 * given twice.
 */
export class Sequences {
  readonly #tables: object
  readonly #random: Random
  #largest: Record<string, number> = {}

  constructor(tables: object, random: Random) {
    this.#tables = tables
    this.#random = random
    for (const name of Object.keys(tables))
      anyTable(tables, name).onChange((before, after) => {
        if (before === undefined && after !== undefined) this.#see(name, after.id)
      })
  }

  /**
   * A new id for a record of a table. `random` draws the gap before it. @default the chance of the
   * world
   */
  next(name: string, random: Random = this.#random): number {
    const id = this.largest(name) + random.integer(1, 60)
    this.#largest[name] = id
    return id
  }

  /** The largest id of a table so far. */
  largest(name: string): number {
    return this.#largest[name] ?? maxOf(anyTable(this.#tables, name).all())
  }

  /** The largest ids so far. */
  state(): LargestIds {
    return { ...this.#largest }
  }

  /** Goes back to a state. */
  restore(largest: LargestIds): void {
    this.#largest = { ...largest }
  }

  /** Takes the ids of all records into account, after records were loaded. */
  raise(): void {
    for (const name of Object.keys(this.#tables)) {
      const largest = this.#largest[name]
      if (largest !== undefined)
        this.#largest[name] = Math.max(largest, maxOf(anyTable(this.#tables, name).all()))
    }
  }

  /** Takes the id of an inserted record into account. */
  #see(name: string, id: Id): void {
    const largest = this.#largest[name]
    if (largest !== undefined && isNumber(id) && Number(id) > largest)
      this.#largest[name] = Number(id)
  }
}

/**
 * The largest numeric id. All rows are read: texts sort by their characters, so that `'9'` stands
 * behind `'10'`.
 */
function maxOf(rows: readonly { id: Id }[]): number {
  let largest: number | undefined
  for (const { id } of rows) if (isNumber(id) && Number(id) > (largest ?? -1)) largest = Number(id)
  return largest ?? firstId
}

/** Whether an id is a number or the text of a number. A UUID is neither. */
function isNumber(id: Id): boolean {
  return Number.isSafeInteger(Number(id))
}
