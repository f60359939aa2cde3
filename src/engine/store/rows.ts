import { partition } from './sorted-list.ts'

/** What identifies a record in its table. */
export type Id = number | string

/** Where the record of that id stands among records in the order of their ids, or where it would stand. */
export function placeOf(rows: readonly { id: Id }[], id: Id): number {
  return partition(rows, (row) => compareIds(row.id, id) >= 0)
}

/** Puts other records in the place of all. */
export function replaceRows<Row>(rows: Row[], others: readonly Row[]): void {
  // With its length set first the array need not grow, which would take most of the time.
  rows.length = others.length
  for (let place = 0; place < others.length; place += 1) rows[place] = others[place] as Row
}

/** The records in the order of their ids. */
export function inOrder<Row extends { id: Id }>(rows: readonly Row[]): readonly Row[] {
  const isAscending = rows.every((row, place) => place === 0 || compareIds((rows[place - 1] as Row).id, row.id) < 0)
  return isAscending ? rows : rows.toSorted((a, b) => compareIds(a.id, b.id))
}

/** Smaller ids first; numbers by their size, texts by their characters. */
export function compareIds(a: Id, b: Id): number {
  return a < b ? -1 : a > b ? 1 : 0
}
