import type { Random } from './random.ts'
import type { Id } from './store/rows.ts'
import { anyTable } from './store/tables.ts'

/** The largest ids so far, by table; a table that was never asked for an id is not among them. */
export type LargestIds = Readonly<Record<string, number>>

/** Where the ids of a table without numbers begin. */
const firstId = 1000

/** Gives new ids: above all of their table so far, with believable gaps, never one twice. */
export class Sequences {
  readonly #tables: object
  readonly #random: Random
  #largest: Record<string, number> = {}

  constructor(tables: object, random: Random) {
    this.#tables = tables
    this.#random = random
    for (const name of Object.keys(tables))
      anyTable(tables, name).watch({ change: (before, after) => before === undefined && after !== undefined && this.#see(name, after.id) })
  }

  /** A new id for a record of that table. */
  next(name: string): number {
    const id = (this.#largest[name] ?? largestOf(anyTable(this.#tables, name).all())) + this.#random.integer(1, 60)
    this.#largest[name] = id
    return id
  }

  /** The largest ids so far. */
  state(): LargestIds {
    return { ...this.#largest }
  }

  /** Goes back to a state. */
  restore(largest: LargestIds): void {
    this.#largest = { ...largest }
  }

  /** Minds the ids of all records, after others came in. */
  raise(): void {
    for (const name of Object.keys(this.#tables)) {
      const largest = this.#largest[name]
      if (largest !== undefined) this.#largest[name] = Math.max(largest, largestOf(anyTable(this.#tables, name).all()))
    }
  }

  /** Minds the id of a record that came with one. */
  #see(name: string, id: Id): void {
    const largest = this.#largest[name]
    if (largest !== undefined && isNumber(id) && Number(id) > largest) this.#largest[name] = Number(id)
  }
}

/** Records stand in the order of their ids, but some of these are texts: numbers among them need not stand last. */
function largestOf(rows: readonly { id: Id }[]): number {
  let largest = -1
  for (const { id } of rows) if (isNumber(id) && Number(id) > largest) largest = Number(id)
  return largest === -1 ? firstId : largest
}

/** Whether an id is a number or one written as text; others, such as UUIDs, are none. */
function isNumber(id: Id): boolean {
  return Number.isSafeInteger(Number(id))
}
