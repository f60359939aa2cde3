import { findPartitionPoint } from '../lib/partition-point.ts'

/** The id of a record in its table. */
export type Id = number | string

/**
 * Maximum numeric id of an inserted record. It leaves room for later ids below the largest safe
 * integer.
 */
export const maxId = 9_000_000_000_000_000

/** True if a numeric id, as a number or a string, is larger than `maxId`. */
export function isIdTooLarge(id: Id): boolean {
  return Number(id) > maxId && Number.isSafeInteger(Number(id))
}

/**
 * Returns the index of the record with the given id in sorted records. If there is none, returns
 * the index where it would be inserted.
 */
export function findIndexById(rows: readonly { id: Id }[], id: Id): number {
  return findPartitionPoint(rows, (row) => compareIds(row.id, id) >= 0)
}

/** Sorts records by id. Returns the same array if it is already sorted. */
export function sortById<Row extends { id: Id }>(rows: readonly Row[]): readonly Row[] {
  const isSorted = rows.every(
    (row, place) => place === 0 || compareIds((rows[place - 1] as Row).id, row.id) < 0,
  )
  return isSorted ? rows : rows.toSorted((a, b) => compareIds(a.id, b.id))
}

/** Compares two ids: numbers by value, strings character by character. */
export function compareIds(a: Id, b: Id): number {
  if (a < b) return -1
  return a > b ? 1 : 0
}
