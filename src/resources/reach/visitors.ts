import { busyHours } from '../../seed/busy-hours.ts'
import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import { dayMs, parseIso, getStartOfUtcDay, toIsoTime } from '../../lib/time.ts'
import type { Span } from '../../api/lists/window.ts'
import type { Persona } from '../../seed/persona.ts'
import { getPersona, requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'

/** The kinds of visitors of a profile. */
export const visitorKinds = ['guests', 'users', 'subscribers'] as const

export type VisitorKind = (typeof visitorKinds)[number]

/** Number of visitors by kind, and in total. */
export type Audience = Record<VisitorKind | 'total', number>

/** Number of visitors of a profile in a period, and their total duration in seconds. */
export interface Visits extends Audience {
  duration: Audience
}

/**
 * Computes the visitors of the account's profile on the UTC day of an instant. Visits are not
 * stored. They depend on the seed, the account, the day, the number of subscribers before that day,
 * the season, the weekday, and how often the creator posts on that weekday. There are no visits in
 * the future or before the account joined. `within` limits the day to a span. If a day is divided
 * into parts, the visits of the parts add up to the visits of the whole day.
 */
export function computeVisits(
  world: World,
  accountId: number,
  day: number,
  within: Partial<Span> = {},
): Visits {
  const start = getStartOfUtcDay(day)
  const habit = computeDayVisitors(world, accountId, start)
  if (habit === undefined) return countVisits([], { start, from: 0, to: 0, shareOfDay: wholeDay })
  const from = Math.max(start, within.start ?? start, habit.since)
  const end = Math.min(start + dayMs, (within.end ?? Infinity) + 1)
  const isPart = from > start || end < start + dayMs || !world.clock.hasReached(start + dayMs)
  const shareOfDay = isPart ? createDayShare(world, accountId, start) : wholeDay
  const until = (now: number) =>
    countVisits(habit.kinds, { start, from, to: Math.min(end, now + 1), shareOfDay })
  return until(world.clock.nowFor((now) => until(now).total, end - 1))
}

/** Number of visitors of one kind on a whole day, and the average duration of their visits. */
interface DailyVisitors {
  kind: VisitorKind
  count: number
  seconds: number
}

/**
 * Returns the visitors of a whole day, and the time of the earliest possible visit (epoch ms).
 * Undefined for an account without subscribers.
 */
function computeDayVisitors(
  world: World,
  accountId: number,
  start: number,
): { since: number; kinds: DailyVisitors[] } | undefined {
  const account = world.db.accounts.get(accountId)
  const subscribers = countSubscribersBefore(world, accountId, start)
  if (account === undefined || subscribers === 0) return undefined
  const random = createRandom(world.options.seed, 'visits', accountId, start / dayMs)
  const weekday = weekdays[new Date(start).getUTCDay()] as number
  const luck = 0.75 + random.next() / 2
  const peak = random.chance(0.02) ? 2.4 : 1
  const traffic =
    weekday *
    getPostingFactor(getPersona(requireTexts(world), account), start) *
    getSeasonFactor(start) *
    luck *
    peak
  const kinds = visitorKinds.map((kind) => {
    const { base, perSubscriber, seconds } = habits[kind]
    const { often, long } = drawVisitFactors(
      createRandom(world.options.seed, 'visitors', accountId, kind),
    )
    const week = drawVisitFactors(
      createRandom(world.options.seed, kind, accountId, Math.floor(start / weekMs)),
    )
    const count = Math.round(
      (base + perSubscriber * subscribers) *
        traffic *
        often *
        week.often ** weekShare *
        (0.7 + random.next() * 0.6),
    )
    return { kind, count, seconds: seconds * long * (0.7 + random.next() * 0.6) }
  })
  return { since: parseIso(account.joinDate), kinds }
}

/**
 * Counts the visits in a part of the day that starts at `start`. All times are epoch ms. `to` is
 * exclusive.
 */
function countVisits(
  kinds: readonly DailyVisitors[],
  {
    start,
    from,
    to,
    shareOfDay,
  }: { start: number; from: number; to: number; shareOfDay: GetDayShare },
): Visits {
  const visits: Visits = { ...createEmptyAudience(), duration: createEmptyAudience() }
  if (to <= from) return visits
  const [shareBefore, shareAfter] = [shareOfDay(from - start), shareOfDay(to - start)]
  for (const { kind, count: countOfDay, seconds } of kinds) {
    const [countBefore, countAfter] = [
      Math.floor(countOfDay * shareBefore),
      Math.floor(countOfDay * shareAfter),
    ]
    const count = countAfter - countBefore
    // Differences between rounded running totals add up to the total of the day. Parts that are
    // rounded separately would not.
    const duration = Math.round(countAfter * seconds) - Math.round(countBefore * seconds)
    visits[kind] = count
    visits.total += count
    visits.duration[kind] = duration
    visits.duration.total += duration
  }
  return visits
}

/**
 * Visits per day: `base`, plus `perSubscriber` for each subscriber. `seconds` is the average
 * duration of a visit.
 */
const habits: Readonly<
  Record<VisitorKind, { base: number; perSubscriber: number; seconds: number }>
> = {
  guests: { base: 6, perSubscriber: 0.8, seconds: 26 },
  users: { base: 3, perSubscriber: 0.4, seconds: 58 },
  subscribers: { base: 0, perSubscriber: 0.3, seconds: 140 },
}

const weekMs = 7 * dayMs
/**
 * Exponent that brings the factor of a week closer to 1, because visits vary less between weeks
 * than between accounts.
 */
const weekShare = 0.35

/** Picks random factors for the frequency and duration of visits, for an account or a week. */
function drawVisitFactors(random: Random): { often: number; long: number } {
  return { often: 0.45 + 1.3 * random.next(), long: 0.6 + 0.9 * random.next() }
}

/** Weights of the days of the week, starting with Sunday. */
const weekdays = [1.22, 0.9, 0.87, 0.91, 0.95, 1.08, 1.2] as const

/** Fraction of visits that does not depend on how often the creator posts on a weekday. */
const steadyShare = 0.45

/**
 * Returns the factor of a weekday, based on how often the creator posts on it. The average factor
 * is about 1.
 */
function getPostingFactor({ posting }: Persona, day: number): number {
  const weights = postingDays.map((name) => posting.days[name] ?? 1)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return (
    steadyShare +
    ((1 - steadyShare) * weights.length * (weights[new Date(day).getUTCDay()] ?? 1)) / sum
  )
}

/** Names of the days of the week in personas, starting with Sunday. */
const postingDays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** Returns the share of a day's visits before a time of day. The time is in ms since midnight. */
type GetDayShare = (sinceMidnight: number) => number

/** Used only for days that are not divided into parts. */
const wholeDay: GetDayShare = (sinceMidnight) => (sinceMidnight < dayMs ? 0 : 1)

/**
 * Picks a random distribution of an account's visits over the hours of a day. It differs by account
 * and day.
 */
function createDayShare(world: World, accountId: number, start: number): GetDayShare {
  const { seed } = world.options
  const own = createRandom(seed, 'hours', accountId)
  const ofDay = createRandom(seed, 'hours', accountId, start / dayMs)
  // 0 at 00:00 to 1 at 24:00.
  const sharesBeforeHour = toCumulativeShares(
    busyHours.map((weight) => weight * (0.7 + 0.6 * own.next()) * (0.6 + 0.8 * ofDay.next())),
  )
  return (sinceMidnight) => {
    const hours = sinceMidnight / 3_600_000
    const hour = Math.floor(hours)
    const from = sharesBeforeHour[hour] ?? 1
    const to = sharesBeforeHour[hour + 1] ?? 1
    return from + (to - from) * (hours - hour)
  }
}

/** Returns the seasonal factor for visits, which is highest on 15 January. */
function getSeasonFactor(day: number): number {
  return 1 + 0.15 * Math.cos((2 * Math.PI * (day / dayMs - 15)) / 365.25)
}

/**
 * Converts weights to cumulative shares of the total. For example, `[1, 3]` becomes `[0, 0.25, 1]`.
 */
export function toCumulativeShares(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let sumSoFar = 0
  return [0, ...weights.map((weight) => (sumSoFar += weight) / sum)]
}

/** Returns the number of fans who subscribed to the account before a given day. */
function countSubscribersBefore(world: World, accountId: number, day: number): number {
  const subscriptions = world.db.subscriptions.in('byAccount', accountId)
  const instant = toIsoTime(day)
  return subscriptions.size - subscriptions.rank((row) => row.subscribedAt < instant)
}

/** Returns visitor numbers that are all 0. */
export function createEmptyAudience(): Audience {
  return { total: 0, guests: 0, users: 0, subscribers: 0 }
}
