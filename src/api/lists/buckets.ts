import { dayMs, getStartOfUtcDay, hourMs, parseIso } from '../../lib/time.ts'
import type { Span } from './window.ts'
import type { SortedList } from '../../data/sorted-list.ts'

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
