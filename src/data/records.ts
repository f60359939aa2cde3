import { freezeRow } from './freeze.ts'
import { compareIds, isSortedById } from './rows.ts'
import type { Id } from './rows.ts'

/**
 * Records that came all at once. They are frozen and sorted when somebody first looks: many tables
 * are never looked at.
 */
export class Records<Row extends { id: Id }> {
  #rows: readonly Row[]
  #containers: (() => readonly (keyof Row)[]) | undefined

  /**
   * `containers`, the fields that may hold objects or arrays, is left out for records that are in
   * order already.
   */
  constructor(rows: readonly Row[], containers?: () => readonly (keyof Row)[]) {
    this.#rows = rows
    this.#containers = containers
  }

  /** The records in any order, frozen or not yet. */
  get unsorted(): readonly Row[] {
    return this.#rows
  }

  /** The records, in the order of their ids. */
  get rows(): readonly Row[] {
    if (this.#containers !== undefined) this.prepare()
    return this.#rows
  }

  /** Freezes and sorts the records. */
  prepare(): void {
    // Where there are no records, nobody has to know their fields.
    if (this.#rows.length === 0) this.#containers = undefined
    const containers = this.#containers?.()
    if (containers === undefined) return
    for (const row of this.#rows) freezeRow(row, containers)
    if (!isSortedById(this.#rows))
      this.#rows = this.#rows.toSorted((a, b) => compareIds(a.id, b.id))
    this.#containers = undefined
  }
}
