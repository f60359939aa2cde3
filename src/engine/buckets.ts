import { dayMs, startOfDay } from './time.ts'
import type { Span } from './window.ts'

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
  for (let date = bucketStart(first, width); date <= last;) {
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

const longestHourlyDays = 2

const longestDailyDays = 100

/** How wide the buckets of a window are. Epoch ms, both ends inclusive. */
export function bucketWidth({ start, end }: { start: number; end: number }): 'hour' | 'day' | 'month' {
  const days = (end - start) / dayMs
  if (days <= longestHourlyDays) return 'hour'
  return days <= longestDailyDays ? 'day' : 'month'
}

/** Where the bucket of that moment begins. Epoch ms. */
export function bucketStart(at: number, width: 'hour' | 'day' | 'month'): number {
  const date = new Date(at)
  if (width === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  return width === 'day' ? startOfDay(at) : date.setUTCMinutes(0, 0, 0)
}
