import { dayMs } from './time.ts'
import { bucketStart, bucketWidth } from '../resources/earnings/earnings.ts'
import type { Span } from '../resources/reach/visitors.ts'

/** One point of a chart: what lies from `start` to `end`, epoch ms, both inclusive. */
export interface ChartBucket extends Span {
  /** Where its hour, day or month begins, epoch ms. */
  date: number
}

const hourMs = 3_600_000

/** Cuts the part of a window that lies within `bounds` on UTC hours, days or months, by the length of the window; oldest first, none left out. */
export function cutForChart(window: Span, bounds: Span): ChartBucket[] {
  const width = bucketWidth(window)
  const [first, last] = [Math.max(window.start, bounds.start), Math.min(window.end, bounds.end)]
  const buckets: ChartBucket[] = []
  for (let date = bucketStart(first, width); date <= last; ) {
    const next = width === 'month' ? startOfNextMonth(date) : date + (width === 'day' ? dayMs : hourMs)
    buckets.push({ date, start: Math.max(date, first), end: Math.min(next - 1, last) })
    date = next
  }
  return buckets
}

function startOfNextMonth(epochMs: number): number {
  const date = new Date(epochMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
