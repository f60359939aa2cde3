import {
  earliestMoment,
  latestMoment,
  minuteMs,
  parseRfc3339,
  getStartOfUtcDay,
} from '../lib/time.ts'

/**
 * A time in an option or argument: `'now'`, the real time; `'today'`, 00:00 UTC of the real day;
 * RFC 3339; a date, meaning its start in UTC; epoch ms; or a `Date`.
 */
export type MomentInput = 'now' | 'today' | (string & {}) | number | Date

/** The allowed forms of a `MomentInput`, for error messages. */
export const momentForms =
  'now, today, epoch ms, or an RFC 3339 time from 2004 to 2286, such as 2026-10-01T09:00:00Z'

/** Maximum length of a time, characters. */
const maxTextLength = 100

/** The real time, or that of fake timers, epoch ms. Code of a world uses `world.clock` instead. */
export function getRealTime(): number {
  return Date.now()
}

/** Parses a time as epoch ms; undefined if it is invalid. `real` is the real time, epoch ms. */
export function parseEpochMs(given: unknown, real: number): number | undefined {
  if (given === 'now') return real
  if (given === 'today') return getStartOfUtcDay(real)
  if (typeof given === 'string')
    return given.length > maxTextLength ? undefined : parseRfc3339(given)
  const epochMs = isDate(given) ? given.getTime() : given
  return typeof epochMs === 'number' && Number.isFinite(epochMs) ? Math.floor(epochMs) : undefined
}

/**
 * Parses a sandbox time, from 2004 to 2286, as epoch ms; undefined if it is invalid. `real` is the
 * real time, epoch ms.
 */
export function parseSandboxMoment(given: unknown, real: number): number | undefined {
  const epochMs = parseEpochMs(given, real)
  return epochMs === undefined || epochMs < earliestMoment || epochMs > latestMoment
    ? undefined
    : epochMs
}

/**
 * Parses the start of a clock as epoch ms; undefined if it is invalid. `'now'` means the start of
 * the current UTC minute.
 */
export function parseClockStart(given: unknown): number | undefined {
  return parseSandboxMoment(given, getStartOfMinute(getRealTime()))
}

/** The start of the UTC minute of a time, epoch ms. */
export function getStartOfMinute(epochMs: number): number {
  return Math.floor(epochMs / minuteMs) * minuteMs
}

/** `instanceof` would fail, because test runners replace `Date`, also per environment. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]'
}
