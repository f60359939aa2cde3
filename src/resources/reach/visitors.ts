import { busyHours } from '../../seed/busy-hours.ts'
import { randomAt } from '../../world/random.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs, fromIso, startOfDay, toIso } from '../../lib/time.ts'
import type { Weighed } from '../../world/view-cache.ts'
import type { Span } from '../../api/window.ts'
import type { Persona } from '../../seed/persona.ts'
import { personaOf, textsOf } from '../../seed/texts.ts'
import type { World } from '../world.ts'

/** The kinds of visitors of a profile. */
export const visitorKinds = ['guests', 'users', 'subscribers'] as const

export type VisitorKind = (typeof visitorKinds)[number]

/** A number for each kind of visitors, and for all of them. */
export type Audience = Record<VisitorKind | 'total', number>

/**
 * How many visitors looked at a profile in some time, and for how many seconds all visits lasted.
 */
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
 * Counts who looked at the account's profile on the UTC day of that instant. No visit is stored:
 * the counts follow from the seed, the account, the day and the number of subscribers before it.
 * They also follow weekdays, above all those on which the creator posts, and seasons. Nobody comes
 * before the account joined or after the clock. `within` cuts the day to a span: the visits of all
 * parts of a day add up to those of the day.
 */
export function visitsOn(
  world: World,
  accountId: number,
  day: number,
  within: Partial<Span> = {},
): Visits {
  const start = startOfDay(day)
  const habit = habitOf(world, accountId, start)
  if (habit === undefined) return countVisits([], { start, from: 0, to: 0 })
  const from = Math.max(start, within.start ?? start, habit.since)
  const end = Math.min(start + dayMs, (within.end ?? Infinity) + 1)
  const until = (now: number) =>
    countVisits(habit.kinds, { start, from, to: Math.min(end, now + 1) })
  return until(world.clock.nowFor((now) => until(now).total, end - 1))
}

/** How many visitors of a kind a whole day has, and how long each stays on average. */
interface KindOfDay {
  kind: VisitorKind
  count: number
  seconds: number
}

/**
 * What a whole day brings, and the instant before which nobody comes, epoch ms; undefined when
 * nobody comes at all.
 */
function habitOf(
  world: World,
  accountId: number,
  start: number,
): { since: number; kinds: KindOfDay[] } | undefined {
  const account = world.db.accounts.get(accountId)
  const subscribers = subscribersBefore(world, accountId, start)
  if (account === undefined || subscribers === 0) return undefined
  const random = randomAt(world.options.seed, 'visits', accountId, start / dayMs)
  const weekday = weekdays[new Date(start).getUTCDay()] as number
  const luck = 0.75 + random.next() / 2
  const peak = random.chance(0.02) ? 2.4 : 1
  const traffic =
    weekday * postingShare(personaOf(textsOf(world), account), start) * season(start) * luck * peak
  const kinds = visitorKinds.map((kind) => {
    const { base, perSubscriber, seconds } = habits[kind]
    const count = Math.round(
      (base + perSubscriber * subscribers) * traffic * (0.85 + random.next() * 0.3),
    )
    return { kind, count, seconds: seconds * (0.7 + random.next() * 0.6) }
  })
  return { since: fromIso(account.joinDate), kinds }
}

/**
 * The visits of a part of the day that begins at `start`, from one instant to before another. Epoch
 * ms.
 */
function countVisits(
  kinds: readonly KindOfDay[],
  { start, from, to }: { start: number; from: number; to: number },
): Visits {
  const visits: Visits = { ...nobody(), duration: nobody() }
  if (to <= from) return visits
  const [shareBefore, shareAfter] = [shareOfDay(from - start), shareOfDay(to - start)]
  for (const { kind, count: countOfDay, seconds } of kinds) {
    const [countBefore, countAfter] = [
      Math.floor(countOfDay * shareBefore),
      Math.floor(countOfDay * shareAfter),
    ]
    const count = countAfter - countBefore
    // Rounded running sums add up, whatever parts a day is cut into. Rounded parts would not.
    const duration = Math.round(countAfter * seconds) - Math.round(countBefore * seconds)
    visits[kind] = count
    visits.total += count
    visits.duration[kind] = duration
    visits.duration.total += duration
  }
  return visits
}

/** The visits of all days of the span, as `sumVisits` sums them. They are kept. */
export function visitsIn(world: World, account: Account, { start, end }: Span): Visits {
  return world.known(toVisits, account, { start, end })
}

function toVisits(world: World, { id }: Account, span: Span): Visits {
  return sumVisits(world, id, span)
}

/**
 * Sums the visits of all days of the span: whole days as the difference of running sums, the others
 * one by one.
 */
