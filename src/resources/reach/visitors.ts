import { busyHours } from '../../seed/audience.ts'
import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import { dayMs, parseIso, getStartOfUtcDay, toIsoTime } from '../../lib/time.ts'
import type { Span } from '../../api/lists/windows.ts'
import type { Persona } from '../../seed/persona.ts'
import { getPersona, requireTexts } from '../../seed/texts.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import type { Post } from '../posts/posts.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
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
 * the fans who subscribe on that day, the season, the weekday, and how often the creator posts on
 * that weekday. There are no visits in the future or before the account joined. `within` limits
 * the day to a span. If a day is divided into parts, the visits of the parts add up to the visits
 * of the whole day.
 */
export function computeVisits(
  world: World,
  accountId: number,
  day: number,
  within: Partial<Span> = {},
): Visits {
  const start = getStartOfUtcDay(day)
  const habit = computeDayVisitors(world, accountId, start)
  if (habit === undefined) return { ...createEmptyAudience(), duration: createEmptyAudience() }
  const from = Math.max(start, within.start ?? start, habit.since)
  const end = Math.min(start + dayMs, (within.end ?? Infinity) + 1)
  const isPart = from > start || end < start + dayMs || !world.clock.hasReached(start + dayMs)
  const shareOfDay = isPart ? createDayShare(world, accountId, start) : wholeDay
  const arrivedBefore = (time: number) =>
    time <= start ? 0 : countSubscribersBefore(world, accountId, time) - habit.subscribers
  const until = (now: number) =>
    countVisits(habit.kinds, {
      start,
      from,
      to: Math.min(end, now + 1),
      shareOfDay,
      arrivedBefore,
    })
  return until(world.clock.nowFor((now) => until(now).total, end - 1))
}

/** Number of visitors of one kind on a whole day, and the average duration of their visits. */
interface DailyVisitors {
  kind: VisitorKind
  count: number
  seconds: number
}

/** The usual visitors of a day. */
interface DayHabit {
  /** The time of the earliest possible visit, epoch ms. */
  since: number
  /** Number of fans who subscribed before the day. */
  subscribers: number
  kinds: DailyVisitors[]
}

/**
 * Returns the usual visitors of a whole day. An account without subscribers and posts has only
 * visits by new fans. Undefined for an unknown account.
 */
function computeDayVisitors(world: World, accountId: number, start: number): DayHabit | undefined {
  const account = world.db.accounts.get(accountId)
  if (account === undefined) return undefined
  const subscribers = countSubscribersBefore(world, accountId, start)
  const kinds = createDayReader(world, account)(start, subscribers)
  return { since: parseIso(account.joinDate), subscribers, kinds }
}

/**
 * Returns a function that computes the visits of a whole day, which must be over. Much faster than
 * `computeVisits`, because a window can have a hundred thousand days.
 */
export function createWholeDayReader(
  world: World,
  account: Account,
): (start: number) => WholeDayVisits[] {
  const readDay = createDayReader(world, account)
  const subscriptions = world.db.subscriptions.in('byAccount', account.id)
  const latest = parseIso(subscriptions.at(0)?.subscribedAt ?? account.joinDate)
  const countUntil = (time: number) =>
    time > latest ? subscriptions.size : countBefore(subscriptions, time)
  return (start) => {
    const subscribers = countUntil(start)
    const arrived = countUntil(start + dayMs) - subscribers
    return readDay(start, subscribers).map(({ kind, count, seconds }) => {
      const visitors = count + habits[kind].perArrival * arrived
      return { visitors, seconds: Math.round(visitors * seconds) }
    })
  }
}

/** Visits by one kind of visitor on a whole day, and their total duration in seconds. */
interface WholeDayVisits {
  visitors: number
  seconds: number
}

/**
 * Creates a function that returns the usual visitors of an account on the day that starts at
 * `start`. The days should be in order, because the factors of a week are reused.
 */
