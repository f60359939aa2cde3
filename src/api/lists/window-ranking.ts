import { readPage, readIterablePage } from './paging.ts'
import type { ListPage, PageQuery } from './paging.ts'
import { filterItems } from '../../lib/iterables.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import { toIsoTime } from '../../lib/time.ts'
import type { Span } from './window.ts'

/** Selects a page of a ranking in a window. */
export interface RankedWindow extends PageQuery, Span {}

/** The same rows in two sort orders. */
export interface RankableRows<Row> {
  /** Sorted newest first. */
  byTime: SortedList<Row>
  /** Sorted highest first. Rows with equal values are sorted newest first. */
  ranking: SortedList<Row>
  time: (row: Row) => string
  measure: (row: Row) => number
}

/**
 * Reads a page of the rows in a window, highest first. Rows with equal values are sorted newest
 * first.
 */
export function rankRowsInWindow<Row>(
  { start, end, ...query }: RankedWindow,
  { byTime, ranking, time, measure }: RankableRows<Row>,
): ListPage<Row> {
  const first = toIsoTime(start)
  const last = toIsoTime(end)
  const newest = byTime.rank((row) => time(row) <= last)
  const oldest = byTime.rank((row) => time(row) < first)
  const inWindow = oldest - newest
  if (inWindow <= query.offset) return readPage([], query)
  if (inWindow === byTime.size) return readPage(ranking, query)
  // For a narrow window, sorts its rows. For a wide window, filters the whole ranking until the
  // page is full.
  if (inWindow * inWindow <= byTime.size * query.limit) {
    const ranked = byTime.slice(newest, oldest).toSorted((a, b) => measure(b) - measure(a))
    return readPage(ranked, query)
  }
  const isInWindow = (row: Row) => time(row) >= first && time(row) <= last
  return readIterablePage(filterItems(ranking.walk(), isInWindow), query)
}
