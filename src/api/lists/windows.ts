import { createApiError } from '../../errors.ts'
import type { ApiError } from '../../errors.ts'
import { dayMs, getStartOfUtcDay, parseTime, toUtcDay } from '../../lib/time.ts'

/** A time span, epoch ms. Both ends are inclusive. */
export interface Span {
  start: number
  end: number
}

/** The window of a report: a time span, and its start and end as query strings. */
export interface Window extends Span {
  start_date: string
  end_date: string
}

/**
 * Default start and end of a window, epoch ms. They are numbers, because parsing strings for each
 * window would be slow.
 */
interface WindowDefaults {
  /**
   * Returns the start of the window for a request at `now`. Epoch ms.
   * @default the start of the UTC day two years earlier
   */
  startFor?: (now: number) => number
  /**
   * Returns the end of the window for a request at `now`. Epoch ms.
   * @default the end of the current UTC day
   */
  endFor?: (now: number) => number
  /** Formats a start or end like a value in the query. @default `toUtcDay` */
  write?: (epochMs: number) => string
}

/** Defaults for a window of 30 days. */
export const thirtyDays: WindowDefaults = { startFor: (now) => getStartOfUtcDay(now - 30 * dayMs) }

const defaultYears = 2

/**
 * Reads the window of a report. A missing start or end gets its default, even if the start is then
 * after the end.
 * @throws {ApiError} window_reversed
 */
export function readWindow(
  { start_date, end_date }: { start_date?: string; end_date?: string },
  now: number,
  { startFor = getDefaultStart, endFor = getEndOfDay, write = toUtcDay }: WindowDefaults = {},
): Window {
  const end =
    end_date === undefined ? endFor(now) : (parseTime(end_date, { now, edge: 'end' }) ?? now)
  const start =
    start_date === undefined
      ? startFor(now)
      : (parseTime(start_date, { now, edge: 'start' }) ?? end)
  const window = {
    start_date: start_date ?? write(start),
    end_date: end_date ?? write(end),
    start,
    end,
  }
  if (start <= end) return window
  throw createReversedWindowError(
    { name: 'start_date', value: formatWindowBound(start_date, window.start_date) },
    { name: 'end_date', value: formatWindowBound(end_date, window.end_date) },
  )
}

/** Formats the start or end of a window for an error message: the sent value, or the default. */
export function formatWindowBound(sent: string | undefined, used: string): string {
  return sent ?? `${used}, the default`
}

/** The start or end of a window: its parameter's name and value. */
interface WindowEnd {
  name: string
  value: string | undefined
}

/**
 * Reads the start and end of a window. If one is missing, the window is unlimited on that side.
 * @throws {ApiError} window_reversed
 */
export function readOpenEndedWindow(
  { from, to }: { from: WindowEnd; to: WindowEnd },
  now: number,
): Partial<Span> {
  const start = from.value === undefined ? undefined : parseTime(from.value, { now, edge: 'start' })
  const end = to.value === undefined ? undefined : parseTime(to.value, { now, edge: 'end' })
  if (start !== undefined && end !== undefined && start > end)
    throw createReversedWindowError(from, to)
  return { start, end }
}

/**
 * True if the end of a window has a time of day, such as `2026-10-01T09:00:00Z`. False for days and
 * relative times.
 */
export function hasTimeOfDayAtEnd({ end_date }: Window): boolean {
  return /^\d{4}-\d{2}-\d{2}[Tt ]/.test(end_date)
}

/** Creates the error for a window that starts after its end. */
export function createReversedWindowError(from: WindowEnd, to: WindowEnd): ApiError {
  return createApiError('window_reversed', {
    from_name: from.name,
    from: from.value ?? '',
    to_name: to.name,
    to: to.value ?? '',
  })
}

function getDefaultStart(now: number): number {
  const date = new Date(now)
  return getStartOfUtcDay(date.setUTCFullYear(date.getUTCFullYear() - defaultYears))
}

function getEndOfDay(now: number): number {
  return getStartOfUtcDay(now) + dayMs - 1
}

/** Returns the preceding time span of the same length. */
export function getPrecedingWindow({ start, end }: Span): Span {
  return { start: start - (end - start + 1), end: start - 1 }
}

/** Text for the docs. Explains the result of `computePercentChange`. */
export const deltaRule =
  'delta is the percentage change from the previous window of the same length: 0 if both ' +
  'values are 0, and 100 if only the previous value is 0.'

/** Returns the change between two values in percent, with two decimals. See `deltaRule`. */
export function computePercentChange(current: number, before: number): number {
  if (before === 0) return current === 0 ? 0 : 100
  return Math.round(((current - before) / Math.abs(before)) * 10_000) / 100
}
