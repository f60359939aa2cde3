import type { SortedList } from '../../data/sorted-list.ts'
import { parseIso } from '../../lib/time.ts'
import { hasTimeOfDayAtEnd } from './window.ts'
import type { Window } from './window.ts'

/** A page of rows, newest first, that never splits the rows of a second. */
export interface PageBySecond<Row> {
  rows: Row[]
  /**
   * The time of the last row, rounded down to the second, epoch ms. It is the end of the next
   * page's window. Null on the last page.
   */
  next: number | null
}

/**
 * Returns the range of a window in a list that is sorted newest first. An end with a time of day is
 * exclusive, because the previous page contained that second.
 */
export function findWindowRange<Row>(
  list: SortedList<Row>,
  window: Window,
  timeOf: (row: Row) => string,
): { from: number; to: number } {
  const msOf = (row: Row) => parseIso(timeOf(row))
  return {
    from: list.rank(
      (row) => msOf(row) < window.end || (msOf(row) === window.end && !hasTimeOfDayAtEnd(window)),
    ),
    to: list.rank((row) => msOf(row) < window.start),
  }
}

/**
 * Reads a page that continues after the second of the previous page's last row. Responses show
 * times only to the second, so a page never splits a second: it may be shorter than the limit, or
 * longer if one second has more rows than the limit.
 */
export function readPageOfWholeSeconds<Row>(
  list: SortedList<Row>,
  { window, limit }: { window: Window; limit: number },
  timeOf: (row: Row) => string,
): PageBySecond<Row> {
  const { from, to } = findWindowRange(list, window, timeOf)
  const cut = from + limit
  if (cut >= to) return { rows: list.slice(from, to), next: null }
  const secondOf = (row: Row | undefined) =>
    row === undefined ? 0 : Math.floor(parseIso(timeOf(row)) / 1000) * 1000
  const second = secondOf(list.at(cut))
  const first = list.rank((row) => secondOf(row) <= second)
  const end =
    first > from
      ? first
      : Math.min(
          to,
          list.rank((row) => secondOf(row) < second),
        )
  return { rows: list.slice(from, end), next: end < to ? secondOf(list.at(end - 1)) : null }
}
