import { earliestMoment, latestMoment, minuteMs, parseInstant, startOfDay } from '../lib/time.ts'

/**
 * A time in an option or argument: `'now'`, the real time; `'today'`, 00:00 UTC of the real day;
 * RFC 3339, or a day for its start in UTC; epoch ms; or a `Date`.
 */
export type MomentInput = 'now' | 'today' | (string & {}) | number | Date

/** The forms of a `MomentInput`, for error messages. */
export const momentForms =
  'now, today, epoch ms, or an RFC 3339 instant from 2004 to 2286, such as 2026-10-01T09:00:00Z'

/** Maximum length of a time, characters. */
const maxTextLength = 100

/** The time of the machine or of fake timers, epoch ms. The model reads `world.clock` instead. */
export function realTime(): number {
  return Date.now()
}

/** Parses a time as epoch ms; undefined if it is none. `real` is the real time, epoch ms. */
export function toEpochMs(given: unknown, real: number): number | undefined {
  if (given === 'now') return real
  if (given === 'today') return startOfDay(real)
  if (typeof given === 'string')
    return given.length > maxTextLength ? undefined : parseInstant(given)
  const epochMs = isDate(given) ? given.getTime() : given
  return typeof epochMs === 'number' && Number.isFinite(epochMs) ? Math.floor(epochMs) : undefined
}

/**
 * Parses a time of a sandbox, 2004 to 2286, as epoch ms; undefined if it is none. `real` is the
 * real time, epoch ms.
 */
export function readMoment(given: unknown, real: number): number | undefined {
  const epochMs = toEpochMs(given, real)
  return epochMs === undefined || epochMs < earliestMoment || epochMs > latestMoment
    ? undefined
    : epochMs
}

/**
 * Parses a clock start as epoch ms; undefined if it is none. `'now'` is the start of the UTC
 * minute.
 */
export function readStart(given: unknown): number | undefined {
  return readMoment(given, startOfMinute(realTime()))
}

/** The start of the UTC minute of an instant, epoch ms. */
export function startOfMinute(epochMs: number): number {
  return Math.floor(epochMs / minuteMs) * minuteMs
}

/** `instanceof` does not work: test runners have a fake `Date`, and one per environment. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]'
}
