import { fromIso } from '../schemas/time.ts'
import { pageOf } from './paging.ts'
import type { PageOf, PageQuery } from './paging.ts'
import type { SortedList } from './sorted-list.ts'
import type { Window } from './window.ts'

/** Which page of a list of invoices is wanted. */
export interface PinnedQuery extends PageQuery {
  window: Pick<Window, 'start' | 'end'>
  /** Epoch seconds of the newest row when the first page was read; left out on the first page. */
  marker?: number
}

/** A page of rows, and the marker to read the next pages with: rows written since do not shift them. */
export interface PinnedPage<Row> extends PageOf<Row> {
  marker: number
}

/** Takes a page of a list that has its newest rows first, one second of `createdAt` for each at most. */
export function takePinned<Row extends { createdAt: string }>(list: SortedList<Row>, { window, marker, ...query }: PinnedQuery, now: number): PinnedPage<Row> {
  const end = marker === undefined ? window.end : Math.min(window.end, marker * 1000 + 999)
  const first = list.rank((row) => fromIso(row.createdAt) <= end)
  const last = list.rank((row) => fromIso(row.createdAt) < window.start)
  const newest = list.at(first)
  return {
    ...pageOf(list, query, { from: first, to: last }),
    marker: marker ?? Math.floor((newest === undefined || first >= last ? now : fromIso(newest.createdAt)) / 1000),
  }
}
