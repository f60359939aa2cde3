import type { SortedList } from '../../data/sorted-list.ts'
import { parseIso, getStartOfUtcDay, toPlatformTime, dayMs, hourMs } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import { getPrecedingWindow, computePercentChange } from './windows.ts'
import type { Span } from './windows.ts'

/**
 * Number of rows in a window, and the change in percent since the previous window of the same
 * length.
 */
export interface Trend {
  total: number
  delta: number
}

/** The number of rows on one UTC day. */
export interface DayCount {
  /** The start of the day, epoch ms. */
  day: number
  count: number
}

/**
 * Counts the rows in a window, by UTC day and in total. The list must be sorted by `timeOf`, newest
 * first.
 */
export function buildDailyCountChart<Row>(
  rows: SortedList<Row>,
  window: Span,
  timeOf: (row: Row) => string,
): Trend & { chart: { date: PlatformTime; count: number }[] } {
  const chart = countByDay(rows, window, timeOf).map(({ day, count }) => ({
    date: toPlatformTime(day),
    count,
  }))
  return { chart, ...computeTrend(rows, window, timeOf) }
}

/**
 * Adds up the amounts of the rows in a window, in dollars, by UTC day and in total. Omits days with
 * a total of 0. The list must be sorted by `timeOf`, newest first.
 */
export function buildDailySumChart<Row>(
  rows: SortedList<Row>,
  window: Span,
  { timeOf, centsOf }: { timeOf: (row: Row) => string; centsOf: (row: Row) => number },
): Trend & { chart: { date: PlatformTime; count: number }[] } {
  const days = new Map<PlatformTime, number>()
  let total = 0
  for (const row of findRowsInSpan(rows, window, timeOf).toReversed()) {
    const date = toPlatformTime(getStartOfUtcDay(parseIso(timeOf(row))))
    days.set(date, (days.get(date) ?? 0) + centsOf(row))
    total += centsOf(row)
  }
  const before = findRowsInSpan(rows, getPrecedingWindow(window), timeOf).reduce(
    (sum, row) => sum + centsOf(row),
    0,
  )
  return {
    chart: [...days].flatMap(([date, cents]) => (cents === 0 ? [] : { date, count: cents / 100 })),
    total: total / 100,
    delta: computePercentChange(total, before),
  }
}

/**
 * Counts the rows in a window and in the previous window. The list must be sorted by `timeOf`,
 * newest first.
 */
export function computeTrend<Row>(
  rows: SortedList<Row>,
  window: Span,
  timeOf: (row: Row) => string,
): Trend {
  const total = countBetween(rows, window, timeOf)
  return {
    total,
    delta: computePercentChange(total, countBetween(rows, getPrecedingWindow(window), timeOf)),
  }
}

/**
 * Counts the rows in a window by UTC day, oldest day first. Omits days without rows. The list must
 * be sorted by `timeOf`, newest first. Finds each day's boundary by binary search, without reading
 * the rows in between.
 */
export function countByDay<Row>(
  rows: SortedList<Row>,
  { start, end }: Span,
  timeOf: (row: Row) => string,
): DayCount[] {
  const msOf = (row: Row) => parseIso(timeOf(row))
  const days: DayCount[] = []
  let index = rows.findPartitionPoint((row) => msOf(row) <= end)
  for (let row = rows.at(index); row !== undefined && msOf(row) >= start; row = rows.at(index)) {
    const day = getStartOfUtcDay(msOf(row))
    const next = rows.findPartitionPoint((other) => msOf(other) < Math.max(day, start))
    days.push({ day, count: next - index })
    index = next
  }
  return days.toReversed()
}

function countBetween<Row>(
  rows: SortedList<Row>,
  { start, end }: Span,
  timeOf: (row: Row) => string,
): number {
  return (
    rows.findPartitionPoint((row) => parseIso(timeOf(row)) < start) -
    rows.findPartitionPoint((row) => parseIso(timeOf(row)) <= end)
  )
}

/** Width of a chart's buckets. */
type BucketWidth = 'hour' | 'day' | 'month'

/**
 * One bucket of a chart. The first and last bucket may cover only part of an hour, day or month.
 */
interface ChartBucket extends Span {
  /** The start of the whole hour, day or month, epoch ms. */
  date: number
}

/**
 * Splits the part of a window within `bounds` into buckets of UTC hours, days or months, oldest
 * first. The length of the whole window determines the bucket width. Includes empty buckets.
 */
export function splitIntoBuckets(window: Span, bounds: Span): ChartBucket[] {
  const width = chooseBucketWidth(window)
  const first = Math.max(window.start, bounds.start)
  const last = Math.min(window.end, bounds.end)
  const buckets: ChartBucket[] = []
  for (let date = getBucketStart(first, width); date <= last;) {
    const next = nextBucketStart(date, width)
    buckets.push({ date, start: Math.max(date, first), end: Math.min(next - 1, last) })
    date = next
  }
  return buckets
}

function nextBucketStart(bucketStartMs: number, width: BucketWidth): number {
  if (width === 'hour') return bucketStartMs + hourMs
  if (width === 'day') return bucketStartMs + dayMs
  const date = new Date(bucketStartMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

const maxHourlyDays = 2

const maxDailyDays = 100

/**
 * Chooses the bucket width for a window: an hour, a day or a month, depending on the window's
 * length.
 */
export function chooseBucketWidth({ start, end }: Span): BucketWidth {
  const days = (end - start) / dayMs
  if (days <= maxHourlyDays) return 'hour'
  return days <= maxDailyDays ? 'day' : 'month'
}

/** Returns the start of the bucket that contains a time, epoch ms. */
export function getBucketStart(at: number, width: BucketWidth): number {
  const date = new Date(at)
  if (width === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  return width === 'day' ? getStartOfUtcDay(at) : date.setUTCMinutes(0, 0, 0)
}

/** Returns the rows within a time span. The list must be sorted by `time`, newest first. */
export function findRowsInSpan<Row>(
  list: SortedList<Row>,
  { start, end }: Span,
  time: (row: Row) => string,
): Row[] {
  const newest = list.findPartitionPoint((row) => parseIso(time(row)) <= end)
  const pastOldest = list.findPartitionPoint((row) => parseIso(time(row)) < start)
  return list.slice(newest, pastOldest)
}