function createDayReader(
  world: World,
  account: Account,
): (start: number, subscribers: number) => DailyVisitors[] {
  const { seed } = world.options
  const { id } = account
  const persona = getPersona(requireTexts(world), account)
  const factors = visitorKinds.map((kind) =>
    drawVisitFactors(createRandom(seed, 'visitors', id, kind)),
  )
  const postingFactors = postingDays.map((_, weekday) => getPostingFactor(persona, weekday))
  const posts = world.db.posts.in('published', id)
  let week = -1
  let weekFactors: number[] = []
  return (start, subscribers) => {
    const isQuiet = subscribers === 0 && !hasPostBefore(posts, start)
    const random = createRandom(seed, 'visits', id, start / dayMs)
    const day = new Date(start).getUTCDay()
    const luck = 0.75 + random.next() / 2
    const peak = random.chance(0.02) ? 2.4 : 1
    const traffic =
      (weekdays[day] ?? 1) * (postingFactors[day] ?? 1) * getSeasonFactor(start) * luck * peak
    const weekOfDay = Math.floor(start / weekMs)
    if (week !== weekOfDay) {
      week = weekOfDay
      weekFactors = visitorKinds.map(
        (kind) => drawVisitFactors(createRandom(seed, kind, id, week)).often ** weekShare,
      )
    }
    return visitorKinds.map((kind, index) => {
      const { base, perSubscriber, seconds } = habits[kind]
      const { often, long } = factors[index] ?? { often: 1, long: 1 }
      const count = Math.round(
        (isQuiet ? 0 : base + perSubscriber * subscribers) *
          traffic *
          often *
          (weekFactors[index] ?? 1) *
          (0.7 + random.next() * 0.6),
      )
      return { kind, count, seconds: seconds * long * (0.7 + random.next() * 0.6) }
    })
  }
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
    arrivedBefore,
  }: {
    start: number
    from: number
    to: number
    shareOfDay: GetDayShare
    /** Returns the number of fans who subscribed on this day before a time. */
    arrivedBefore: (time: number) => number
  },
): Visits {
  const visits: Visits = { ...createEmptyAudience(), duration: createEmptyAudience() }
  if (to <= from) return visits
  const [shareBefore, shareAfter] = [shareOfDay(from - start), shareOfDay(to - start)]
  const [newBefore, newAfter] = [arrivedBefore(from), arrivedBefore(to)]
  for (const { kind, count: countOfDay, seconds } of kinds) {
    const { perArrival } = habits[kind]
    const [countBefore, countAfter] = [
      Math.floor(countOfDay * shareBefore) + perArrival * newBefore,
      Math.floor(countOfDay * shareAfter) + perArrival * newAfter,
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
 * Visits per day: `base`, plus `perSubscriber` for each subscriber, plus `perArrival` for each fan
 * who subscribes on that day. `seconds` is the average duration of a visit.
 */
const habits: Readonly<
  Record<VisitorKind, { base: number; perSubscriber: number; perArrival: number; seconds: number }>
> = {
  guests: { base: 6, perSubscriber: 0.8, perArrival: 4, seconds: 26 },
  users: { base: 3, perSubscriber: 0.4, perArrival: 3, seconds: 58 },
  subscribers: { base: 0, perSubscriber: 0.3, perArrival: 1, seconds: 140 },
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
function getPostingFactor({ posting }: Persona, weekday: number): number {
  const weights = postingDays.map((name) => posting.days[name] ?? 1)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return steadyShare + ((1 - steadyShare) * weights.length * (weights[weekday] ?? 1)) / sum
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

/** Returns the number of fans who subscribed to the account before a given time, epoch ms. */
function countSubscribersBefore(world: World, accountId: number, time: number): number {
  return countBefore(world.db.subscriptions.in('byAccount', accountId), time)
}

function countBefore(subscriptions: SortedList<Subscription>, time: number): number {
  const instant = toIsoTime(time)
  return subscriptions.size - subscriptions.findPartitionPoint((row) => row.subscribedAt < instant)
}

/** True if one of the posts, newest first, was published before a given time, epoch ms. */
function hasPostBefore(posts: SortedList<Post>, time: number): boolean {
  const oldest = posts.at(posts.size - 1)
  return oldest !== undefined && oldest.postedAt < toIsoTime(time)
}

/** Returns visitor numbers that are all 0. */
export function createEmptyAudience(): Audience {
  return { total: 0, guests: 0, users: 0, subscribers: 0 }
}
