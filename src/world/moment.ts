import { dayMs, hourMs } from '../engine/time.ts'

/** The kinds of facts that a phrase can ask for, each with its values: a moment has one of each kind that concerns it. */
export const factKinds = {
  dayTimes: ['night', 'morning', 'afternoon', 'evening'],
  weekdays: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
  weekParts: ['weekday', 'weekend'],
  seasons: ['winter', 'spring', 'summer', 'autumn'],
  months: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  media: ['text', 'photo', 'photos', 'video', 'audio', 'gif'],
  terms: ['free', 'paid'],
  audiences: ['lapsed'],
} as const

/** The names of the values that a moment has. */
export const momentValues = ['weekday', 'tomorrow', 'yesterday', 'month', 'season', 'now'] as const

/** A time as a creator sees it: what phrases can ask for, and what they can name. */
export interface Moment {
  facts: ReadonlySet<string>
  values: Readonly<Record<string, string>>
}

/** Where and when a creator lives. */
export interface Place {
  /** Hours ahead of UTC in winter. */
  utcOffset: number
  summerTime: 'europe' | 'america' | 'none'
}

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
const nowNames = ['tonight', 'this morning', 'this afternoon', 'tonight'] as const

/** What a creator sees of that instant (epoch ms). `facts` are those that the time does not tell, such as `photo`. */
export function momentOf(place: Place, at: number, facts: readonly string[] = []): Moment {
  const local = new Date(at + offsetMs(place, at))
  const [hour, weekday, month] = [local.getUTCHours(), local.getUTCDay(), local.getUTCMonth()]
  const dayTime = hour < 5 || hour >= 23 ? 0 : hour < 12 ? 1 : hour < 18 ? 2 : 3
  const season = Math.floor(((month + 1) % 12) / 3)
  const { dayTimes, weekdays, weekParts, seasons, months } = factKinds
  return {
    facts: new Set([
      dayTimes[dayTime] ?? '',
      weekdays[weekday] ?? '',
      weekParts[weekday === 0 || weekday === 6 ? 1 : 0],
      seasons[season] ?? '',
      months[month] ?? '',
      ...facts,
    ]),
    values: {
      weekday: weekdayNames[weekday] ?? '',
      tomorrow: weekdayNames[(weekday + 1) % 7] ?? '',
      yesterday: weekdayNames[(weekday + 6) % 7] ?? '',
      month: monthNames[month] ?? '',
      season: seasons[season] ?? '',
      now: nowNames[dayTime] ?? '',
    },
  }
}

/** When a creator is awake, hours of their day: until 25 is until one in the morning. */
export interface WakingPlace extends Place {
  awake: { from: number; until: number }
}

/** That instant (epoch ms), or, where the creator sleeps then, one within the first hour after they get up: night stays in its order. */
export function awakeAfter(place: WakingPlace, at: number): number {
  const local = at + offsetMs(place, at)
  const day = local - (((local % dayMs) + dayMs) % dayMs)
  const { from, until } = place.awake
  const hour = (local - day) / hourMs
  const asleep = hour >= until ? hour - until : hour < from && hour + 24 >= until ? hour + 24 - until : undefined
  if (asleep === undefined) return at
  const night = from + 24 - until
  return Math.round(at + (night - asleep) * hourMs + (asleep / night) * hourMs)
}

/** How far a creator's clock is ahead of UTC at that instant, ms. */
export function offsetMs({ utcOffset, summerTime }: Place, at: number): number {
  return (utcOffset + (isSummer(summerTime, at - utcOffset * hourMs) ? 1 : 0)) * hourMs
}

/**
 * Whether clocks are on summer time: in Europe from the last Sunday of March to that of October, in America from the second one of March
 * to the first one of November.
 */
function isSummer(rule: Place['summerTime'], at: number): boolean {
  if (rule === 'none') return false
  const year = new Date(at).getUTCFullYear()
  return rule === 'europe'
    ? at >= sundayBefore(Date.UTC(year, 3, 1)) && at < sundayBefore(Date.UTC(year, 10, 1))
    : at >= sundayBefore(Date.UTC(year, 2, 15)) && at < sundayBefore(Date.UTC(year, 10, 8))
}

/** The last Sunday before a day, both epoch ms. */
function sundayBefore(day: number): number {
  // The first of January 1970 was a Thursday.
  return day - (((day / dayMs + 3) % 7) + 1) * dayMs
}
