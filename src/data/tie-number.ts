import type { SortedList } from './sorted-list.ts'

/** The time of a row, and its number among rows with the same time. */
export interface TiedRow<Row> {
  timeOf: (row: Row) => string | null
  numberOf: (row: Row) => number | undefined
}

/**
 * Returns the number of a new row among rows with the same time, such as rows that were written
 * while the clock was frozen: 0 for the first of them. The list must be sorted by time and then by
 * number, both latest first.
 */
export function getNextTieNumber<Row>(
  rows: SortedList<Row>,
  time: string,
  { timeOf, numberOf }: TiedRow<Row>,
): number {
  const latest = rows.at(rows.findPartitionPoint((row) => (timeOf(row) ?? '') <= time))
  return latest === undefined || timeOf(latest) !== time ? 0 : (numberOf(latest) ?? 0) + 1
}
