import type { Random } from '../world/random.ts'
import { findPartitionPoint } from '../lib/iterables.ts'
import { dayMs, hourMs, getStartOfUtcDay } from '../lib/time.ts'
import type { Persona } from './persona.ts'

/**
 * Weight of each hour of a UTC day, starting at 00:00. The weights are low at night and high in the
 * evening.
 */
export const busyHours = [
  3, 2, 1, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6, 5, 5, 5, 6, 8, 10, 12, 13, 12, 9, 6,
] as const

/**
 * A time with many visitors. The cause is a viral post, a live stream or a campaign for new fans.
 */
export interface VisitorSpike {
  /** Start time in the creator's evening, epoch ms. */
  at: number
  cause: 'viral' | 'stream' | 'campaign'
}

/** Distribution of an account's new fans and payments over time. */
export interface Audience {
  /** Oldest first. */
  spikes: readonly VisitorSpike[]
  /**
   * Picks a random time for a payment, epoch ms. Weekends, paydays, the high season and the days
   * after spikes are more likely.
   */
  drawSpending: DrawTime
  /**
   * Picks a random time at which a new fan joins, epoch ms. Later years and the days after spikes
   * are more likely.
   */
  drawArrival: DrawTime
  /** Picks a random time in the creator's evening on a given day, epoch ms. */
  drawEvening: (random: Random, day: number) => number
}

/** Picks a random time in [from, to), epoch ms. */
type DrawTime = (random: Random, from: number, to: number) => number

/** Length of a spike, days. The number of visitors decreases by the same factor each day. */
const spikeDays = 4

/** Factors by which payments and new fans increase on the first day of a spike. */
const strengths: Readonly<Record<VisitorSpike['cause'], { spending: number; arrivals: number }>> = {
  viral: { spending: 22, arrivals: 22 },
  stream: { spending: 26, arrivals: 3 },
  campaign: { spending: 22, arrivals: 26 },
}

/** Evening hours when creators send messages and stream, with weights. */
const eveningHours: readonly (readonly [number, number])[] = [
  [18, 3],
  [19, 5],
  [20, 5],
  [21, 3],
]

/**
 * Creates the audience of a creator. The audience depends only on the random source and the
 * persona.
 */
export function createAudience(
  random: Random,
  persona: Persona,
  { since, now }: { since: number; now: number },
): Audience {
  const { audience, utcOffset } = persona
  const drawEvening = (chance: Random, day: number) =>
    getStartOfUtcDay(day) +
    Math.round((chance.pickWeighted(eveningHours) - utcOffset) * hourMs) +
    chance.integer(0, 3_599_999)
  const first = getStartOfUtcDay(since) - dayMs
  const audienceDays = Math.floor((now - first) / dayMs)
  const spikes = drawSpikes(random, drawEvening, { days: (now - since) / dayMs, now })
  const usual = Array.from({ length: audienceDays + 1 }, (_, index) =>
    getSpendingFactor(first + index * dayMs, persona),
  )
  const boosts = { spending: usual.map(() => 1), arrivals: usual.map(() => 1) }
  for (const { at, cause } of spikes)
    for (let after = 0; after < spikeDays; after += 1) {
      const index = Math.floor((at - first) / dayMs) + after
      for (const kind of ['spending', 'arrivals'] as const)
        boosts[kind][index] = (boosts[kind][index] ?? 1) + strengths[cause][kind] / 3 ** after
    }
  const spending = usual.map((level, index) => level * (boosts.spending[index] ?? 1))
  const arrivals = usual.map(
    (level, index) =>
      (1 + ((audience.growth - 1) * index) / audienceDays) *
      Math.sqrt(level) *
      (boosts.arrivals[index] ?? 1),
  )
  return {
    spikes,
    drawEvening,
    drawSpending: createDraw(first, spending),
    drawArrival: createDraw(first, arrivals),
  }
}

/** For each spike, an account needs a history of at least this many days. */
const daysPerSpike = 120

/**
 * Creates two or three random spikes that are months apart, or fewer for a young account. No two
 * spikes have the same cause.
 */
function drawSpikes(
  random: Random,
  drawEvening: Audience['drawEvening'],
  { days, now }: { days: number; now: number },
): VisitorSpike[] {
  const all = ['viral', 'stream', 'campaign', 'viral', 'stream'] as const
  const first = random.integer(0, 2)
  const wanted = random.integer(2, 3)
  const causes = all.slice(first, first + Math.min(wanted, Math.floor(days / daysPerSpike)))
  const span = (Math.min(days, 700) - 100) / causes.length
  return causes.map((cause, index) => {
    const daysAgo =
      40 + (causes.length - 1 - index) * span + random.integer(0, Math.floor(span * 0.6))
    return { at: drawEvening(random, now - daysAgo * dayMs), cause }
  })
}

/** Names of weekdays in personas, starting with Sunday. */
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

function getSpendingFactor(day: number, { money }: Persona): number {
  const date = new Date(day)
  const weekday = weekdays[date.getUTCDay()] ?? 'sun'
  return (
    money.days[weekday] * getPaydayFactor(date.getUTCDate()) * (months[date.getUTCMonth()] ?? 1)
  )
}

/**
 * Returns the spending factor of a day of the month. Fans have more money around the 1st and the
 * 15th, and less just before the 1st.
 */
function getPaydayFactor(date: number): number {
  if (date <= 3) return 2.2
  if (date >= 15 && date <= 17) return 1.3
  return date >= 20 && date <= 28 ? 0.65 : 1
}

/**
 * Factors of the months, starting with January. They are higher in December and February, and lower
 * in summer.
 */
const months = [1, 1.15, 1, 0.98, 0.95, 0.88, 0.82, 0.85, 0.97, 1.02, 1.12, 1.3] as const

/** Cumulative weights of the hours. */
const hourSums = computeRunningSums(busyHours)

/**
 * Creates a function that picks a random time according to the weights of the days. Adds up the
 * weights only once, so that many calls are fast.
 */
function createDraw(first: number, weights: readonly number[]): DrawTime {
  const sums = computeRunningSums(weights)
  const sumBefore = (at: number) => {
    const days = (at - first) / dayMs
    const index = Math.min(weights.length - 1, Math.max(0, Math.floor(days)))
    const part = Math.min(1, Math.max(0, days - index))
    return (sums[index] ?? 0) - (weights[index] ?? 0) * (1 - part)
  }
  return (random, from, to) => {
    if (to <= from) return from
    const low = sumBefore(from)
    const point = low + random.next() * (sumBefore(to) - low)
    const day = first + findPartitionPoint(sums, (sum) => sum > point) * dayMs
    const time = day + drawHour(random) * hourMs + random.integer(0, 3_599_999)
    if (time >= from && time < to) return time
    // On the first or last day, the picked hour may be outside the range. Then any time on that day
    // within the range is picked.
    const [start, end] = [Math.max(from, day), Math.min(to, day + dayMs)]
    return end > start ? start + Math.floor(random.next() * (end - start)) : from
  }
}

/** Picks a random hour of the UTC day by weight. */
function drawHour(random: Random): number {
  const point = random.next() * (hourSums.at(-1) ?? 1)
  return findPartitionPoint(hourSums, (sum) => sum > point)
}

function computeRunningSums(weights: readonly number[]): number[] {
  let sum = 0
  return weights.map((weight) => (sum += weight))
}
