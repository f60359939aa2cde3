import type { Span } from '../../api/lists/windows.ts'
import { dayMs, parseIso, getStartOfUtcDay } from '../../lib/time.ts'
import { requireTexts } from '../../seed/texts.ts'
import { createRandom } from '../../world/random.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { World } from '../world.ts'
import {
  createEmptyAudience,
  toCumulativeShares,
  visitorKinds,
  computeVisits,
  createWholeDayReader,
} from './visitors.ts'
import type { Audience, VisitorKind, Visits } from './visitors.ts'

/** The visits from one country. */
export interface CountryVisits {
  code: string
  name: string
  views: Audience
}

/** Cached version of `sumVisits`. */
export function getCachedVisits(world: World, account: Account, { start, end }: Span): Visits {
  return world.cached(toVisits, account, { start, end })
}

function toVisits(world: World, { id }: Account, span: Span): Visits {
  return sumVisits(world, id, span)
}

/**
 * Adds up the visits of all days in the span. Whole days are cached. Other days are counted
 * separately.
 */
export function sumVisits(world: World, accountId: number, span: Span): Visits {
  const sum: Visits = { ...createEmptyAudience(), duration: createEmptyAudience() }
  const cut = splitAtDays(world, accountId, span)
  if (cut === undefined) return sum
  const { daily, from, to } = cut
  for (const [place, kind] of visitorKinds.entries()) {
    sum[kind] = daily.between(from, to, place)
    sum.duration[kind] = daily.between(from, to, place + visitorKinds.length)
    sum.total += sum[kind]
    sum.duration.total += sum.duration[kind]
  }
  for (const day of cut.others) {
    const visits = computeVisits(world, accountId, day, span)
    add(sum, visits)
    add(sum.duration, visits.duration)
  }
  return sum
}

/**
 * Counts the visits in the span by country, unsorted. Omits countries without visits. The counts
 * add up to the result of `sumVisits`.
 */
