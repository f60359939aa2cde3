import { pageOf, pageOfWalk } from './paging.ts'
import type { PageOf, PageQuery } from './paging.ts'
import { filterItems } from '../../lib/iterables.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import { toIso } from '../../lib/time.ts'
import type { Span } from './window.ts'

/** Selects a page of the ranking of a window. */
export interface RankedWindow extends PageQuery, Span {}

/** The same rows in two orders. */
export interface Rankable<Row> {
  /** The newest row first. */
  byTime: SortedList<Row>
  /** The highest row first; of equal rows the newest first. */
  ranking: SortedList<Row>
  time: (row: Row) => string
  measure: (row: Row) => number
}

/** Reads a page of the rows of a window, the highest first; of equal rows the newest first. */
export function rankInWindow<Row>(
  { start, end, ...query }: RankedWindow,
  { byTime, ranking, time, measure }: Rankable<Row>,
): PageOf<Row> {
  const first = toIso(start)
  const last = toIso(end)
  const newest = byTime.rank((row) => time(row) <= last)
  const oldest = byTime.rank((row) => time(row) < first)
  const inWindow = oldest - newest
  if (inWindow <= query.offset) return pageOf([], query)
  if (inWindow === byTime.size) return pageOf(ranking, query)
  // Sorts the rows of a narrow window. For a wide window, walks the whole ranking, which soon has
  // enough rows of the window.
  if (inWindow * inWindow <= byTime.size * query.limit) {
    const ranked = byTime.slice(newest, oldest).toSorted((a, b) => measure(b) - measure(a))
    return pageOf(ranked, query)
  }
  const isInWindow = (row: Row) => time(row) >= first && time(row) <= last
  return pageOfWalk(filterItems(ranking.walk(), isInWindow), query)
}
