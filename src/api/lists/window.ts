import { createApiError, createInvalidParameterError } from '../../errors.ts'
import type { ApiError } from '../../errors.ts'
import type { WorldClock } from '../../world/world-clock.ts'
import { dayMs, parseTime, getStartOfUtcDay, toUtcDay } from '../../lib/time.ts'

/** A span of time, epoch ms, both ends inclusive. */
export interface Span {
  start: number
  end: number
}

/** The window of a report: its ends as strings for the query, and as a time span. */
export interface Window extends Span {
  start_date: string
  end_date: string
}

/**
 * The default ends of a window, epoch ms. They are numbers, because parsing strings for each window
 * would be slow.
 */
export interface WindowDefaults {
  /**
   * Start of the window, epoch ms, for a request at `now`. @default the start of the day two years
   * before, UTC
   */
  startFor?: (now: number) => number
  /** End of the window, epoch ms, for a request at `now`. @default the end of today, UTC */
  endFor?: (now: number) => number
  /** Formats an end in the same way as the query. @default `toUtcDay` */
  write?: (epochMs: number) => string
}

/** The defaults for a window of 30 days. */
export const thirtyDays: WindowDefaults = { startFor: (now) => getStartOfUtcDay(now - 30 * dayMs) }

const defaultYears = 2

/**
 * Reads the window of a report. A missing end gets its default, which does not depend on the other
 * end. So a window is reversed if it ends before the default start, or starts after the default
 * end.
 * @throws {ApiError} window_reversed
 */
export function readWindow(
  { start_date, end_date }: { start_date?: string; end_date?: string },
  now: number,
  { startFor = twoYearsBefore, endFor = endOfDay, write = toUtcDay }: WindowDefaults = {},
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

/** Formats a window bound for an error message: the sent value, or the default. */
export function formatWindowBound(sent: string | undefined, used: string): string {
  return sent ?? `${used}, the default`
}

/** One end of a window: the name and the value of its parameter. */
export interface WindowEnd {
  name: string
  value: string | undefined
}

/** Reads both ends of a window. A missing end means no limit. @throws {ApiError} window_reversed */
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

/** The error of a window whose start is after its end. */
export function createReversedWindowError(from: WindowEnd, to: WindowEnd): ApiError {
  return createApiError('window_reversed', {
    from_name: from.name,
    from: from.value ?? '',
    to_name: to.name,
    to: to.value ?? '',
  })
}

/**
 * Checks that a time in a body, if there is one, is in the future. @throws {ApiError}
 * parameter_invalid
 */
export function requireFutureTime(
  clock: WorldClock,
  field: string,
  time: string | null | undefined,
): void {
  if (time != null && time <= clock.iso())
    throw createInvalidParameterError(
      'Body field',
      field,
      time,
      `it must be later than now (${clock.iso()})`,
    )
}

function twoYearsBefore(now: number): number {
  const date = new Date(now)
  return getStartOfUtcDay(date.setUTCFullYear(date.getUTCFullYear() - defaultYears))
}

function endOfDay(now: number): number {
  return getStartOfUtcDay(now) + dayMs - 1
}

/** Returns the time span of the same length just before this one. */
export function getPrecedingWindow({ start, end }: Span): Span {
  return { start: start - (end - start + 1), end: start - 1 }
}

/**
 * Returns the change between two values in percent, with two decimals. It is 0 if both are 0, and
 * 100 if only the earlier one is 0.
 */
export function computePercentChange(current: number, before: number): number {
  if (before === 0) return current === 0 ? 0 : 100
  return Math.round(((current - before) / Math.abs(before)) * 10_000) / 100
}
