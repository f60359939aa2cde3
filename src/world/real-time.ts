import { earliestMoment, latestMoment, minuteMs, parseInstant, startOfDay } from '../lib/time.ts'

/**
 * A time as whoever uses the sandbox gives it: `'now'`, the real time; `'today'`, 00:00 UTC of the
 * real day; RFC 3339, or a day for its start in UTC; epoch ms; or a `Date`.
 */
export type MomentInput = 'now' | 'today' | (string & {}) | number | Date

/** What a `MomentInput` may be, for errors. */
export const momentForms =
  'now, today, epoch ms, or an RFC 3339 instant from 2004 to 2286, such as 2026-10-01T09:00:00Z'

/** The longest text that is a time. */
const maxTextLength = 100

/**
 * The real time, epoch ms: of the machine, or of the fake timers of a test runner. The model takes
 * its time from `world.clock`.
 */
export function realTime(): number {
  return Date.now()
}

/** Reads a time as epoch ms; undefined when it is none. `real` is the real time, epoch ms. */
export function toEpochMs(given: unknown, real: number): number | undefined {
  if (given === 'now') return real
  if (given === 'today') return startOfDay(real)
  if (typeof given === 'string')
    return given.length > maxTextLength ? undefined : parseInstant(given)
  const epochMs = isDate(given) ? given.getTime() : given
  return typeof epochMs === 'number' && Number.isFinite(epochMs) ? Math.floor(epochMs) : undefined
}

/**
 * Reads a time that a sandbox can be at, 2004 to 2286, as epoch ms; undefined when it is none.
 * `real` is the real time, epoch ms.
 */
export function readMoment(given: unknown, real: number): number | undefined {
  const epochMs = toEpochMs(given, real)
  return epochMs === undefined || epochMs < earliestMoment || epochMs > latestMoment
    ? undefined
    : epochMs
}

/**
 * Reads a clock start as epoch ms; undefined when it is none. Of `'now'` it is the start of the UTC
 * minute.
 */
export function readStart(given: unknown): number | undefined {
  return readMoment(given, startOfMinute(realTime()))
}

/** The start of the UTC minute of an instant, epoch ms. */
export function startOfMinute(epochMs: number): number {
  return Math.floor(epochMs / minuteMs) * minuteMs
}

/** Test runners have several `Date`s: a fake one, and one for each environment. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]'
}