export function sumVisits(world: World, accountId: number, span: Span): Visits {
  const sum: Visits = { ...nobody(), duration: nobody() }
  const cut = cutAtDays(world, accountId, span)
  if (cut === undefined) return sum
  const { running, from, to } = cut
  for (const [place, kind] of visitorKinds.entries()) {
    sum[kind] = running.between(from, to, place)
    sum.duration[kind] = running.between(from, to, place + visitorKinds.length)
    sum.total += sum[kind]
    sum.duration.total += sum.duration[kind]
  }
  for (const day of cut.others) {
    const visits = visitsOn(world, accountId, day, span)
    add(sum, visits)
    add(sum.duration, visits.duration)
  }
  return sum
}

/**
 * Counts the visits of the span by country, in no order. A country without visits is left out. The
 * rows add up to `sumVisits`.
 */
export function visitsByCountry(world: World, accountId: number, span: Span): CountryVisits[] {
  const cut = cutAtDays(world, accountId, span)
  const { countries } = textsOf(world)
  if (cut === undefined) return []
  const { running, from, to, others } = cut
  const shares = world.known(countryShares, running.account)
  const sums = new Float64Array(countries.length * visitorKinds.length)
  const [firstKept, lastKept] = [Math.ceil(from / keptStep), Math.floor(to / keptStep)]
  const addWhole = (first: number, end: number) => {
    for (let place = first; place < end; place += 1)
      shares.add(sums, running.first + place * dayMs, running.on(place))
  }
  if (firstKept < lastKept) {
    const kept = world.known(countriesUntil, running.account)
    for (let place = 0; place < sums.length; place += 1)
      sums[place] = (kept[lastKept]?.[place] ?? 0) - (kept[firstKept]?.[place] ?? 0)
    addWhole(from, firstKept * keptStep)
    addWhole(lastKept * keptStep, to)
  } else addWhole(from, to)
  for (const day of others) shares.add(sums, day, visitsOn(world, accountId, day, span))
  const rows = countries.map(({ code, name }, index) => {
    const of = (place: number) => sums[index * visitorKinds.length + place] ?? 0
    const [guests, users, subscribers] = [of(0), of(1), of(2)]
    return {
      code,
      name,
      views: { total: guests + users + subscribers, guests, users, subscribers },
    }
  })
  return rows.filter(({ views }) => views.total > 0)
}

/** Of every so many whole days the sums by country are kept. */
const keptStep = 16

/** The days of a span on which somebody can have come. */
interface CutDays {
  running: RunningVisits
  /** The places of the whole days among those of `running`, from one to before the other. */
  from: number
  to: number
  /**
   * The starts of the other days: those at the ends of the span, that of the joining, and today.
   */
  others: number[]
}

function cutAtDays(world: World, accountId: number, { start, end }: Span): CutDays | undefined {
  const account = world.db.accounts.get(accountId)
  if (account === undefined) return undefined
  const running = world.known(runningVisits, account)
  const first = startOfDay(Math.max(start, fromIso(account.joinDate)))
  const last = Math.min(end, startOfToday(world))
  const from = Math.max(0, Math.ceil((start - running.first) / dayMs))
  const to = Math.max(from, Math.min(running.count, Math.floor((end + 1 - running.first) / dayMs)))
  const [wholeFrom, wholeTo] = [running.first + from * dayMs, running.first + to * dayMs]
  const others: number[] = []
  for (let day = first; day <= last; day += dayMs) {
    if (from < to && day === wholeFrom) day = wholeTo
    if (day <= last) others.push(day)
  }
  return { running, from, to, others }
}

function startOfToday({ clock }: World): number {
  return clock.stepsSince(0, dayMs) * dayMs
}

/**
 * The visits up to each whole day of an account: those after the day on which it joined and before
 * today.
 */
class RunningVisits implements Weighed {
  readonly account: Account
  /** The start of the first whole day, epoch ms. */
  readonly first: number
  /** How many whole days there are. */
  readonly count: number
  readonly #before: Float64Array

  constructor(account: Account, first: number, days: readonly Visits[]) {
    this.account = account
    this.first = first
    this.count = days.length
    this.#before = new Float64Array((days.length + 1) * runningWidth)
    for (const [day, visits] of days.entries()) {
      for (const [place, kind] of visitorKinds.entries()) {
        this.#set(day + 1, place, visits[kind])
        this.#set(day + 1, place + visitorKinds.length, visits.duration[kind])
      }
    }
  }

  get bytes(): number {
    return this.#before.byteLength
  }

