import { toIso } from '../schemas/time.ts'
import type { SortedList } from './sorted-list.ts'
import { takePage } from './sorted-list.ts'

/** Which part of which ranking is wanted; the window's ends are epoch ms and inclusive. */
export interface RankedWindow {
  start: number
  end: number
  offset: number
  limit: number
}

/** Rows in two orders: newest first, and highest first with ties newest first. */
export interface Rankable<Row> {
  byTime: SortedList<Row>
  ranking: SortedList<Row>
  time: (row: Row) => string
  measure: (row: Row) => number
}

/** The rows of a window, highest first, ties newest first. */
export function rankInWindow<Row>({ start, end, offset, limit }: RankedWindow, { byTime, ranking, time, measure }: Rankable<Row>): Row[] {
  const [first, last] = [toIso(start), toIso(end)]
  const newest = byTime.rank((row) => time(row) <= last)
  const oldest = byTime.rank((row) => time(row) < first)
  const inWindow = oldest - newest
  if (inWindow <= offset) return []
  if (inWindow === byTime.size) return ranking.slice(offset, offset + limit)
  // A narrow window is ranked by itself; in a wide one the ranking is walked, which meets the window's rows soon enough.
  if (inWindow * inWindow <= byTime.size * limit) {
    return byTime
      .slice(newest, oldest)
      .toSorted((a, b) => measure(b) - measure(a))
      .slice(offset, offset + limit)
  }
  return takePage(within(ranking.walk(), (row) => time(row) >= first && time(row) <= last), { offset, limit })
}

function* within<Row>(rows: Iterable<Row>, isWithin: (row: Row) => boolean): Generator<Row> {
  for (const row of rows) if (isWithin(row)) yield row
}
