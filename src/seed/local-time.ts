import { dayMs, hourMs } from '../lib/time.ts'

/** The time zone of a creator. */
export interface CreatorTimeZone {
  /** Offset from UTC in winter, hours. */
  utcOffset: number
  summerTime: 'europe' | 'america' | 'none'
}

/** Creators answer the messages of the night during this time after they wake up. */
const catchUpMs = 3 * hourMs
/** Average length of a calendar year. */
const meanYearMs = 365.2425 * dayMs
/**
 * Days of the year between which daylight saving time starts and ends in all regions, with a margin
 * for leap years.
 */
const summerDays = { earliestStart: 64, latestStart: 94, earliestEnd: 294, latestEnd: 315 }
export const weekdayNames = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const
export const monthNames = [
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
/** The times at which a text fits, as the field `when` of a text names them. */
export const whenNames = [
  'morning',
  'evening',
  'night',
  'weekend',
  'spring',
  'summer',
  'autumn',
  'winter',
] as const
export type When = (typeof whenNames)[number]

/** The seasons, starting with the one of January. */
export const seasons = ['winter', 'spring', 'summer', 'autumn'] as const

/** Local hours of each time of day. The night lasts from the evening to the morning. */
const dayTimes = { morning: [5, 11], evening: [18, 23] } as const

/** Returns a time as a local date, stored as if it were UTC. */
export function toLocalDate(zone: CreatorTimeZone, at: number): Date {
  return new Date(at + getUtcOffsetMs(zone, at))
}

/** Returns the season at a local date, in the northern hemisphere. */
export function getSeason(local: Date): (typeof seasons)[number] {
  return seasons[Math.floor(((local.getUTCMonth() + 1) % 12) / 3)] ?? 'winter'
}

/** True if a text fits a local date. */
export function isWhen(when: When | undefined, local: Date): boolean {
  if (when === undefined) return true
  const hour = local.getUTCHours()
  if (when === 'night') return hour >= dayTimes.evening[1] || hour < dayTimes.morning[0]
  if (when === 'weekend') return local.getUTCDay() % 6 === 0
  if (when === 'morning' || when === 'evening')
    return hour >= dayTimes[when][0] && hour < dayTimes[when][1]
  return when === getSeason(local)
}

/**
 * A person's time zone and usual waking hours. The hours are local. For example, 25 is 1 a.m. of
 * the next day. The actual hours vary by day.
 */
export interface WakingPlace extends CreatorTimeZone {
  awake: { from: number; until: number }
}

/** Ranges in hours by which the bedtime and the waking time vary from day to day. */
const variation = { bedtime: [-1.2, 1], waking: [-0.8, 1.2] } as const
/** Fraction of nights on which a person goes to bed late, and the maximum delay in hours. */
const lateNights = { share: 0.03, hours: 4 }

/** Returns a number from 0 to 1 that depends on the day, the person's hours and the purpose. */
function hashDay({ awake: { from, until }, utcOffset }: WakingPlace, day: number, purpose: number) {
  let hash = Math.imul(day * 31 + from * 7 + until * 3 + utcOffset * 17 + purpose, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** Returns the hour of a day when a person goes to bed. It may be after midnight, such as 25. */
function getBedtime(zone: WakingPlace, day: number): number {
  const [least, most] = variation.bedtime
  const usual = zone.awake.until + least + (most - least) * hashDay(zone, day, 1)
  const { share, hours } = lateNights
  return usual + hours * Math.max(0, 1 - hashDay(zone, day, 2) / share)
}

/** Returns the hour of a day when a person gets up. */
function getWakingHour(zone: WakingPlace, day: number): number {
  const [least, most] = variation.waking
  return zone.awake.from + least + (most - least) * hashDay(zone, day, 3)
}

/**
 * Returns how long a person has been asleep at a local time (epoch ms), and the length of that
 * night, in hours. Undefined if the person is awake.
 */
function findSleep(
  zone: WakingPlace,
  local: number,
): { asleep: number; night: number } | undefined {
  const day = Math.floor(local / dayMs)
  const hour = local / hourMs - day * 24
  const waking = getWakingHour(zone, day)
  if (hour < waking) {
    const bedtime = getBedtime(zone, day - 1) - 24
    if (hour >= bedtime) return { asleep: hour - bedtime, night: waking - bedtime }
  }
  const bedtime = getBedtime(zone, day)
  if (hour < bedtime) return undefined
  return { asleep: hour - bedtime, night: getWakingHour(zone, day + 1) + 24 - bedtime }
}

/**
 * Returns the given time (epoch ms) if the person is awake. Otherwise, returns the time some hours
 * before they went to bed.
 */
export function moveBeforeBedtime(zone: WakingPlace, at: number, hoursBefore: number): number {
  const sleep = findSleep(zone, at + getUtcOffsetMs(zone, at))
  return sleep === undefined ? at : Math.floor(at - (sleep.asleep + hoursBefore) * hourMs)
}

/**
 * Returns the given time (epoch ms) if the person is awake. Otherwise, returns a time in the first
 * hours after they wake up. The order of times is preserved.
 */
export function delayUntilAwake(zone: WakingPlace, at: number): number {
  const sleep = findSleep(zone, at + getUtcOffsetMs(zone, at))
  if (sleep === undefined) return at
  const { asleep, night } = sleep
  return Math.round(at + (night - asleep) * hourMs + (asleep / night) * catchUpMs)
}

/** Returns the offset of a creator's local time from UTC at a given time, ms. */
export function getUtcOffsetMs({ utcOffset, summerTime }: CreatorTimeZone, at: number): number {
  return (utcOffset + (isSummer(summerTime, at - utcOffset * hourMs) ? 1 : 0)) * hourMs
}

/**
 * True during daylight saving time. In Europe, daylight saving time lasts from the last Sunday of
 * March to the last Sunday of October. In America, it lasts from the second Sunday of March to the
 * first Sunday of November.
 */
function isSummer(rule: CreatorTimeZone['summerTime'], at: number): boolean {
  if (rule === 'none') return false
  // Most times are so far from a change of clocks that the exact days need not be computed.
  const dayOfYear = (at % meanYearMs) / dayMs
  if (dayOfYear > summerDays.latestStart && dayOfYear < summerDays.earliestEnd) return true
  if (dayOfYear < summerDays.earliestStart || dayOfYear > summerDays.latestEnd) return false
  // The local year may differ from the UTC year around New Year, but daylight saving time is never
  // in effect then.
  const year = 1970 + Math.floor(at / meanYearMs)
  return rule === 'europe'
    ? at >= getSundayBefore(Date.UTC(year, 3, 1)) && at < getSundayBefore(Date.UTC(year, 10, 1))
    : at >= getSundayBefore(Date.UTC(year, 2, 15)) && at < getSundayBefore(Date.UTC(year, 10, 8))
}

/** Returns the last Sunday before a day. Both days are in epoch ms. */
function getSundayBefore(day: number): number {
  // 1 January 1970 was a Thursday.
  return day - (((day / dayMs + 3) % 7) + 1) * dayMs
}
