import { z } from 'zod'
import {
  createWindowSchema,
  createOpenEndedWindowSchema,
  listLimit,
  offset,
} from '../../lib/fields.ts'
import { Page } from '../../api/route.ts'
import type { Route } from '../../api/route.ts'
import { readPage } from '../../api/lists/paging.ts'
import { readOpenEndedWindow, readWindow, deltaRule } from '../../api/lists/windows.ts'
import { createRouteDefiner } from '../define.ts'
import { buildLinkChart, summariseLinks, toLinkItem } from './view.ts'
import {
  computeLinkTotalsByBucket,
  computeLinkTotals,
  computeLinkTotalsUntil,
  sumClaimPayments,
} from './link-totals.ts'
import type { OpenEndedWindow } from './link-totals.ts'
import type { LinkKind } from './links.table.ts'
import { requireLink, updateLink, listClaimers } from './links.ts'
import type { Link } from './links.ts'
import {
  LinkChart,
  LinkOverview,
  LinkPatch,
  LinkStats,
  TrackingLinkItem,
  TrialLinkItem,
  ClaimerPage,
  ServiceClaimerPage,
  linkGroups,
} from './schemas.ts'
import type { ServiceClaimer } from './schemas.ts'
import type { PageQuery } from '../../api/lists/paging.ts'
import type { WithFragments } from '../../lib/json-fragment.ts'
import type { World } from '../world.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { serialiseUser } from '../users/users.ts'

/** Returns the routes for a single link. Both kinds of links have the same routes. */
function createLinkRoutes(kind: LinkKind): Route[] {
  const defineRoute = createRouteDefiner({
    group: linkGroups[kind],
    evidence: 'named in reference §4 Routes named without shapes and §9; path by analogy',
  })
  const item = kind === 'tracking' ? TrackingLinkItem : TrialLinkItem

  const readLink = defineRoute({
    id: `GET /v1/:account_id/${kind}-links/:link_id`,
    permission: `api_${kind}_links_read`,
    summary: `Read one ${kind} link`,
    errors: [`${kind}_link_unknown`],
    data: item,
    handle: ({ world, account, params }) =>
      toLinkItem(world, requireLink(world, account, { kind, id: params.link_id })),
  })

  const updateLinkRoute = defineRoute({
    id: `PATCH /v1/:account_id/${kind}-links/:link_id`,
    permission: `api_${kind}_links_update`,
    kind: 'service',
    summary: `Update the service's own fields of a ${kind} link`,
    errors: [`${kind}_link_unknown`],
    rules: [
      'The body is a merge patch: omitted keys keep their values, and null clears a value. ' +
        'is_hidden cannot be null.',
      "Does not change the platform's fields.",
    ],
    body: () => LinkPatch,
    data: item,
    handle({ world, account, params, body }) {
      const link = requireLink(world, account, { kind, id: params.link_id })
      const {
        custom_name: customName = link.customName,
        note = link.note,
        custom_source_url: customSourceUrl = link.customSourceUrl,
        promo_cost: promoCost = link.promoCost,
        is_hidden: isHidden = link.isHidden,
      } = body
      const fields = { customName, note, customSourceUrl, promoCost, isHidden }
      return toLinkItem(world, updateLink(world, link, fields))
    },
  })

  const readStats = defineRoute({
    id: `GET /v1/:account_id/${kind}-links/:link_id/stats`,
    permission: `api_${kind}_links_read_stats`,
    kind: 'service',
    summary: `Read the statistics of a ${kind} link`,
    errors: [`${kind}_link_unknown`, 'window_reversed'],
    rules: [
      'subs_total, revenue_total and spenders_total cover the window. The cumulative totals ' +
        'cover the time from the creation of the link to date_end.',
      'Buckets are UTC days or months. Buckets without activity are left out. Clicks are not ' +
        'included.',
    ],
    query: createOpenEndedWindowSchema,
    data: LinkStats,
    handle({ world, account, params, query }) {
      const link = requireLink(world, account, { kind, id: params.link_id })
      const from = { name: 'date_start', value: query.date_start }
      const to = { name: 'date_end', value: query.date_end }
      const window: OpenEndedWindow = readOpenEndedWindow({ from, to }, world.clock.now())
      const within = computeLinkTotals(world, link, window)
      const cumulative = computeLinkTotalsUntil(world, link, window.end)
      return {
        summary: {
          subs_total: within.subs,
          revenue_total: within.revenue,
          spenders_total: within.spenders,
          cumulative_subs_total: cumulative.subs,
          cumulative_revenue_total: cumulative.revenue,
          revenue_cached_at: computeLinkTotals(world, link).subs === 0 ? null : world.clock.iso(),
        },
        daily_metrics: computeLinkTotalsByBucket(world, link, { ...window, by: 'day' }),
        monthly_metrics: computeLinkTotalsByBucket(world, link, { ...window, by: 'month' }),
      }
    },
  })

  const readChart = defineRoute({
    id: `GET /v1/:account_id/${kind}-links/:link_id/chart`,
    permission: `api_${kind}_links_read_chart`,
    summary: `Read the daily claims of a ${kind} link`,
    errors: [`${kind}_link_unknown`, 'window_reversed'],
    rules: ['Lists only days with claims.', deltaRule],
    query: createWindowSchema,
    data: LinkChart,
    handle: ({ world, account, params, query }) =>
      buildLinkChart(
        world,
        requireLink(world, account, { kind, id: params.link_id }),
        readWindow(query, world.clock.now()),
      ),
  })

  return [readLink, updateLinkRoute, readStats, readChart]
}

