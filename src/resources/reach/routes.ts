import { z } from 'zod'
import { dateWindow, listLimit } from '../../engine/fields.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { readWindow } from '../../engine/window.ts'
import type { Window } from '../../engine/window.ts'
import { defineRoute } from '../../world/define.ts'
import type { World } from '../../world/world.ts'
import { chartSubscriptions, chartVisitors, rankCountries, subscriptionTypes, sumSubscriptions, toTotals, visitorsDelta } from './reach.ts'
import type { AudienceKind } from './reach.ts'
import { ProfileVisitors, SubscriptionMetrics, SubscriptionReach, VisitorChart, VisitorCountries } from './schemas.ts'
import { sumVisits, visitorKinds } from './visitors.ts'

const ofReach = { method: 'GET', group: 'Reach', kind: 'relay', source: 'inferred' } as const
const onOwnPages = "the service's own older reference"
const onSiblings = 'a sibling service; path by analogy'

const by = z
  .enum(['total', ...visitorKinds])
  .default('total')
  .describe('Which visitors count and decide the order.')
const limit = listLimit.describe('Countries shown, 1 to 100; the others are one row more.')

const readVisitors = defineRoute({
  ...ofReach,
  path: '/v1/:account_id/reach/profile-visitors',
  permission: 'api_reach_read_profile_visitors',
  evidence: onOwnPages,
  summary: 'Read who looked at the profile',
  rules: [
    'guests have no account on the platform, users have one, subscribers subscribe to this account; total is all three.',
    'A window past the clock ends at it; nobody comes before the account joined.',
    'delta is the change in percent against the window before, which is as long; 100 when nobody came then.',
  ],
  query: z.object({ ...dateWindow, by, limit }),
  data: ProfileVisitors,
  handle({ world, account, query }) {
    const window = readWindow(query, world.clock.now())
    const visits = sumVisits(world, account.id, window)
    return {
      isAvailable: true,
      hasStats: visits.total > 0,
      topCountries: toCountries(world, account, { ...query, window }),
      topDurationUsers: { totals: toTotals(visits.duration) },
      chart: chartVisitors(world, account, { ...window, by: query.by }),
      total: {
        current: String(visits[query.by]),
        delta: visitorsDelta(world, account, { ...window, by: query.by, current: visits[query.by] }),
      },
    }
  },
})

const readCountries = defineRoute({
  ...ofReach,
  path: '/v1/:account_id/reach/profile-visitors/countries',
  permission: 'api_reach_read_profile_visitors_countries',
  evidence: onOwnPages,
  summary: 'Read which countries the visitors came from',
  rules: [
    'Most visitors of the kind asked for first.',
    'With more countries than the limit the last row is Others, without a code; the rows always sum up to the totals.',
  ],
  query: z.object({ ...dateWindow, by, limit }),
  data: VisitorCountries,
  handle: ({ world, account, query }) => toCountries(world, account, { ...query, window: readWindow(query, world.clock.now()) }),
})

const readChart = defineRoute({
  ...ofReach,
  path: '/v1/:account_id/reach/profile-visitors/chart',
  permission: 'api_reach_read_profile_visitors_chart',
  evidence: onOwnPages,
  summary: 'Chart the visitors of the profile',
  rules: [
    'A point for each UTC hour, day or month, by the length of the window (two days, 100 days, above), ' +
      'from when the account joined to the clock.',
    'duration is in seconds.',
  ],
  query: z.object({ ...dateWindow, by }),
  data: VisitorChart,
  handle: ({ world, account, query }) => chartVisitors(world, account, { ...readWindow(query, world.clock.now()), by: query.by }),
})

const readSubscribers = defineRoute({
  ...ofReach,
  path: '/v1/:account_id/reach/subscribers',
  permission: 'api_reach_read_subscribers',
  evidence: onSiblings,
  summary: 'Chart subscriptions and what they earned',
  rules: [
    'new counts the fans who subscribed for the first time in the window, renew each renewal in it, paid or free, ' +
      'when it was paid or taken; total both.',
    'earnings and total are what was paid for them, dollars before fees, refunds left out.',
    'A fan who was blocked or refunded since counts all the same, and what they paid as long as it was not refunded.',
    'delta is the change of the earnings in percent against the window before, which is as long.',
  ],
  query: z.object({ ...dateWindow, type: z.enum(subscriptionTypes).default('total') }),
  data: SubscriptionReach,
  handle: ({ world, account, query }) => chartSubscriptions(world, account, { ...readWindow(query, world.clock.now()), type: query.type }),
})

const readMetrics = defineRoute({
  ...ofReach,
  path: '/v1/:account_id/reach/subscribers/metrics',
  permission: 'api_reach_read_subscriber_metrics',
  evidence: onSiblings,
  summary: 'Count new and renewed subscriptions',
  rules: [
    'The total is the sum of the two. A renewal is paid or free, and counts when it was paid or taken.',
    'Fans who were blocked or refunded since count all the same.',
  ],
  query: z.object(dateWindow),
  data: SubscriptionMetrics,
  handle({ world, account, query }) {
    const window = readWindow(query, world.clock.now())
    const { count: added } = sumSubscriptions(world, account, 'new', window)
    const { count: renewed } = sumSubscriptions(world, account, 'renew', window)
    return { total_subscriptions: added + renewed, new_subscriptions: added, renewed_subscriptions: renewed }
  },
})

export const reachRoutes = [readVisitors, readCountries, readChart, readSubscribers, readMetrics]

function toCountries(
  world: World,
  account: Account,
  { window, by: kind, limit: most }: { window: Window; by: AudienceKind; limit: number },
) {
  const { rows, totals, hasMore } = rankCountries(world, account, { ...window, by: kind, limit: most })
  return {
    hasMore,
    totals: toTotals(totals),
    rows: rows.map(({ rank, name, code, views }) => ({ rank, countryName: name, countryCode: code, viewsCount: views })),
  }
}
