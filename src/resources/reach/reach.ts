import { splitIntoBuckets } from '../../api/lists/day-counts.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { parseIso, hourMs, getStartOfUtcDay, toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import { getPrecedingWindow, computePercentChange } from '../../api/lists/windows.ts'
import type { Span } from '../../api/lists/windows.ts'
import type { World } from '../world.ts'
import { sumVisits, countVisitsByCountry, getCachedVisits } from './visit-sums.ts'
import type { CountryVisits } from './visit-sums.ts'
import { visitorKinds } from './visitors.ts'
import type { Audience, VisitorKind } from './visitors.ts'

/** Visitors to count: one kind, or all kinds. */
export type AudienceKind = VisitorKind | 'total'

/**
 * A country and its rank by visitors. The row that combines all remaining countries has no code.
 */
export interface RankedCountry extends CountryVisits {
  rank: number
}

/** Query of the ranking of countries. */
export interface CountryQuery extends Span {
  by: AudienceKind
  limit: number
}

interface CountryRanking {
  rows: readonly RankedCountry[]
  totals: Readonly<Audience>
  hasMore: boolean
}

/**
 * Ranks the countries in the span by visitors of one kind, highest first. If there are more
 * countries than the limit, an additional last row adds up the remaining countries.
 */
export function rankCountries(world: World, account: Account, query: CountryQuery): CountryRanking {
  return world.cached(toRanking, account, query)
}

function toRanking(
  world: World,
  account: Account,
  { by, limit, ...span }: CountryQuery,
): CountryRanking {
  const countries = countVisitsByCountry(world, account.id, span).toSorted(
    (a, b) => b.views[by] - a.views[by] || (a.code < b.code ? -1 : 1),
  )
  const [shown, others] = [countries.slice(0, limit), countries.slice(limit)]
  const rest = others.length === 0 ? [] : [{ code: '', name: 'Others', views: sumViews(others) }]
  return {
    rows: [...shown, ...rest].map(toRanked),
    totals: sumViews(countries),
    hasMore: others.length > 0,
  }
}

/**
 * Returns the number of visitors of one kind and the duration of their visits in seconds, by hour,
 * day or month.
 */
export function buildVisitorChart(
  world: World,
  account: Account,
  chart: Span & { by: AudienceKind },
) {
  const of = (figure: 'visitors' | 'duration') => world.json(toChart, account, { ...chart, figure })
  return { visitors: of('visitors'), duration: of('duration') }
}

/** One bucket of a chart. */
export interface ChartPoint {
  date: PlatformTime
  count: number
}

function toChart(
  world: World,
  account: Account,
  { by, figure, ...span }: Span & { by: AudienceKind; figure: 'visitors' | 'duration' },
) {
  return splitIntoBuckets(span, getAccountLifetime(world, account)).map((bucket): ChartPoint => {
    const visits = sumVisits(world, account.id, bucket)
    return {
      date: toPlatformTime(bucket.date),
      count: figure === 'visitors' ? visits[by] : visits.duration[by],
    }
  })
}

/** Returns the number of all visitors like `buildVisitorChart`, but without empty buckets. */
export function toSparseVisitorChart(world: World, account: Account, span: Span): ChartPoint[] {
  return toChart(world, account, { ...span, by: 'total', figure: 'visitors' }).filter(
    ({ count }) => count > 0,
  )
}

/**
 * Returns the change in the number of visitors of one kind since the previous span of the same
 * length, in percent. `current` is the number of visitors in the given span.
 */
export function computeVisitorChange(
  world: World,
  account: Account,
  { by, current, ...span }: Span & { by: AudienceKind; current: number },
): number {
  return computePercentChange(
    current,
    getCachedVisits(world, account, getPrecedingWindow(span))[by],
  )
}

/** Converts visitor numbers to their API form, in which two of the numbers are strings. */
export function toAudienceTotals({ total, guests, users, subscribers }: Audience) {
  return { total, guests: String(guests), users: String(users), subscribers }
}

/**
 * Returns the span from the day on which the account joined to the end of the current hour. Charts
 * are limited to this span.
 */
function getAccountLifetime(world: World, account: Account): Span {
  return {
    start: getStartOfUtcDay(parseIso(account.joinDate)),
    end: (world.clock.stepsSince(0, hourMs) + 1) * hourMs - 1,
  }
}

function sumViews(countries: readonly CountryVisits[]): Audience {
  const sum = { total: 0, guests: 0, users: 0, subscribers: 0 }
  for (const { views } of countries)
    for (const kind of ['total', ...visitorKinds] as const) sum[kind] += views[kind]
  return sum
}

function toRanked(country: CountryVisits, index: number): RankedCountry {
  return { ...country, rank: index + 1 }
}
