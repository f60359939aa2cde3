import { readPage } from './paging.ts'
import type { ListPage, PageQuery } from './paging.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import { parseIso } from '../../lib/time.ts'
import type { Span } from './window.ts'

/** The page of invoices to read. */
export interface PinnedQuery extends PageQuery {
  window: Span
  /**
   * Time of the newest row when the first page was read, in seconds. Omitted for the first page.
   */
  marker?: number
}

/**
 * A page of rows, and the marker to send with requests for later pages. The marker excludes newer
 * rows, which would shift the pages.
 */
export interface PinnedPage<Row> extends ListPage<Row> {
  marker: number
}

/**
 * Reads a page of a list that is sorted newest first. Each row has a unique `second`, which is
 * never before its `createdAt`.
 */
export function readPinnedPage<Row extends { createdAt: string; second: number }>(
  list: SortedList<Row>,
  { window, marker, ...query }: PinnedQuery,
  now: number,
): PinnedPage<Row> {
  const pin = marker ?? list.at(0)?.second ?? Math.floor(now / 1000)
  const first = list.rank((row) => row.second <= pin && parseIso(row.createdAt) <= window.end)
  const last = list.rank((row) => parseIso(row.createdAt) < window.start)
  return { ...readPage(list, query, { from: first, to: last }), marker: pin }
}
