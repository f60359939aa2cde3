import { freezeRows } from './freeze.ts'
import { sortById } from './rows.ts'
import type { Id } from './rows.ts'

/** Records that came all at once. They are frozen and sorted when somebody first looks: many tables are never looked at. */
export class Records<Row extends { id: Id }> {
  #rows: readonly Row[]
  #containers: readonly (keyof Row)[] | undefined

  /** `containers` is left out for records that are in order already. */
  constructor(rows: readonly Row[], containers?: readonly (keyof Row)[]) {
    this.#rows = rows
    this.#containers = containers
  }

  /** The records in any order, frozen or not yet. */
  get unsorted(): readonly Row[] {
    return this.#rows
  }

  /** The records, in the order of their ids. */
  get rows(): readonly Row[] {
    if (this.#containers !== undefined) {
      freezeRows(this.#rows, this.#containers)
      this.#rows = sortById(this.#rows)
      this.#containers = undefined
    }
    return this.#rows
  }
}
