import { dayMs, hourMs } from '../lib/time.ts'

/**
 * Kinds of facts that a phrase can require, each with its values. A moment has at most one fact of
 * each kind.
 */
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

/** Names of the placeholder values that a moment provides. */
export const momentValues = [
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

/** Time after waking up during which creators answer the messages that arrived at night. */
const catchUpMs = 2.5 * hourMs
/** Average length of a calendar year. */
const meanYearMs = 365.2425 * dayMs
const weekdayNames = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const
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

/** Facts that consist of other facts: the weekend consists of days, and a season of months. */
const wholes = {
  weekday: ['mon', 'tue', 'wed', 'thu', 'fri'],
  weekend: ['sat', 'sun'],
  winter: ['dec', 'jan', 'feb'],
  spring: ['mar', 'apr', 'may'],
  summer: ['jun', 'jul', 'aug'],
  autumn: ['sep', 'oct', 'nov'],
} as const

/**
 * The bit of each fact. A fact that consists of others has all of their bits. There are 32 bits,
 * the maximum for bitwise operators.
 */
const factBits = new Map<string, number>()
for (const kind of ['dayTimes', 'weekdays', 'months', 'media', 'terms', 'audiences'] as const)
  for (const fact of factKinds[kind]) factBits.set(fact, 1 << factBits.size)
for (const [whole, parts] of Object.entries(wholes))
  factBits.set(
    whole,
    parts.reduce((bits, part) => bits | toFactBits(part), 0),
  )

/**
 * Returns the bits of a fact, or 0 for an unknown word. A moment has the fact if it has at least
 * one of these bits.
 */
export function toFactBits(fact: string): number {
  return factBits.get(fact) ?? 0
}

/**
 * A time in a creator's day, with the facts that phrases can require, and values for their
 * placeholders. Both are computed on first use.
 */
export class PhraseContext {
  readonly #place: CreatorTimeZone
  readonly #at: number
  readonly #facts: readonly string[]
  #local: Date | undefined
  #bits: number | undefined

  constructor(
    place: CreatorTimeZone,
    at: number,
    { facts, local }: { facts: readonly string[]; local?: Date },
  ) {
    this.#place = place
    this.#at = at
    this.#facts = facts
    this.#local = local
  }

  /** Returns the same time with different facts, such as `photo`. */
  with(facts: readonly string[]): PhraseContext {
    return new PhraseContext(this.#place, this.#at, { facts, local: this.local })
  }

  /** The bits of all facts of the moment. */
  get bits(): number {
    if (this.#bits !== undefined) return this.#bits
    const { local } = this
    const { dayTimes, weekdays, months } = factKinds
    let bits =
      toFactBits(dayTimes[this.#dayTime()] ?? '') |
      toFactBits(weekdays[local.getUTCDay()] ?? '') |
      toFactBits(months[local.getUTCMonth()] ?? '')
    for (const fact of this.#facts) bits |= toFactBits(fact)
    this.#bits = bits
    return bits
  }

  /** The creator's local time, stored as if it were UTC. */
  get local(): Date {
    return (this.#local ??= new Date(this.#at + getUtcOffsetMs(this.#place, this.#at)))
  }

  /** Returns the value for a placeholder in a phrase. */
  value(name: (typeof momentValues)[number]): string {
    const weekday = this.local.getUTCDay()
    if (name === 'weekday') return weekdayNames[weekday] ?? ''
    if (name === 'tomorrow') return weekdayNames[(weekday + 1) % 7] ?? ''
    if (name === 'yesterday') return weekdayNames[(weekday + 6) % 7] ?? ''
    const month = this.local.getUTCMonth()
    if (name === 'month') return monthNames[month] ?? ''
    if (name === 'lastMonth') return monthNames[(month + 11) % 12] ?? ''
    return (
      (name === 'season'
        ? factKinds.seasons[Math.floor(((month + 1) % 12) / 3)]
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
 * Creates a moment in the creator's time zone. `at` is in epoch ms. `facts` are additional facts
 * that do not depend on the time, such as `photo`.
 */
export function createPhraseContext(
  place: CreatorTimeZone,
  at: number,
  facts: readonly string[] = [],
): PhraseContext {
  return new PhraseContext(place, at, { facts })
}

/**
 * Returns facts about media of the given types: `text` if there are no media, and `photos` if there
 * are several photos.
 */
export function listMediaFacts(types: readonly string[]): string[] {
  if (types.length === 0) return ['text']
  const facts = [...types]
  if (types.indexOf('photo') !== types.lastIndexOf('photo')) facts.push('photos')
  return facts
}

/** A person's time zone and waking hours in local time. For example, 25 means 1 a.m. */
export interface WakingPlace extends CreatorTimeZone {
  awake: { from: number; until: number }
}

/**
 * Returns the given time (epoch ms) if the person is awake. Otherwise, returns a time in the first
 * hours after they wake up. The order of times is preserved.
 */
export function delayUntilAwake(place: WakingPlace, at: number): number {
  const local = at + getUtcOffsetMs(place, at)
  const day = local - (((local % dayMs) + dayMs) % dayMs)
  const { from, until } = place.awake
  const hour = (local - day) / hourMs
  const asleep =
    hour >= until ? hour - until : hour < from && hour + 24 >= until ? hour + 24 - until : undefined
  if (asleep === undefined) return at
  const night = from + 24 - until
  return Math.round(at + (night - asleep) * hourMs + (asleep / night) * catchUpMs)
}

/** Returns the offset of a creator's local time from UTC at a given time, ms. */
export function getUtcOffsetMs({ utcOffset, summerTime }: CreatorTimeZone, at: number): number {
  return (utcOffset + (isSummer(summerTime, at - utcOffset * hourMs) ? 1 : 0)) * hourMs
}

/**
 * True during daylight saving time. In Europe, it lasts from the last Sunday of March to the last
 * Sunday of October. In America, it lasts from the second Sunday of March to the first Sunday of
 * November.
 */
function isSummer(rule: CreatorTimeZone['summerTime'], at: number): boolean {
  if (rule === 'none') return false
  // The local year may differ from the UTC year around New Year, but daylight saving time is never
  // in effect then.
  const year = 1970 + Math.floor(at / meanYearMs)
  return rule === 'europe'
    ? at >= getSundayBefore(Date.UTC(year, 3, 1)) && at < getSundayBefore(Date.UTC(year, 10, 1))
    : at >= getSundayBefore(Date.UTC(year, 2, 15)) && at < getSundayBefore(Date.UTC(year, 10, 8))
}

/** Returns the last Sunday before a day. Both are epoch ms. */
function getSundayBefore(day: number): number {
  // 1 January 1970 was a Thursday.
  return day - (((day / dayMs + 3) % 7) + 1) * dayMs
}
