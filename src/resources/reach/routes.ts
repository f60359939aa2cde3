import { z } from 'zod'
import {
  ChartPoint,
  percentChange,
  createWindowSchema,
  createPageLimitSchema,
  createQueryIntegerSchema,
  lazyInferredObject,
} from '../../lib/fields.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { readWindow, deltaRule } from '../../api/lists/windows.ts'
import type { Span } from '../../api/lists/windows.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import {
  buildVisitorChart,
  rankCountries,
  toAudienceTotals,
  computeVisitorChange,
} from './reach.ts'
import type { AudienceKind, CountryQuery } from './reach.ts'
import { getCachedVisits } from './visit-sums.ts'
import { visitorKinds } from './visitors.ts'

const digits = () => z.string().regex(/^\d+$/).meta({ example: '240' })

/**
 * Number of visits, or their total duration in seconds, by kind of visitor. Two of the values are
 * strings, as on the platform.
 */
export const AudienceTotals = lazyInferredObject(() => ({
  total: z.int(),
  guests: digits(),
  users: digits(),
  subscribers: z.int(),
}))

/** A country from which visitors came. */
export const VisitorCountry = lazyInferredObject(() => ({
  rank: z.int(),
  countryName: z.string(),
  countryCode: z.string().describe('ISO 3166-1 alpha-2 country code. Empty in the row "Others".'),
  viewsCount: z.object({
    total: z.int(),
    guests: z.int(),
    users: z.int(),
    subscribers: z.int(),
  }),
}))

/** The visitors' countries in a window. */
export const VisitorCountries = lazyInferredObject(() => ({
  hasMore: z
    .boolean()
    .describe(
      'True if there are more countries than the limit. The last row, Others, is then ' +
        'the sum of the remaining countries.',
    ),
  totals: AudienceTotals,
  rows: z.array(VisitorCountry),
}))

/** Visitors and the duration of their visits in seconds, by UTC hour, day or month. */
export const VisitorChart = lazyInferredObject(() => ({
  visitors: z.array(ChartPoint),
  duration: z.array(ChartPoint),
}))

const report = () => ({
  isAvailable: z.boolean(),
  hasStats: z.boolean().describe('False if there are no visitors.'),
})

/** Number of visitors, compared with the previous window. */
export const VisitorTotal = lazyInferredObject(() => ({
  current: digits().describe('Visitors of the requested kind.'),
  delta: percentChange,
}))

/** The report on visitors' countries in a window. */
export const CountryReport = lazyInferredObject(() => ({
  ...report(),
  topCountries: VisitorCountries,
}))

/** The report on visitors in a window, by UTC hour, day or month. */
export const VisitorReport = lazyInferredObject(() => ({
  ...report(),
  chart: VisitorChart,
  total: VisitorTotal,
}))

/** The report on visitors in a window. */
export const ProfileVisitors = lazyInferredObject(() => ({
  ...report(),
  topCountries: VisitorCountries,
  topDurationUsers: z.object({ totals: AudienceTotals.describe('Seconds.') }),
  chart: VisitorChart,
  total: VisitorTotal,
}))

const defineRoute = createRouteDefiner({ group: 'Reach', source: 'published' })

const by = () =>
  z
    .enum(['total', ...visitorKinds])
    .default('total')
    .describe('The kind of visitors to count and sort by.')
const maxCountries = 100
const countriesShown = 10
const limit = () =>
  createPageLimitSchema(countriesShown, maxCountries, { clamp: true }).describe(
    'Number of countries, 1 to 100. Larger values are lowered to 100. An additional row ' +
      'contains the sum of the remaining countries.',
  )
const overviewLimit = () =>
  createQueryIntegerSchema({ min: 0, max: maxCountries, clamp: true })
    .default(countriesShown)
    .describe(`Number of countries. 0: the platform's default, ${countriesShown}.`)

