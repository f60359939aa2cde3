import { apiError, invalidParameter } from '../errors.ts'
import { parseTime, toDay } from '../schemas/time.ts'
import type { World } from './world.ts'

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
  const dates = { start_date: start_date ?? toDay(yearsBack(now)), end_date: end_date ?? toDay(now) }
  const { start = now, end = now } = readEnds(dates, now)
  return { ...dates, start, end }
}

/**
 * Reads the two ends of a window, named as the parameters are, the start first; an end that is left out is open. Epoch ms.
 * @throws {ApiError} window_reversed
 */
export function readEnds(ends: Readonly<Record<string, string | undefined>>, now: number): { start?: number; end?: number } {
  const [[fromName, from] = ['', undefined], [toName, to] = ['', undefined]] = Object.entries(ends)
  const start = from === undefined ? undefined : parseTime(from, { now, edge: 'start' })
  const end = to === undefined ? undefined : parseTime(to, { now, edge: 'end' })
  if (start !== undefined && end !== undefined && start > end) {
    throw apiError('window_reversed', { from_name: fromName, from: from ?? '', to_name: toName, to: to ?? '' })
  }
  return { start, end }
}

/** Makes sure that a time of a body, if there is one, is yet to come. @throws {ApiError} parameter_invalid */
export function assertLater(world: World, field: string, instant: string | null | undefined): void {
  if (instant != null && instant <= world.clock.iso()) throw invalidParameter('Body field', field, instant, `it must be later than now (${world.clock.iso()})`)
}

function yearsBack(now: number): number {
  const date = new Date(now)
  return date.setUTCFullYear(date.getUTCFullYear() - defaultYears)
}
