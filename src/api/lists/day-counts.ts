import type { SortedList } from '../../data/sorted-list.ts'
import { parseIso, getStartOfUtcDay, toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import { computePercentChange, getPrecedingWindow } from './window.ts'
import type { Span } from './window.ts'

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
  for (const row of rowsBetween(rows, window, timeOf).toReversed()) {
    const date = toPlatformTime(getStartOfUtcDay(parseIso(timeOf(row))))
    days.set(date, (days.get(date) ?? 0) + centsOf(row))
    total += centsOf(row)
  }
  const before = rowsBetween(rows, getPrecedingWindow(window), timeOf).reduce(
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

function rowsBetween<Row>(
  rows: SortedList<Row>,
  { start, end }: Span,
  timeOf: (row: Row) => string,
): readonly Row[] {
  return rows.slice(
    rows.findPartitionPoint((row) => parseIso(timeOf(row)) <= end),
    rows.findPartitionPoint((row) => parseIso(timeOf(row)) < start),
  )
}
