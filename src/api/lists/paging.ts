import { takePage, filterItems } from '../../lib/iterables.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import { parseIso, toIsoTime } from '../../lib/time.ts'
import { hasTimeOfDayAtEnd } from './windows.ts'
import type { Span, Window } from './windows.ts'

/** The number of rows to skip and the page size. */
export interface PageQuery {
  offset: number
  limit: number
}

/** One page of rows. */
export interface ListPage<Row> {
  rows: Row[]
  hasMore: boolean
  /** Offset of the next page, or null on the last page. */
  next: { offset: number } | null
}

/** A list that can be read by index: a sorted list, an array, or the members of a user list. */
export type Sliceable<Row> = { slice: (from: number, to: number) => readonly Row[] } & (
  | { readonly size: number }
  | { readonly length: number }
)

/** A range of a list: its first index, the index after its last row, and the reading direction. */
interface ListPart {
  /** @default 0 */
  from?: number
  /** @default the size of the list */
  to?: number
  /** True to read from the last row to the first. @default false */
  backwards?: boolean
}

/** Reads one page of a list, or of a range within the list. */
export function readPage<Row>(
  list: Sliceable<Row>,
  { offset, limit }: PageQuery,
  { from = 0, to = 'size' in list ? list.size : list.length, backwards = false }: ListPart = {},
): ListPage<Row> {
  const size = Math.max(0, to - from)
  const reached = Math.min(offset + limit, size)
  const rows = backwards
    ? list.slice(from + size - reached, Math.max(from, from + size - offset)).toReversed()
    : list.slice(from + offset, from + reached)
  return { rows: [...rows], ...createNextPage(reached < size, reached) }
}

/** Reads one page of an iterable. Stops at the first row after the page. */
export function readIterablePage<Row>(
  rows: Iterable<Row>,
  { offset, limit }: PageQuery,
): ListPage<Row> {
  const found = takePage(rows, { offset, limit: limit + 1 })
  return { rows: found.slice(0, limit), ...createNextPage(found.length > limit, offset + limit) }
}

/** Returns the offset of the next page if there are more rows. */
export function createNextPage(
  hasMore: boolean,
  reached: number,
): Pick<ListPage<never>, 'hasMore' | 'next'> {
  return { hasMore, next: hasMore ? { offset: reached } : null }
}

/** The page of invoices to read. */
interface PinnedQuery extends PageQuery {
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
interface PinnedPage<Row> extends ListPage<Row> {
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
  const first = list.findPartitionPoint(
    (row) => row.second <= pin && parseIso(row.createdAt) <= window.end,
  )
  const last = list.findPartitionPoint((row) => parseIso(row.createdAt) < window.start)
  return { ...readPage(list, query, { from: first, to: last }), marker: pin }
}

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
    from: list.findPartitionPoint(
      (row) => msOf(row) < window.end || (msOf(row) === window.end && !hasTimeOfDayAtEnd(window)),
    ),
    to: list.findPartitionPoint((row) => msOf(row) < window.start),
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
  const first = list.findPartitionPoint((row) => secondOf(row) <= second)
  const end =
    first > from
      ? first
      : Math.min(
          to,
          list.findPartitionPoint((row) => secondOf(row) < second),
        )
  return { rows: list.slice(from, end), next: end < to ? secondOf(list.at(end - 1)) : null }
}

/** Selects a page of a ranking in a window. */
export interface RankedWindow extends PageQuery, Span {}

/** The same rows in two sort orders. */
interface RankableRows<Row> {
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
  const newest = byTime.findPartitionPoint((row) => time(row) <= last)
  const oldest = byTime.findPartitionPoint((row) => time(row) < first)
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
