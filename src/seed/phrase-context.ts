import { dayMs, hourMs } from '../lib/time.ts'

/** Conditions that a phrase can require, by kind. */
export const conditionKinds = {
  dayTimes: ['night', 'morning', 'afternoon', 'evening'],
  weekdays: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
  weekParts: ['weekday', 'weekend'],
  seasons: ['winter', 'spring', 'summer', 'autumn'],
  months: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  media: ['text', 'photo', 'photos', 'video', 'audio', 'gif'],
  terms: ['free', 'paid'],
  audiences: ['lapsed'],
} as const

/** Names of the placeholder values that a phrase context provides. */
export const contextValues = [
  'weekday',
  'tomorrow',
  'yesterday',
  'month',
  'lastMonth',
  'season',
  'now',
] as const

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
const nowNames = ['tonight', 'this morning', 'this afternoon', 'tonight'] as const

/**
 * Conditions that combine other conditions. The weekend combines two days, and a season combines
 * three months.
 */
const combinedConditions = {
  weekday: ['mon', 'tue', 'wed', 'thu', 'fri'],
  weekend: ['sat', 'sun'],
  winter: ['dec', 'jan', 'feb'],
  spring: ['mar', 'apr', 'may'],
  summer: ['jun', 'jul', 'aug'],
  autumn: ['sep', 'oct', 'nov'],
} as const

/**
 * The bit of each condition. A combined condition has all bits of its parts. All 32 bits that
 * bitwise operators support are in use.
 */
const conditionBits = new Map<string, number>()
for (const kind of ['dayTimes', 'weekdays', 'months', 'media', 'terms', 'audiences'] as const)
  for (const condition of conditionKinds[kind])
    conditionBits.set(condition, 1 << conditionBits.size)
for (const [whole, parts] of Object.entries(combinedConditions))
  conditionBits.set(
    whole,
    parts.reduce((bits, part) => bits | toConditionBits(part), 0),
  )

/**
 * Returns the bits of a condition, or 0 for an unknown word. A context meets the condition if it
 * has at least one of these bits.
 */
export function toConditionBits(condition: string): number {
  return conditionBits.get(condition) ?? 0
}

/**
 * A time in a creator's day. It determines which conditions are met, and provides values for
 * placeholders. Both are computed on first use.
 */
export class PhraseContext {
  readonly #place: CreatorTimeZone
  readonly #at: number
  readonly #conditions: readonly string[]
  #local: Date | undefined
  #bits: number | undefined

  constructor(
    place: CreatorTimeZone,
    at: number,
    { conditions, local }: { conditions: readonly string[]; local?: Date },
  ) {
    this.#place = place
    this.#at = at
    this.#conditions = conditions
    this.#local = local
  }

  /** Returns a context for the same time with other additional conditions, such as `photo`. */
  with(conditions: readonly string[]): PhraseContext {
    return new PhraseContext(this.#place, this.#at, { conditions, local: this.local })
  }

  /** The bits of all conditions that this context meets. */
  get bits(): number {
    if (this.#bits !== undefined) return this.#bits
    const { local } = this
    const { dayTimes, weekdays, months } = conditionKinds
    let bits =
      toConditionBits(dayTimes[this.#dayTime()] ?? '') |
      toConditionBits(weekdays[local.getUTCDay()] ?? '') |
      toConditionBits(months[local.getUTCMonth()] ?? '')
    for (const condition of this.#conditions) bits |= toConditionBits(condition)
    this.#bits = bits
    return bits
  }

  /** The creator's local time, stored as if it were UTC. */
  get local(): Date {
    return (this.#local ??= new Date(this.#at + getUtcOffsetMs(this.#place, this.#at)))
  }

  /** Returns the value for a placeholder in a phrase. */
  value(name: (typeof contextValues)[number]): string {
    const weekday = this.local.getUTCDay()
    if (name === 'weekday') return weekdayNames[weekday] ?? ''
    if (name === 'tomorrow') return weekdayNames[(weekday + 1) % 7] ?? ''
    if (name === 'yesterday') return weekdayNames[(weekday + 6) % 7] ?? ''
    const month = this.local.getUTCMonth()
    if (name === 'month') return monthNames[month] ?? ''
    if (name === 'lastMonth') return monthNames[(month + 11) % 12] ?? ''
    return (
      (name === 'season'
        ? conditionKinds.seasons[Math.floor(((month + 1) % 12) / 3)]
        : nowNames[this.#dayTime()]) ?? ''
    )
  }

  /** Returns the index of the time of day. */
  #dayTime(): number {
    const hour = this.local.getUTCHours()
    return hour < 5 || hour >= 23 ? 0 : hour < 12 ? 1 : hour < 18 ? 2 : 3
  }
}

/**
 * Creates the context for a time (epoch ms) in the creator's time zone. `conditions` are met in
 * addition to the conditions that depend on the time. For example: `photo`.
 */
export function createPhraseContext(
  place: CreatorTimeZone,
  at: number,
  conditions: readonly string[] = [],
): PhraseContext {
  return new PhraseContext(place, at, { conditions })
}

/**
 * Returns the conditions that media of the given types meet. Without media, the only condition is
 * `text`. Several photos also meet `photos`.
 */
export function listMediaConditions(types: readonly string[]): string[] {
  if (types.length === 0) return ['text']
  const conditions = [...types]
  if (types.indexOf('photo') !== types.lastIndexOf('photo')) conditions.push('photos')
  return conditions
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
function getBedtime(place: WakingPlace, day: number): number {
  const [least, most] = variation.bedtime
  const usual = place.awake.until + least + (most - least) * hashDay(place, day, 1)
  const { share, hours } = lateNights
  return usual + hours * Math.max(0, 1 - hashDay(place, day, 2) / share)
}

/** Returns the hour of a day when a person gets up. */
function getWakingHour(place: WakingPlace, day: number): number {
  const [least, most] = variation.waking
  return place.awake.from + least + (most - least) * hashDay(place, day, 3)
}

/**
 * Returns how long a person has been asleep at a local time (epoch ms), and the length of that
 * night, in hours. Undefined if the person is awake.
 */
function findSleep(
  place: WakingPlace,
  local: number,
): { asleep: number; night: number } | undefined {
  const day = Math.floor(local / dayMs)
  const hour = local / hourMs - day * 24
  const waking = getWakingHour(place, day)
  if (hour < waking) {
    const bedtime = getBedtime(place, day - 1) - 24
    if (hour >= bedtime) return { asleep: hour - bedtime, night: waking - bedtime }
  }
  const bedtime = getBedtime(place, day)
  if (hour < bedtime) return undefined
  return { asleep: hour - bedtime, night: getWakingHour(place, day + 1) + 24 - bedtime }
}

/** True if a person is awake at a moment in their time zone. */
export function isAwake(place: WakingPlace, { local }: PhraseContext): boolean {
  return findSleep(place, local.getTime()) === undefined
}

/**
 * Returns the given time (epoch ms) if the person is awake. Otherwise, returns the time some hours
 * before they went to bed.
 */
export function moveBeforeBedtime(place: WakingPlace, at: number, hoursBefore: number): number {
  const sleep = findSleep(place, at + getUtcOffsetMs(place, at))
  return sleep === undefined ? at : Math.floor(at - (sleep.asleep + hoursBefore) * hourMs)
}

/**
 * Returns the given time (epoch ms) if the person is awake. Otherwise, returns a time in the first
 * hours after they wake up. The order of times is preserved.
 */
export function delayUntilAwake(place: WakingPlace, at: number): number {
  const sleep = findSleep(place, at + getUtcOffsetMs(place, at))
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
