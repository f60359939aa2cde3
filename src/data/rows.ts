import { findPartitionPoint } from '../lib/iterables.ts'

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
    (row, index) => index === 0 || compareIds((rows[index - 1] as Row).id, row.id) < 0,
  )
  return isSorted ? rows : rows.toSorted((a, b) => compareIds(a.id, b.id))
}

/** Compares two ids: numbers by value, strings character by character. */
export function compareIds(a: Id, b: Id): number {
  if (a < b) return -1
  return a > b ? 1 : 0
}

/**
 * An empty list for many rows, which saves memory. It is frozen already, so freezing these rows is
 * faster.
 */
export const emptyList = Object.freeze([]) as readonly never[] as never[]

/** Freezes a value and everything in it. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      if (typeof value[index] === 'object') deepFreeze(value[index])
  } else
    for (const key in value) {
      const child = value[key]
      if (typeof child === 'object' && child !== emptyList) deepFreeze(child)
    }
  return Object.freeze(value)
}
