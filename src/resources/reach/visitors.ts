import { busyHours } from '../../engine/busy-hours.ts'
import { randomAt } from '../../engine/random.ts'
import { dayMs, fromIso, startOfDay, toIso } from '../../engine/time.ts'
import type { Span } from '../../engine/window.ts'
import { textsOf } from '../../world/texts.ts'
import type { World } from '../../world/world.ts'

/** The kinds of visitors of a profile. */
export const visitorKinds = ['guests', 'users', 'subscribers'] as const

export type VisitorKind = (typeof visitorKinds)[number]

/** A number for each kind of visitors, and for all of them. */
export type Audience = Record<VisitorKind | 'total', number>

/** How many visitors looked at a profile in some time, and for how many seconds all visits lasted. */
export interface Visits extends Audience {
  duration: Audience
}

/** The visits from one country. */
export interface CountryVisits {
  code: string
  name: string
  views: Audience
}

/**
 * Counts who looked at the account's profile on the UTC day of that instant. No visit is stored: the counts follow from the seed, the
 * account, the day and the number of subscribers before it. They also follow weekdays and seasons. Nobody comes before the account joined
 * or after the clock. `within` cuts the day to a span: the visits of all parts of a day add up to those of the day.
 */
export function visitsOn(world: World, accountId: number, day: number, within: Partial<Span> = {}): Visits {
  const start = startOfDay(day)
  const account = world.db.accounts.get(accountId)
  const low = Math.max(start, within.start ?? start, account === undefined ? Infinity : fromIso(account.joinDate))
  const high = Math.min(start + dayMs, (within.end ?? Infinity) + 1, world.clock.now() + 1)
  const visits: Visits = { ...nobody(), duration: nobody() }
  if (high <= low) return visits
  const subscribers = subscribersBefore(world, accountId, start)
  if (subscribers === 0) return visits
  const random = randomAt(world.options.seed, 'visits', accountId, start / dayMs)
  const weekday = weekdays[new Date(start).getUTCDay()] as number
  const luck = 0.75 + random.next() / 2
  const peak = random.chance(0.02) ? 2.4 : 1
  const traffic = weekday * season(start) * luck * peak
  const [shareBefore, shareAfter] = [shareOfDay(low - start), shareOfDay(high - start)]
  for (const kind of visitorKinds) {
    const { base, perSubscriber, seconds } = habits[kind]
    const countOfDay = Math.round((base + perSubscriber * subscribers) * traffic * (0.85 + random.next() * 0.3))
    const secondsEach = seconds * (0.7 + random.next() * 0.6)
    const [countBefore, countAfter] = [Math.floor(countOfDay * shareBefore), Math.floor(countOfDay * shareAfter)]
    const count = countAfter - countBefore
    // Rounded running sums add up, whatever parts a day is cut into. Rounded parts would not.
    const duration = Math.round(countAfter * secondsEach) - Math.round(countBefore * secondsEach)
    visits[kind] = count
    visits.total += count
    visits.duration[kind] = duration
    visits.duration.total += duration
  }
  return visits
}

/** Sums the visits of all days of the span. */
export function sumVisits(world: World, accountId: number, span: Span): Visits {
  const sum: Visits = { ...nobody(), duration: nobody() }
  for (const day of daysWithVisits(world, accountId, span)) {
    const visits = visitsOn(world, accountId, day, span)
    add(sum, visits)
    add(sum.duration, visits.duration)
  }
  return sum
}

/** Counts the visits of the span by country, in no order. A country without visits is left out. The rows add up to `sumVisits`. */
export function visitsByCountry(world: World, accountId: number, span: Span): CountryVisits[] {
  const { seed } = world.options
  const { countries } = textsOf(world)
  const random = randomAt(seed, 'countries', accountId)
  // The first 0 is the start of the first country's share.
  const ends = toRunningShares(countries.map(({ weight }) => weight * (0.4 + 1.6 * random.next()))).slice(1)
  // The sum of fractions may miss 1 by a rounding error, which would lose a visitor.
  ends[ends.length - 1] = 1
  const rows = countries.map(({ code, name }) => ({ code, name, views: nobody() }))
  for (const day of daysWithVisits(world, accountId, span)) {
    const visits = visitsOn(world, accountId, day, span)
    const randomOfDay = randomAt(seed, 'countries', accountId, day / dayMs)
    for (const kind of visitorKinds) {
      // The running sums are cut at rounded shares, so each visitor counts for one country. A random offset lets small countries get some.
      const offset = randomOfDay.next()
      let before = 0
      for (const [index, { views }] of rows.entries()) {
        const after = Math.floor(visits[kind] * (ends[index] ?? 1) + offset)
        views[kind] += after - before
        views.total += after - before
        before = after
      }
    }
  }
  return rows.filter(({ views }) => views.total > 0)
}

/** The starts of the days of the span on which somebody can have come: from when the account joined to the clock. */
function daysWithVisits(world: World, accountId: number, { start, end }: Span): number[] {
  const joined = world.db.accounts.get(accountId)?.joinDate
  if (joined === undefined) return []
  const first = startOfDay(Math.max(start, fromIso(joined)))
  const last = Math.min(end, world.clock.now())
  return Array.from({ length: Math.max(0, Math.floor((last - first) / dayMs) + 1) }, (_, index) => first + index * dayMs)
}

/** How many visits a day brings: `base`, and `perSubscriber` for each subscriber. `seconds` is how long a visit lasts on average. */
const habits: Readonly<Record<VisitorKind, { base: number; perSubscriber: number; seconds: number }>> = {
  guests: { base: 6, perSubscriber: 0.8, seconds: 26 },
  users: { base: 3, perSubscriber: 0.4, seconds: 58 },
  subscribers: { base: 0, perSubscriber: 0.3, seconds: 140 },
}

/** How busy each day of the week is, from Sunday on. */
const weekdays = [1.22, 0.9, 0.87, 0.91, 0.95, 1.08, 1.2] as const

/** The share of a day's visits that came before each full hour, from 0 at 00:00 to 1 at 24:00. */
const sharesBeforeHour = toRunningShares(busyHours)

/** More come in winter: 15 January is the peak. */
function season(day: number): number {
  return 1 + 0.15 * Math.cos((2 * Math.PI * (day / dayMs - 15)) / 365.25)
}

/** The share of a day's visits that came before that time of the day, which is ms since midnight. */
function shareOfDay(sinceMidnight: number): number {
  const hours = sinceMidnight / 3_600_000
  const hour = Math.floor(hours)
  const from = sharesBeforeHour[hour] ?? 1
  const to = sharesBeforeHour[hour + 1] ?? 1
  return from + (to - from) * (hours - hour)
}

/** The running sums of the weights as shares of their sum, from 0: `[1, 3]` gives `[0, 0.25, 1]`. */
function toRunningShares(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let sumSoFar = 0
  return [0, ...weights.map((weight) => (sumSoFar += weight) / sum)]
}

/** How many fans subscribed to the account before that day. */
function subscribersBefore(world: World, accountId: number, day: number): number {
  const subscriptions = world.db.subscriptions.in('byAccount', accountId)
  const instant = toIso(day)
  return subscriptions.size - subscriptions.rank((row) => row.subscribedAt < instant)
}

function nobody(): Audience {
  return { total: 0, guests: 0, users: 0, subscribers: 0 }
}

function add(sum: Audience, { total, guests, users, subscribers }: Audience): void {
  sum.total += total
  sum.guests += guests
  sum.users += users
  sum.subscribers += subscribers
}
