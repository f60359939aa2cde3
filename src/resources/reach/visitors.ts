import { dayMs, fromIso, startOfDay, toIso } from '../../engine/time.ts'
import type { Span } from '../../engine/window.ts'
import { textsOf } from '../../world/texts.ts'
import type { World } from '../../world/world.ts'

/** The kinds of visitors of a profile. */
export const visitorKinds = ['guests', 'users', 'subscribers'] as const

export type VisitorKind = (typeof visitorKinds)[number]

/** A number for each kind of visitors, and for all of them. */
export type Audience = Record<VisitorKind | 'total', number>

/** Who looked at a profile in some time, and for how many seconds together. */
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
 * Who looked at the account's profile on the UTC day of that instant: a function of the seed, the account and the day alone,
 * so that nothing of it is stored. It grows with the subscribers before the day, and follows weekdays and seasons; nobody comes before the
 * account joined or after the clock. `within` cuts the day to a span: the visits of its parts add up.
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
  const draw = (salt: number) => hash(world.options.seed, accountId, start / dayMs, salt)
  const mood = (weekdays[new Date(start).getUTCDay()] as number) * season(start) * (0.75 + draw(1) / 2) * (draw(2) < 0.02 ? 2.4 : 1)
  const [before, after] = [shareOfDay(low - start), shareOfDay(high - start)]
  for (const [salt, kind] of visitorKinds.entries()) {
    const { base, perSubscriber, seconds } = habits[kind]
    const ofDay = Math.round((base + perSubscriber * subscribers) * mood * (0.85 + draw(3 + salt) * 0.3))
    const [countBefore, countAfter] = [Math.floor(ofDay * before), Math.floor(ofDay * after)]
    const secondsEach = seconds * (0.7 + draw(6 + salt) * 0.6)
    const count = countAfter - countBefore
    // The rounded running sums add up, whatever parts a day is cut into; rounded parts would not.
    const duration = Math.round(countAfter * secondsEach) - Math.round(countBefore * secondsEach)
    visits[kind] = count
    visits.total += count
    visits.duration[kind] = duration
    visits.duration.total += duration
  }
  return visits
}

/** Who looked at the profile within the span, all its days together. */
export function sumVisits(world: World, accountId: number, span: Span): Visits {
  const sum: Visits = { ...nobody(), duration: nobody() }
  for (const day of daysWithVisits(world, accountId, span)) {
    const visits = visitsOn(world, accountId, day, span)
    add(sum, visits)
    add(sum.duration, visits.duration)
  }
  return sum
}

/** Where the visitors of the span came from, every country that somebody came from, in no order; the rows sum up to `sumVisits`. */
export function visitsByCountry(world: World, accountId: number, span: Span): CountryVisits[] {
  const { seed } = world.options
  const { countries } = textsOf(world)
  const weights = countries.map(({ weight }, index) => weight * (0.4 + 1.6 * hash(seed, accountId, index, 20)))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let reached = 0
  const ends = weights.map((weight) => (reached += weight) / whole)
  ends[ends.length - 1] = 1
  const rows = countries.map(({ code, name }) => ({ code, name, views: nobody() }))
  for (const day of daysWithVisits(world, accountId, span)) {
    const visits = visitsOn(world, accountId, day, span)
    for (const [salt, kind] of visitorKinds.entries()) {
      // Cutting at the rounded shares hands out each visitor once; the phase lets small countries have theirs on some days.
      const phase = hash(seed, accountId, day / dayMs, 30 + salt)
      let before = 0
      for (const [index, { views }] of rows.entries()) {
        const after = Math.floor(visits[kind] * (ends[index] ?? 1) + phase)
        views[kind] += after - before
        views.total += after - before
        before = after
      }
    }
  }
  return rows.filter(({ views }) => views.total > 0)
}

/** The starts of the days of the span on which somebody can have come. */
function daysWithVisits(world: World, accountId: number, { start, end }: Span): number[] {
  const joined = world.db.accounts.get(accountId)?.joinDate
  if (joined === undefined) return []
  const first = startOfDay(Math.max(start, fromIso(joined)))
  const last = Math.min(end, world.clock.now())
  return Array.from({ length: Math.max(0, Math.floor((last - first) / dayMs) + 1) }, (_, index) => first + index * dayMs)
}

/** Visits a day: so many for their own sake, so many for each subscriber; how long one lasts on average. */
const habits: Readonly<Record<VisitorKind, { base: number; perSubscriber: number; seconds: number }>> = {
  guests: { base: 6, perSubscriber: 0.8, seconds: 26 },
  users: { base: 3, perSubscriber: 0.4, seconds: 58 },
  subscribers: { base: 0, perSubscriber: 0.3, seconds: 140 },
}

/** From Sunday on. */
const weekdays = [1.22, 0.9, 0.87, 0.91, 0.95, 1.08, 1.2] as const

/** The share of a day's visits that came by each full hour. */
const byHour = toRunningShares([3, 2, 1, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6, 5, 5, 5, 6, 8, 10, 12, 13, 12, 9, 6])

function season(day: number): number {
  return 1 + 0.15 * Math.cos((2 * Math.PI * (day / dayMs - 15)) / 365.25)
}

function shareOfDay(sinceMidnight: number): number {
  const hours = sinceMidnight / 3_600_000
  const hour = Math.floor(hours)
  const [from = 1, to = 1] = [byHour[hour], byHour[hour + 1]]
  return from + (to - from) * (hours - hour)
}

function toRunningShares(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let reached = 0
  return [0, ...weights.map((weight) => (reached += weight) / sum)]
}

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

/** A number from 0 up to 1 that any change of any of the four scatters. */
function hash(seed: number, accountId: number, place: number, salt: number): number {
  let bits = 0x9e3779b9
  for (const part of [seed, accountId, place, salt]) {
    bits = Math.imul(bits ^ part, 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    bits ^= bits >>> 16
  }
  return (bits >>> 0) / 0x1_0000_0000
}
