import type { SortedList } from '../../data/sorted-list.ts'
import { parseIso } from '../../lib/time.ts'
import { hasTimeOfDayAtEnd } from './window.ts'
import type { Window } from './window.ts'

/** A page of rows, newest first. Rows from the same second are always on the same page. */
export interface WholeSecondPage<Row> {
  rows: Row[]
  /**
   * Time of the last row, rounded down to the second, epoch ms. The next page's window ends at this
   * time. Null on the last page.
   */
  next: number | null
}

/**
 * Returns the range of a window in a list that is sorted newest first. If the window's end has a
 * time of day, it is exclusive, because the previous page already contained that second.
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
 * Reads a page that continues after the last second of the previous page. Responses show times only
 * to the second, so all rows from the same second must be on the same page. A page may therefore be
 * shorter than the limit, or longer if one second has more rows than the limit.
 */
export function readPageOfWholeSeconds<Row>(
  list: SortedList<Row>,
  { window, limit }: { window: Window; limit: number },
  timeOf: (row: Row) => string,
): WholeSecondPage<Row> {
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
