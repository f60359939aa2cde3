import type { SortedList } from '../../data/sorted-list.ts'
import { fromIso } from '../../lib/time.ts'
import { endsAtInstant } from './window.ts'
import type { Window } from './window.ts'

/** A page of rows, newest first, that ends with a whole second. */
export interface SecondPage<Row> {
  rows: Row[]
  /**
   * The second of its last row, epoch ms: the end of the window of the next page. Null on the last
   * page.
   */
  next: number | null
}

/**
 * The range of a window in a list, newest first. An end that is an instant is exclusive, because
 * the previous page contained it.
 */
export function rangeBefore<Row>(
  list: SortedList<Row>,
  window: Window,
  timeOf: (row: Row) => string,
): { from: number; to: number } {
  const msOf = (row: Row) => fromIso(timeOf(row))
  return {
    from: list.rank(
      (row) => msOf(row) < window.end || (msOf(row) === window.end && !endsAtInstant(window)),
    ),
    to: list.rank((row) => msOf(row) < window.start),
  }
}

/**
 * Reads a page that continues after the second of its last row, the only precision that an answer
 * shows. Each page ends with a whole second. It is shorter than the limit if the next second does
 * not fit, and longer if one second has more rows.
 */
export function takeSeconds<Row>(
  list: SortedList<Row>,
  { window, limit }: { window: Window; limit: number },
  timeOf: (row: Row) => string,
): SecondPage<Row> {
  const { from, to } = rangeBefore(list, window, timeOf)
  const cut = from + limit
  if (cut >= to) return { rows: list.slice(from, to), next: null }
  const secondOf = (row: Row | undefined) =>
    row === undefined ? 0 : Math.floor(fromIso(timeOf(row)) / 1000) * 1000
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
