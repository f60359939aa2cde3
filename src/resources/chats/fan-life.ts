import { dayMs, hourMs } from '../../lib/time.ts'
import { getUtcOffsetMs } from '../../seed/local-time.ts'
import type { WakingPlace } from '../../seed/local-time.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import { deriveCountry, getTimezone, deriveTown } from '../fans/fan-values.ts'

/** A fan's time zone and waking hours, and the local hours when the fan writes, with weights. */
export interface FanLife extends WakingPlace {
  hours: Readonly<Record<number, number>>
}

/** Weights of the hours when fans write, starting with the hour when they get up. */
const writingHours = [2, 2, 1, 1, 1, 2, 2, 1, 1, 2, 4, 6, 10, 13, 13, 9, 3] as const

/** Hours when fans get up, with weights. */
const risings = [
  [5, 14],
  [6, 28],
  [7, 30],
  [8, 16],
  [10, 12],
] as const
/** Hours per day that fans are awake. */
const wakingHours = 17

/** UTC offset of each time zone in winter, in hours, and its daylight saving rule. */
const offsets: Readonly<Record<string, readonly [number, WakingPlace['summerTime']]>> = {
  'Africa/Johannesburg': [2, 'none'],
  'America/Argentina/Buenos_Aires': [-3, 'none'],
  'America/Boise': [-7, 'america'],
  'America/Chicago': [-6, 'america'],
  'America/Denver': [-7, 'america'],
  'America/Edmonton': [-7, 'america'],
  'America/Halifax': [-4, 'america'],
  'America/Los_Angeles': [-8, 'america'],
  'America/Mexico_City': [-6, 'none'],
  'America/New_York': [-5, 'america'],
  'America/Phoenix': [-7, 'none'],
  'America/Recife': [-3, 'none'],
  'America/Sao_Paulo': [-3, 'none'],
  'America/Tijuana': [-8, 'america'],
  'America/Toronto': [-5, 'america'],
  'America/Winnipeg': [-6, 'america'],
  'Asia/Almaty': [5, 'none'],
  'Asia/Dubai': [4, 'none'],
  'Asia/Kolkata': [5.5, 'none'],
  'Asia/Manila': [8, 'none'],
  'Asia/Seoul': [9, 'none'],
  'Asia/Tokyo': [9, 'none'],
  'Australia/Brisbane': [10, 'none'],
  'Australia/Perth': [8, 'none'],
  // Daylight saving time in the southern hemisphere is not modelled.
  'Australia/Sydney': [10, 'none'],
  'Pacific/Auckland': [12, 'none'],
  'Europe/Dublin': [0, 'europe'],
  'Europe/Helsinki': [2, 'europe'],
  'Europe/Istanbul': [3, 'none'],
  'Europe/Lisbon': [0, 'europe'],
  'Europe/London': [0, 'europe'],
}
/** UTC offset and daylight saving rule of all other time zones in Europe. */
const usual = [1, 'europe'] as const

/** Returns the UTC offset of a time zone in winter, in hours. */
export function getWinterOffset(timezone: string): number {
  return (offsets[timezone] ?? usual)[0]
}

/** Derives a fan's time zone and active hours from the id. */
export function deriveFanLife(texts: Pick<SeedTexts, 'countries'>, fanId: number): FanLife {
  const random = createRandom(0, 'life', fanId)
  const country = deriveCountry(fanId, texts.countries)
  const timezone = getTimezone(country, deriveTown(texts, fanId)) ?? ''
  const [utcOffset, summerTime] = offsets[timezone] ?? usual
  const from = random.pickWeighted(risings)
  const hours: Record<number, number> = {}
  for (const [place, weight] of writingHours.entries()) hours[(from + place) % 24] = weight
  return { utcOffset, summerTime, awake: { from, until: Math.min(30, from + wakingHours) }, hours }
}

/**
 * Reply delays in seconds, for fans who are holding their phone and for fans who have put it away.
 */
const fanWaits = {
  near: { median: 95, spread: 1.3 },
  away: { median: 5200, spread: 1.1 },
} as const
/** Maximum reply delay of a fan, in seconds. */
const longestWait = 3 * 24 * 3600

/**
 * Returns a random delay until a fan replies to a message, ms. The delay is longer while the fan is
 * at work. `at` is the time of the message, epoch ms.
 */
export function pickFanReplyDelay(random: Random, place: WakingPlace, at: number): number {
  const local = new Date(at + getUtcOffsetMs(place, at))
  const hour = (local.getTime() % dayMs) / hourMs
  const isAtWork = local.getUTCDay() % 6 !== 0 && hour > 8 && hour < 17
  const { median, spread } = fanWaits[random.chance(isAtWork ? 0.5 : 0.2) ? 'away' : 'near']
  return sampleLogNormal(random, {
    median: isAtWork ? median * 2 : median,
    spread,
    most: longestWait,
  })
}

/** Time until the creator answers, in seconds. `most` is the maximum. */
const creatorWait = { median: 260, spread: 1.75, most: 20 * 3600 }

/** Returns a random reply delay of a creator, ms. */
export function pickCreatorReplyDelay(random: Random): number {
  return sampleLogNormal(random, creatorWait)
}

/**
 * Returns a random delay with a log-normal distribution, ms. The median and the maximum are in
 * seconds.
 */
export function sampleLogNormal(
  random: Random,
  { median, spread, most }: { median: number; spread: number; most: number },
): number {
  // Adding uniform numbers approximates a normal distribution and is faster than an exact method.
  const normal = random.next() + random.next() + random.next() + random.next() - 2
  const seconds = Math.min(most, median * Math.exp(spread * normal * 1.73))
  return Math.floor(seconds * 1000) + random.integer(0, 999)
}

/**
 * Time to type a message, ms: the minimum, the average time for a character, the exponent of the
 * power law for interruptions, and the maximum.
 */
const typing = { least: 2_000, perCharacter: 130, power: 0.6, most: 15 * 60_000 }

/** Draws the time until a person has typed a message, ms. Few people are interrupted for long. */
export function pickTypingTime(random: Random, text: string): number {
  const typed = typing.least + text.length * typing.perCharacter * (0.5 + random.next())
  return Math.floor(Math.min(typing.most, typed / (1 - random.next()) ** typing.power))
}

/** Derives a fan's birthday from the id, such as `1988-03-21`. */
export function deriveBirthday(fanId: number): string {
  const random = createRandom(0, 'birth', fanId)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${random.integer(1966, 2003)}-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}`
}