const readVisitors = defineRoute({
  id: 'GET /v1/:account_id/reach/profile-visitors',
  permission: 'api_reach_read_profile_visitors',
  summary: 'Read the number of profile visitors',
  errors: ['window_reversed'],
  rules: [
    'guests have no account on the platform, users have an account, and subscribers subscribe ' +
      'to this creator. total is the sum of these three.',
    "Visitors are counted only from the account's join date until now, even if the window is " +
      'longer.',
    deltaRule,
  ],
  query: () => ({ ...createWindowSchema(), by: by(), limit: overviewLimit() }),
  data: ProfileVisitors,
  handle({ world, account, query }) {
    const { start, end } = readWindow(query, world.clock.now())
    return world.json(toVisitors, account, {
      start,
      end,
      by: query.by,
      limit: query.limit || countriesShown,
    })
  },
})

const readCountries = defineRoute({
  id: 'GET /v1/:account_id/reach/profile-visitors/countries',
  permission: 'api_reach_read_profile_visitors_countries',
  summary: 'Count the profile visitors by country',
  errors: ['window_reversed'],
  rules: [
    'Sorted by visitors of the requested kind, highest first.',
    'If there are more countries than the limit, the last row is Others, without a code. The ' +
      'rows always add up to the totals.',
  ],
  query: () => ({ ...createWindowSchema(), by: by(), limit: limit() }),
  data: CountryReport,
  handle({ world, account, query }) {
    const { start, end } = readWindow(query, world.clock.now())
    return world.json(toCountryReport, account, { start, end, by: query.by, limit: query.limit })
  },
})

const readChart = defineRoute({
  id: 'GET /v1/:account_id/reach/profile-visitors/chart',
  permission: 'api_reach_read_profile_visitors_chart',
  summary: 'Chart the profile visitors',
  errors: ['window_reversed'],
  rules: [
    'Each point covers one UTC hour for windows of up to two days, one UTC day for windows of up ' +
      'to 100 days, and one UTC month for longer windows. The chart covers the period from the ' +
      "account's join date to now. The examples in the older reference have monthly points.",
    'duration is in seconds. total is the number of visitors, as in the overview.',
  ],
  query: () => ({ ...createWindowSchema(), by: by() }),
  data: VisitorReport,
  handle({ world, account, query }) {
    const { start, end } = readWindow(query, world.clock.now())
    return world.json(toVisitorReport, account, { start, end, by: query.by })
  },
})

export const reachRoutes = [readVisitors, readCountries, readChart]

function toVisitors(world: World, account: Account, { limit, by: kind, ...window }: CountryQuery) {
  return {
    ...toVisitorReport(world, account, { ...window, by: kind }),
    topCountries: toCountries(world, account, { ...window, by: kind, limit }),
    topDurationUsers: {
      totals: toAudienceTotals(getCachedVisits(world, account, window).duration),
    },
  }
}

function toCountryReport(world: World, account: Account, query: CountryQuery) {
  const topCountries = toCountries(world, account, query)
  return { isAvailable: true, hasStats: topCountries.totals.total > 0, topCountries }
}

function toCountries(world: World, account: Account, query: CountryQuery) {
  const { rows, totals, hasMore } = rankCountries(world, account, query)
  const shown = rows.map(({ rank, name, code, views }) => ({
    rank,
    countryName: name,
    countryCode: code,
    viewsCount: views,
  }))
  return { hasMore, totals: toAudienceTotals(totals), rows: shown }
}

function toVisitorReport(
  world: World,
  account: Account,
  { start, end, by: kind }: Span & { by: AudienceKind },
) {
  const visits = getCachedVisits(world, account, { start, end })
  const current = visits[kind]
  return {
    isAvailable: true,
    hasStats: visits.total > 0,
    chart: buildVisitorChart(world, account, { start, end, by: kind }),
    total: {
      current: String(current),
      delta: computeVisitorChange(world, account, { start, end, by: kind, current }),
    },
  }
}