export function countVisitsByCountry(world: World, accountId: number, span: Span): CountryVisits[] {
  const cut = splitAtDays(world, accountId, span)
  const { countries } = requireTexts(world)
  if (cut === undefined) return []
  const { daily, from, to, others } = cut
  const sums = new Float64Array(countries.length * visitorKinds.length)
  for (let place = from; place < to; place += 1)
    daily.addByCountry(sums, daily.first + place * dayMs, daily.getVisitors(place))
  for (const day of others)
    daily.addByCountry(sums, day, computeVisits(world, accountId, day, span))
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

/** Days of a date range that can have visits. */
interface SpanDays {
  daily: DailyVisits
  /** Whole days, as indexes in `daily`. `to` is exclusive. */
  from: number
  to: number
  /** Start times of all other days: the days at both ends of the span, the join date, and today. */
  others: number[]
}

function splitAtDays(world: World, accountId: number, { start, end }: Span): SpanDays | undefined {
  const account = world.db.accounts.get(accountId)
  if (account === undefined) return undefined
  const daily = world.cached(getDailyVisits, account)
  const first = getStartOfUtcDay(Math.max(start, parseIso(account.joinDate)))
  const last = Math.min(end, getStartOfToday(world))
  const from = Math.max(0, Math.ceil((start - daily.first) / dayMs))
  const to = Math.max(from, Math.min(daily.count, Math.floor((end + 1 - daily.first) / dayMs)))
  const [wholeFrom, wholeTo] = [daily.first + from * dayMs, daily.first + to * dayMs]
  const others: number[] = []
  for (let day = first; day <= last; day += dayMs) {
    if (from < to && day === wholeFrom) day = wholeTo
    if (day <= last) others.push(day)
  }
  return { daily, from, to, others }
}

function getStartOfToday({ clock }: World): number {
  return clock.stepsSince(0, dayMs) * dayMs
}

/**
 * The visits of an account on whole days, from the second day to yesterday. A day is computed when
 * it is first read, because the clock may be centuries after the join date.
 */
class DailyVisits {
  /** The start of the first whole day, epoch ms. */
  readonly first: number
  /** Number of whole days. */
  readonly count: number
  readonly addByCountry: AddByCountry
  readonly #readDay: ReturnType<typeof createWholeDayReader>
  readonly #figures: Float64Array
  readonly #isKnown: Uint8Array

  constructor(world: World, account: Account, { first, count }: { first: number; count: number }) {
    this.first = first
    this.count = count
    this.addByCountry = createCountryAdder(world, account)
    this.#readDay = createWholeDayReader(world, account)
    this.#figures = new Float64Array(count * dayWidth)
    this.#isKnown = new Uint8Array(count)
  }

  /** Returns the sum of one value over the days [from, to). */
  between(from: number, to: number, figure: number): number {
    let sum = 0
    for (let day = from; day < to; day += 1) {
      if (this.#isKnown[day] === 0) this.#compute(day)
      sum += this.#figures[day * dayWidth + figure] ?? 0
    }
    return sum
  }

  /** Returns the number of visitors of each kind on one day. */
  getVisitors(day: number): Record<VisitorKind, number> {
    const of = (figure: number) => this.between(day, day + 1, figure)
    return { guests: of(0), users: of(1), subscribers: of(2) }
  }

  #compute(day: number): void {
    const kinds = this.#readDay(this.first + day * dayMs)
    for (const [place, { visitors, seconds }] of kinds.entries()) {
      this.#figures[day * dayWidth + place] = visitors
      this.#figures[day * dayWidth + place + visitorKinds.length] = seconds
    }
    this.#isKnown[day] = 1
  }
}

/** Number of values per day: the number of visitors and the duration for each kind. */
const dayWidth = visitorKinds.length * 2

function getDailyVisits(world: World, account: Account): DailyVisits {
  const first = getStartOfUtcDay(parseIso(account.joinDate)) + dayMs
  const count = Math.max(0, Math.floor((getStartOfToday(world) - first) / dayMs))
  return new DailyVisits(world, account, { first, count })
}

/** Adds the visits of a day to the running totals of each country. */
type AddByCountry = (
  sums: Float64Array,
  day: number,
  visits: Readonly<Record<VisitorKind, number>>,
) => void

/** Divides the visits of an account among countries, separately by kind of visitor. */
function createCountryAdder(world: World, { id: accountId }: Account): AddByCountry {
  const { seed } = world.options
  const random = createRandom(seed, 'countries', accountId)
  const own = requireTexts(world).countries.map(
    ({ weight }) => weight * (0.4 + 1.6 * random.next()),
  )
  const endsOfKinds = visitorKinds.map(() => {
    // The first value, 0, is the start of the first country's range.
    const ends = toCumulativeShares(
      own.map((weight) => weight * (0.55 + 0.9 * random.next())),
    ).slice(1)
    // Because of rounding errors, the fractions may add up to less than 1. One visitor would then
    // be omitted.
    ends[ends.length - 1] = 1
    return ends
  })
  return (sums, day, visits) => {
    const ofDay = createRandom(seed, 'countries', accountId, day / dayMs)
    for (const [place, kind] of visitorKinds.entries()) {
      const count = visits[kind]
      const ends = endsOfKinds[place] ?? []
      // Rounding the running totals assigns each visitor to exactly one country. The random offset
      // gives small countries visitors too.
      const offset = ofDay.next()
      let before = 0
      for (let index = 0; index < ends.length; index += 1) {
        const after = Math.floor(count * (ends[index] ?? 1) + offset)
        const at = index * visitorKinds.length + place
        sums[at] = (sums[at] ?? 0) + after - before
        before = after
      }
    }
  }
}

function add(sum: Audience, { total, guests, users, subscribers }: Audience): void {
  sum.total += total
  sum.guests += guests
  sum.users += users
  sum.subscribers += subscribers
}
