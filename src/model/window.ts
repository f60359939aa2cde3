import { apiError } from '../errors.ts'
import { dayMs, parseTime, startOfDay, toDay } from '../schemas/time.ts'

/** A window of time: its ends as the query has them, and as epoch ms, both inclusive. */
export interface Window {
  start_date: string
  end_date: string
  start: number
  end: number
}

const defaultYears = 2

/** Reads a report's window; it defaults to two years back to the end of today, UTC. @throws {ApiError} window_reversed */
export function readWindow({ start_date, end_date }: { start_date?: string; end_date?: string }, now: number): Window {
  const startDate = start_date ?? toDay(yearsBack(now))
  const endDate = end_date ?? toDay(now)
  const start = parseTime(startDate, { now, edge: 'start' }) ?? now
  const end = parseTime(endDate, { now, edge: 'end' }) ?? startOfDay(now) + dayMs - 1
  if (start > end) throw apiError('window_reversed', { from_name: 'start_date', from: startDate, to_name: 'end_date', to: endDate })
  return { start_date: startDate, end_date: endDate, start, end }
}

/** Reads a window that is open where an end is left out; epoch ms. @throws {ApiError} window_reversed */
export function readOpenWindow({ date_start, date_end }: { date_start?: string; date_end?: string }, now: number): { start?: number; end?: number } {
  const start = date_start === undefined ? undefined : parseTime(date_start, { now, edge: 'start' })
  const end = date_end === undefined ? undefined : parseTime(date_end, { now, edge: 'end' })
  if (start !== undefined && end !== undefined && start > end) {
    throw apiError('window_reversed', { from_name: 'date_start', from: date_start ?? '', to_name: 'date_end', to: date_end ?? '' })
  }
  return { start, end }
}

function yearsBack(now: number): number {
  const date = new Date(now)
  return date.setUTCFullYear(date.getUTCFullYear() - defaultYears)
}