const defineTrackingRoute = createRouteDefiner({ group: linkGroups.tracking })
const defineTrialRoute = createRouteDefiner({ group: linkGroups.trial })
const overviewRules = [
  'offers is the number of links created in the window. claims is the number of fans who ' +
    'joined through any link. Deleted and finished links are included.',
  deltaRule,
]

const readTrackingOverview = defineTrackingRoute({
  id: 'GET /v1/:account_id/tracking-links/overview',
  permission: 'api_tracking_links_read_overview',
  evidence: 'named in reference §4 Routes named without shapes; by analogy with trial links',
  summary: 'Read the total statistics of all tracking links',
  errors: ['window_reversed'],
  rules: overviewRules,
  query: createWindowSchema,
  data: z.object({ tracking: LinkOverview }),
  handle: ({ world, account, query }) => ({
    tracking: summariseLinks(
      world,
      { account, kind: 'tracking' },
      readWindow(query, world.clock.now()),
    ),
  }),
})

const readTrialOverview = defineTrialRoute({
  id: 'GET /v1/:account_id/trial-links/overview',
  permission: 'api_trial_links_read_overview',
  source: 'published',
  summary: 'Read the total statistics of all trial links',
  errors: ['window_reversed'],
  rules: overviewRules,
  query: createWindowSchema,
  data: z.object({ trials: LinkOverview }),
  handle: ({ world, account, query }) => ({
    trials: summariseLinks(world, { account, kind: 'trial' }, readWindow(query, world.clock.now())),
  }),
})

export const linkRoutes = [
  ...createLinkRoutes('tracking'),
  readTrackingOverview,
  ...createLinkRoutes('trial'),
  readTrialOverview,
]

const quirk =
  'hasMore is false if offset is 0 and true otherwise, whether or not there are more rows. ' +
  'next_page is set only if there are more rows.'

/** Returns the routes that list the fans who joined through one kind of link. */
function createClaimerRoutes(kind: LinkKind): Route[] {
  const defineRoute = createRouteDefiner({ group: linkGroups[kind] })
  const claimers = kind === 'tracking' ? 'claimers' : 'subscribers'
  const shared = {
    permission: `api_${kind}_links_list_${claimers}`,
    errors: [`${kind}_link_unknown`],
    pagination: { next: 'address', last: 'omitted' },
    query: () => ({ limit: listLimit, offset }),
  } as const

  const listClaimerUsers = defineRoute({
    ...shared,
    id: `GET /v1/:account_id/${kind}-links/:${kind}_link_id/${claimers}`,
    ...(kind === 'tracking'
      ? { source: 'reference §4 Tracking links and tags' }
      : {
          evidence:
            'permission named in reference §4 known behaviour 4; path and shape by analogy with ' +
            'tracking links',
        }),
    summary: `List the subscribers who joined through a ${kind} link`,
    rules: [quirk],
    data: ClaimerPage,
    handle: ({ world, account, params, query }) =>
      listUsers(world, requireLink(world, account, { kind, id: params[`${kind}_link_id`] }), query),
  })

  const listOwnClaimers = defineRoute({
    ...shared,
    id: `GET /v1/:account_id/fm/${kind}-links/:link_id/${claimers}`,
    kind: 'service',
    evidence: 'named in reference §4 known behaviour 4; path and keys by analogy',
    summary: `List the claimers of a ${kind} link in the service's own format`,
    data: ServiceClaimerPage,
    handle: ({ world, account, params, query }) =>
      listClaims(world, requireLink(world, account, { kind, id: params.link_id }), query),
  })

  return [listClaimerUsers, listOwnClaimers]
}

export const linkClaimerRoutes = [
  ...createClaimerRoutes('tracking'),
  ...createClaimerRoutes('trial'),
]

function listUsers(
  world: World,
  link: Link,
  query: PageQuery,
): Page<WithFragments<z.input<typeof ClaimerPage>>> {
  const { rows, next } = readPage(listClaimers(world, link), query)
  return new Page(
    {
      list: rows.map(({ accountId, fanId }) => serialiseUser(world, accountId, fanId)),
      hasMore: query.offset > 0,
    },
    next,
  )
}

function listClaims(
  world: World,
  link: Link,
  query: PageQuery,
): Page<WithFragments<z.input<typeof ServiceClaimerPage>>> {
  const { rows, hasMore, next } = readPage(listClaimers(world, link), query)
  return new Page(
    {
      list: rows
        .filter(({ fanId }) => world.db.fans.get(fanId) !== undefined)
        .map((claim) => world.json(toClaimer, claim)),
      hasMore,
    },
    next,
  )
}

function toClaimer(world: World, claim: Subscription): z.input<typeof ServiceClaimer> {
  const { username = '', name = '' } = world.db.fans.get(claim.fanId) ?? {}
  return {
    id: claim.fanId,
    username,
    name,
    subscribed_at: claim.subscribedAt,
    revenue_total: sumClaimPayments(world, claim).cents / 100,
  }
}
