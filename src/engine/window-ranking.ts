import { pageOf, pageOfWalk } from './paging.ts'
import type { PageOf, PageQuery } from './paging.ts'
import type { SortedList } from './store/sorted-list.ts'
import { toIso } from './time.ts'

/** Which part of which ranking is wanted; the window's ends are epoch ms and inclusive. */
export interface RankedWindow extends PageQuery {
  start: number
  end: number
}

/** Rows in two orders: newest first, and highest first with ties newest first. */
export interface Rankable<Row> {
  byTime: SortedList<Row>
  ranking: SortedList<Row>
  time: (row: Row) => string
  measure: (row: Row) => number
}

/** One page of the rows of a window, highest first, ties newest first. */
export function rankInWindow<Row>({ start, end, ...query }: RankedWindow, { byTime, ranking, time, measure }: Rankable<Row>): PageOf<Row> {
  const [first, last] = [toIso(start), toIso(end)]
  const newest = byTime.rank((row) => time(row) <= last)
  const oldest = byTime.rank((row) => time(row) < first)
  const inWindow = oldest - newest
  if (inWindow <= query.offset) return pageOf([], query)
  if (inWindow === byTime.size) return pageOf(ranking, query)
  // A narrow window is ranked by itself; in a wide one the ranking is walked, which meets the window's rows soon enough.
  if (inWindow * inWindow <= byTime.size * query.limit) {
    const ranked = byTime.slice(newest, oldest).toSorted((a, b) => measure(b) - measure(a))
    return pageOf(ranked, query)
  }
  return pageOfWalk(
    within(ranking.walk(), (row) => time(row) >= first && time(row) <= last),
    query,
  )
}

function* within<Row>(rows: Iterable<Row>, isWithin: (row: Row) => boolean): Generator<Row> {
  for (const row of rows) if (isWithin(row)) yield row
}
