import { partition } from './sorted-list.ts'

/** The id of a record in its table. */
export type Id = number | string

/**
 * The largest number that an id may be. Above it is room for the ids of later records, which are
 * larger.
 */
export const maxId = 9_000_000_000_000_000

/** Whether an id is a number, or the text of one, that leaves later records no room. */
export function isTooLarge(id: Id): boolean {
  return Number(id) > maxId && Number.isSafeInteger(Number(id))
}

/**
 * The index of the record with an id among records sorted by id, or the index at which it would be
 * inserted.
 */
export function placeOf(rows: readonly { id: Id }[], id: Id): number {
  return partition(rows, (row) => compareIds(row.id, id) >= 0)
}

/** Replaces all records of an array by others. */
export function replaceRows<Row>(rows: Row[], others: readonly Row[]): void {
  // The length comes first, so that the array need not grow, which would take most of the time.
  rows.length = others.length
  for (let place = 0; place < others.length; place += 1) rows[place] = others[place] as Row
}

/** Whether records are in the order of their ids. */
export function isSortedById(rows: readonly { id: Id }[]): boolean {
  return rows.every(
    (row, place) => place === 0 || compareIds((rows[place - 1] as { id: Id }).id, row.id) < 0,
  )
}

/** Compares ids: numbers by their size, texts by their characters. */
export function compareIds(a: Id, b: Id): number {
  if (a < b) return -1
  return a > b ? 1 : 0
}
