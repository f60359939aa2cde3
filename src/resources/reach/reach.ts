import { cutForChart } from '../../engine/buckets.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { fromIso, startOfDay, toPlatformTime } from '../../engine/time.ts'
import { percentChange, precedingWindow } from '../../engine/window.ts'
import type { Span } from '../../engine/window.ts'
import type { World } from '../../world/world.ts'
import { sumVisits, visitorKinds, visitsByCountry } from './visitors.ts'
import type { Audience, CountryVisits, VisitorKind } from './visitors.ts'

/** Which visitors count: those of one kind, or all. */
export type AudienceKind = VisitorKind | 'total'

/** A country and its rank among those that visitors came from. The row without a code stands for all others. */
export interface RankedCountry extends CountryVisits {
  rank: number
}

/** Ranks the countries of the span, most visitors of that kind first. Countries past the limit are summed up in one more row, the last. */
export function rankCountries(
  world: World,
  account: Account,
  { by, limit, ...span }: Span & { by: AudienceKind; limit: number },
): { rows: RankedCountry[]; totals: Audience; hasMore: boolean } {
  const countries = visitsByCountry(world, account.id, span).toSorted((a, b) => b.views[by] - a.views[by] || (a.code < b.code ? -1 : 1))
  const [shown, others] = [countries.slice(0, limit), countries.slice(limit)]
  const rest = others.length === 0 ? [] : [{ code: '', name: 'Others', views: sumViews(others) }]
  return { rows: [...shown, ...rest].map(toRanked), totals: sumViews(countries), hasMore: others.length > 0 }
}

/** Charts the visitors of that kind and how many seconds they stayed, by hour, day or month. */
export function chartVisitors(world: World, account: Account, { by, ...span }: Span & { by: AudienceKind }) {
  const points = cutForChart(span, lifeOf(world, account)).map((bucket) => {
    const visits = sumVisits(world, account.id, bucket)
    return { date: toPlatformTime(bucket.date), visitors: visits[by], duration: visits.duration[by] }
  })
  return {
    visitors: points.map(({ date, visitors }) => ({ date, count: visitors })),
    duration: points.map(({ date, duration }) => ({ date, count: duration })),
  }
}

/** The change in percent of the visitors of that kind against the span before, which is as long. `current` is their number in the span. */
export function visitorsDelta(
  world: World,
  account: Account,
  { by, current, ...span }: Span & { by: AudienceKind; current: number },
): number {
  return percentChange(current, sumVisits(world, account.id, precedingWindow(span))[by])
}

/** The audience as the API shows it: two of the numbers are texts. */
export function toTotals({ total, guests, users, subscribers }: Audience) {
  return { total, guests: String(guests), users: String(users), subscribers }
}

/** The span from the start of the day on which the account joined until now: charts show nothing outside it. */
function lifeOf(world: World, account: Account): Span {
  return { start: startOfDay(fromIso(account.joinDate)), end: world.clock.now() }
}

function sumViews(countries: readonly CountryVisits[]): Audience {
  const sum = { total: 0, guests: 0, users: 0, subscribers: 0 }
  for (const { views } of countries) for (const kind of ['total', ...visitorKinds] as const) sum[kind] += views[kind]
  return sum
}

function toRanked(country: CountryVisits, index: number): RankedCountry {
  return { ...country, rank: index + 1 }
}
