import { apiError, invalidParameter } from '../errors.ts'
import type { ApiError } from '../errors.ts'
import type { Clock } from './clock.ts'
import { dayMs, parseTime, toDay } from './time.ts'

/** A window of time: its ends as the query has them, and as epoch ms, both inclusive. */
export interface Window {
  start_date: string
  end_date: string
  start: number
  end: number
}

/** What stands for the ends of a window that are not sent, as the query would have them. */
export interface WindowDefaults {
  /** The start of a window that ends at that moment, epoch ms. @default two years before, UTC */
  startFor?: (end: number) => string
  /** The end of a window, told now, epoch ms. @default today, UTC */
  endFor?: (now: number) => string
}

/** A window of 30 days. */
export const thirtyDays: WindowDefaults = { startFor: (end) => toDay(end - 30 * dayMs) }

const defaultYears = 2
const yearZero = Date.parse('0000-01-01T00:00:00.000Z')

/**
 * Reads a report's window. A start that is not sent is the default one as of now, or as of the end sent where that is earlier; an end
 * that is not sent is the default one, or the start sent where that is later: only a window sent whole can be reversed.
 * @throws {ApiError} window_reversed
 */
export function readWindow(
  { start_date, end_date }: { start_date?: string; end_date?: string },
  now: number,
  { startFor = twoYearsBefore, endFor = toDay }: WindowDefaults = {},
): Window {
  const window = readDates({ start_date: start_date ?? startFor(now), end_date: end_date ?? endFor(now) }, now)
  if (window.start <= window.end) return window
  if (start_date === undefined) return readDates({ start_date: startFor(window.end), end_date: window.end_date }, now)
  if (end_date === undefined) return readDates({ start_date, end_date: start_date }, now)
  throw reversed(['start_date', start_date], ['end_date', end_date])
}

function readDates(dates: { start_date: string; end_date: string }, now: number): Window {
  const end = parseTime(dates.end_date, { now, edge: 'end' }) ?? now
  // A default start before the year 0 is no date.
  return { ...dates, start: parseTime(dates.start_date, { now, edge: 'start' }) ?? end, end }
}

/**
 * Reads the two ends of a window, named as the parameters are, the start first; an end that is left out is open. Epoch ms.
 * @throws {ApiError} window_reversed
 */
export function readEnds(ends: Readonly<Record<string, string | undefined>>, now: number): { start?: number; end?: number } {
  const [[fromName, from] = ['', undefined], [toName, to] = ['', undefined]] = Object.entries(ends)
  const start = from === undefined ? undefined : parseTime(from, { now, edge: 'start' })
  const end = to === undefined ? undefined : parseTime(to, { now, edge: 'end' })
  if (start !== undefined && end !== undefined && start > end) throw reversed([fromName, from], [toName, to])
  return { start, end }
}

/** Whether the end of a window was sent as an instant, as the dates of rows are, and not as a day or as words. */
export function endsAtInstant({ end_date }: Window): boolean {
  return /^\d{4}-\d{2}-\d{2}[Tt ]/.test(end_date)
}

function reversed([fromName, from = '']: [string, string?], [toName, to = '']: [string, string?]): ApiError {
  return apiError('window_reversed', { from_name: fromName, from, to_name: toName, to })
}

/** Makes sure that a time of a body, if there is one, is yet to come. @throws {ApiError} parameter_invalid */
export function assertLater(clock: Clock, field: string, instant: string | null | undefined): void {
  if (instant != null && instant <= clock.iso())
    throw invalidParameter('Body field', field, instant, `it must be later than now (${clock.iso()})`)
}

function twoYearsBefore(end: number): string {
  const date = new Date(end)
  return toDay(Math.max(date.setUTCFullYear(date.getUTCFullYear() - defaultYears), yearZero))
}

/** The window of the same length that ends where this one begins. Epoch ms, both ends inclusive. */
export function precedingWindow({ start, end }: { start: number; end: number }): { start: number; end: number } {
  return { start: start - (end - start + 1), end: start - 1 }
}

/** By how many percent a figure changed, to two decimals: 0 when both are 0, 100 when there was none before. */
export function percentChange(current: number, before: number): number {
  if (before === 0) return current === 0 ? 0 : 100
  return Math.round(((current - before) / Math.abs(before)) * 10_000) / 100
}

/** A span of time, epoch ms, both ends inclusive. */
export interface Span {
  start: number
  end: number
}
