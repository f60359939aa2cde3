import { partitionPoint } from '../lib/partition-point.ts'

/** The id of a record in its table. */
export type Id = number | string

/**
 * The largest number that an id may be. Above it is room for the ids of later records, which are
 * larger.
 */
export const maxId = 9_000_000_000_000_000

/** True if an id is a number, or the text of one, that leaves no room for later records. */
export function isTooLarge(id: Id): boolean {
  return Number(id) > maxId && Number.isSafeInteger(Number(id))
}

/**
 * The index of the record with an id among records sorted by id, or the index at which it would be
 * inserted.
 */
export function placeOf(rows: readonly { id: Id }[], id: Id): number {
  return partitionPoint(rows, (row) => compareIds(row.id, id) >= 0)
}

/** The records in the order of their ids. Returns the same array if they are in order already. */
export function sortById<Row extends { id: Id }>(rows: readonly Row[]): readonly Row[] {
  const isSorted = rows.every(
    (row, place) => place === 0 || compareIds((rows[place - 1] as Row).id, row.id) < 0,
  )
  return isSorted ? rows : rows.toSorted((a, b) => compareIds(a.id, b.id))
}

/** Compares ids: numbers by their size, texts by their characters. */
export function compareIds(a: Id, b: Id): number {
  if (a < b) return -1
  return a > b ? 1 : 0
}
