import { pageOf } from './paging.ts'
import type { PageOf, PageQuery } from './paging.ts'
import type { SortedList } from './store/sorted-list.ts'
import { fromIso } from './time.ts'
import type { Window } from './window.ts'

/** Which page of a list of invoices is wanted. */
export interface PinnedQuery extends PageQuery {
  window: Pick<Window, 'start' | 'end'>
  /** The second of the newest row when the first page was read; left out on the first page. */
  marker?: number
}

/** A page of rows, and the marker to read the next pages with: rows written since do not shift them. */
export interface PinnedPage<Row> extends PageOf<Row> {
  marker: number
}

/** Takes a page of a list that has its newest rows first, each with a second of its own that is never before `createdAt`. */
export function takePinned<Row extends { createdAt: string; second: number }>(
  list: SortedList<Row>,
  { window, marker, ...query }: PinnedQuery,
  now: number,
): PinnedPage<Row> {
  const pin = marker ?? list.at(0)?.second ?? Math.floor(now / 1000)
  const first = list.rank((row) => row.second <= pin && fromIso(row.createdAt) <= window.end)
  const last = list.rank((row) => fromIso(row.createdAt) < window.start)
  return { ...pageOf(list, query, { from: first, to: last }), marker: pin }
}
