import { dayMs, toUtcDay } from './time.ts'

/** The calendar days of a time zone. */
export interface ZoneCalendar {
  /** Returns the first millisecond of a day `YYYY-MM-DD`, epoch ms. */
  getDayStart: (day: string) => number
  /** Returns the last millisecond of a day, epoch ms. */
  getDayEnd: (day: string) => number
  /** Returns the day of a time, as `YYYY-MM-DD`. */
  getDay: (epochMs: number) => string
}

/** True if a string is a time zone of the IANA database, such as `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  if (text === utc) return true
  if (!/^[A-Za-z][\w+\-/]{0,63}$/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const utc = 'UTC'

/**
 * The calendar of UTC. Does not use `Intl`, because creating a formatter takes longer than most
 * requests.
 */
const daysOfUtc: ZoneCalendar = {
  getDayStart: (day) => Date.parse(`${day}T00:00:00Z`),
  getDayEnd: (day) => Date.parse(`${day}T00:00:00Z`) + dayMs - 1,
  getDay: toUtcDay,
}

/**
 * Creates a calendar for a time zone that accounts for daylight saving time.
 * @throws {RangeError} if the zone is unknown
 */
export function createZoneCalendar(timeZone: string): ZoneCalendar {
  if (timeZone === utc) return daysOfUtc
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const offsetAt = (epochMs: number) => {
    const parts = Object.fromEntries(
      format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]),
    )
    const local = Date.UTC(
      parts['year'] ?? 0,
      (parts['month'] ?? 1) - 1,
      parts['day'],
      parts['hour'],
      parts['minute'],
      parts['second'],
    )
    return local - Math.floor(epochMs / 1000) * 1000
  }
  const dayAt = (epochMs: number) =>
    new Date(epochMs + offsetAt(epochMs)).toISOString().slice(0, 10)
  // The clocks may change at midnight, so this tries both the earlier and the later offset. The
  // start is the first candidate that lies within the day.
  const startOf = (midnight: number, day: string) => {
    const candidates = [
      midnight - offsetAt(midnight - dayMs),
      midnight - offsetAt(midnight + dayMs),
    ].toSorted((a, b) => a - b)
    return candidates.find((candidate) => dayAt(candidate) === day) ?? Math.max(...candidates)
  }
  const midnightOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
  return {
    getDayStart: (day) => startOf(midnightOf(day), day),
    getDayEnd(day) {
      const next = midnightOf(day) + dayMs
      return startOf(next, new Date(next).toISOString().slice(0, 10)) - 1
    },
    getDay: dayAt,
  }
}
