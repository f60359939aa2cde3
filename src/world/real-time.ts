import { earliestTime, latestTime, minuteMs, parseRfc3339, getStartOfUtcDay } from '../lib/time.ts'
import { isDate } from '../lib/realms.ts'

/**
 * A time in an option or argument: `'now'` for the real time, `'today'` for 00:00 UTC of the
 * current day, an RFC 3339 time, a date (00:00 UTC of that day), epoch ms, or a `Date`.
 */
export type MomentInput = 'now' | 'today' | (string & {}) | number | Date

/** Describes the allowed forms of a `MomentInput`, for error messages. */
export const momentForms =
  'now, today, epoch ms, or an RFC 3339 time from 2004 to 2286, such as 2026-10-01T09:00:00Z'

/** Maximum length of a time, characters. */
const maxTextLength = 100

/**
 * Returns the real time, epoch ms. If fake timers are installed, returns their time. Code in a
 * world uses `world.clock` instead.
 */
export function getRealTime(): number {
  return Date.now()
}

/** Parses a time to epoch ms. Undefined if it is invalid. `real` is the real time, epoch ms. */
export function parseEpochMs(given: unknown, real: number): number | undefined {
  if (given === 'now') return real
  if (given === 'today') return getStartOfUtcDay(real)
  if (typeof given === 'string')
    return given.length > maxTextLength ? undefined : parseRfc3339(given)
  const epochMs = isDate(given) ? given.getTime() : given
  return typeof epochMs === 'number' && Number.isFinite(epochMs) ? Math.floor(epochMs) : undefined
}

/**
 * Parses a sandbox time (2004 to 2286) to epoch ms. Undefined if it is invalid. `real` is the real
 * time, epoch ms.
 */
export function parseSandboxInstant(given: unknown, real: number): number | undefined {
  const epochMs = parseEpochMs(given, real)
  return epochMs === undefined || epochMs < earliestTime || epochMs > latestTime
    ? undefined
    : epochMs
}

/**
 * Parses the start of a clock to epoch ms. Undefined if it is invalid. `'now'` means the start of
 * the current UTC minute.
 */
export function parseClockStart(given: unknown): number | undefined {
  return parseSandboxInstant(given, getStartOfMinute(getRealTime()))
}

/** Returns the start of the UTC minute that contains a time, epoch ms. */
export function getStartOfMinute(epochMs: number): number {
  return Math.floor(epochMs / minuteMs) * minuteMs
}