  /** The sum of one figure from one day to before another. */
  between(from: number, to: number, figure: number): number {
    return (
      (this.#before[to * runningWidth + figure] ?? 0) -
      (this.#before[from * runningWidth + figure] ?? 0)
    )
  }

  /** How many visitors of each kind a day had. */
  on(day: number): Record<VisitorKind, number> {
    const of = (figure: number) => this.between(day, day + 1, figure)
    return { guests: of(0), users: of(1), subscribers: of(2) }
  }

  #set(day: number, figure: number, value: number): void {
    this.#before[day * runningWidth + figure] =
      (this.#before[(day - 1) * runningWidth + figure] ?? 0) + value
  }
}

/** The figures of a day: the visitors of each kind, and how long they stayed. */
const runningWidth = visitorKinds.length * 2

function runningVisits(world: World, account: Account): RunningVisits {
  const first = startOfDay(fromIso(account.joinDate)) + dayMs
  const count = Math.max(0, Math.floor((startOfToday(world) - first) / dayMs))
  const days = Array.from({ length: count }, (_, place) =>
    visitsOn(world, account.id, first + place * dayMs),
  )
  return new RunningVisits(account, first, days)
}

/** How the visits of an account divide among countries. */
class CountryShares {
  readonly #seed: number
  readonly #accountId: number
  readonly #ends: readonly number[]

  constructor(seed: number, accountId: number, weights: readonly number[]) {
    this.#seed = seed
    this.#accountId = accountId
    const random = randomAt(seed, 'countries', accountId)
    // The first 0 is the start of the first country's share.
    const ends = toRunningShares(
      weights.map((weight) => weight * (0.4 + 1.6 * random.next())),
    ).slice(1)
    // The sum of fractions may miss 1 by a rounding error, which would lose a visitor.
    ends[ends.length - 1] = 1
    this.#ends = ends
  }

  /** Adds the visits of a day to the sums: those of each kind, country by country. */
  add(sums: Float64Array, day: number, visits: Readonly<Record<VisitorKind, number>>): void {
    const random = randomAt(this.#seed, 'countries', this.#accountId, day / dayMs)
    for (let place = 0; place < visitorKinds.length; place += 1) {
      const count = visits[visitorKinds[place] as VisitorKind]
      // The running sums are cut at rounded shares, so each visitor counts for one country. A
      // random offset lets small countries get some.
      const offset = random.next()
      let before = 0
      for (let index = 0; index < this.#ends.length; index += 1) {
        const after = Math.floor(count * (this.#ends[index] ?? 1) + offset)
        const at = index * visitorKinds.length + place
        sums[at] = (sums[at] ?? 0) + after - before
        before = after
      }
    }
  }
}

function countryShares(world: World, { id }: Account): CountryShares {
  return new CountryShares(
    world.options.seed,
    id,
    textsOf(world).countries.map(({ weight }) => weight),
  )
}

/** The visits by country before every `keptStep`-th whole day. */
function countriesUntil(world: World, account: Account): readonly Float64Array[] {
  const running = world.known(runningVisits, account)
  const shares = world.known(countryShares, account)
  const sums = new Float64Array(textsOf(world).countries.length * visitorKinds.length)
  const kept = [sums.slice()]
  for (let place = 0; place < running.count; place += 1) {
    shares.add(sums, running.first + place * dayMs, running.on(place))
    if ((place + 1) % keptStep === 0) kept.push(sums.slice())
  }
  return kept
}

/**
 * How many visits a day brings: `base`, and `perSubscriber` for each subscriber. `seconds` is how
 * long a visit lasts on average.
 */
const habits: Readonly<
  Record<VisitorKind, { base: number; perSubscriber: number; seconds: number }>
> = {
  guests: { base: 6, perSubscriber: 0.8, seconds: 26 },
  users: { base: 3, perSubscriber: 0.4, seconds: 58 },
  subscribers: { base: 0, perSubscriber: 0.3, seconds: 140 },
}

/** How busy each day of the week is, from Sunday on. */
const weekdays = [1.22, 0.9, 0.87, 0.91, 0.95, 1.08, 1.2] as const

/**
 * How much of the visits comes whatever the creator does; the rest comes as often as they post on
 * that day of the week.
 */
const steadyShare = 0.45

/** How busy the creator's posting makes a day of the week, about 1 on average. */
function postingShare({ posting }: Persona, day: number): number {
  const weights = postingDays.map((name) => posting.days[name] ?? 1)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return (
    steadyShare +
    ((1 - steadyShare) * weights.length * (weights[new Date(day).getUTCDay()] ?? 1)) / sum
  )
}

/** The days of the week as personas name them, from Sunday on. */
const postingDays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** The share of a day's visits that came before each full hour, from 0 at 00:00 to 1 at 24:00. */
const sharesBeforeHour = toRunningShares(busyHours)

/** More come in winter: 15 January is the peak. */
function season(day: number): number {
  return 1 + 0.15 * Math.cos((2 * Math.PI * (day / dayMs - 15)) / 365.25)
}

/**
 * The share of a day's visits that came before that time of the day, which is ms since midnight.
 */
function shareOfDay(sinceMidnight: number): number {
  const hours = sinceMidnight / 3_600_000
  const hour = Math.floor(hours)
  const from = sharesBeforeHour[hour] ?? 1
  const to = sharesBeforeHour[hour + 1] ?? 1
  return from + (to - from) * (hours - hour)
}

/**
 * The running sums of the weights as shares of their sum, from 0: `[1, 3]` gives `[0, 0.25, 1]`.
 */
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
