import { z } from 'zod'
import { listLimit, offset, pathId } from '../../lib/fields.ts'
import { readPage } from '../../api/lists/paging.ts'
import type { WithFragments } from '../../lib/json-fragment.ts'
import type { PageQuery } from '../../api/lists/paging.ts'
import { createPage } from '../../api/route.ts'
import type { Page } from '../../api/route.ts'
import { defineRoute } from '../define.ts'
import type { World } from '../world.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { serialiseUser } from '../users/users.ts'
import { sumClaimPayments } from './link-totals.ts'
import { listClaimers, requireLink } from './links.ts'
import type { Link } from './links.ts'
import { ClaimerPage, ServiceClaimerPage } from './schemas.ts'
import type { ServiceClaimer } from './schemas.ts'

const pageQuery = () => z.object({ limit: listLimit, offset })
const quirk =
  'hasMore is false if offset is 0 and true otherwise, whether or not there are more rows. ' +
  'next_page is set only if there are more rows.'
const ofClaimers = {
  method: 'GET',
  pagination: { next: 'address', last: 'omitted' },
  query: pageQuery,
} as const
const ofService = {
  ...ofClaimers,
  kind: 'service',
  source: 'inferred',
  params: () => z.object({ link_id: pathId }),
  data: ServiceClaimerPage,
} as const
const evidence = 'named in reference §4 known behaviour 4; path and keys by analogy'

const listTrackingClaimers = defineRoute({
  ...ofClaimers,
  path: '/v1/:account_id/tracking-links/:tracking_link_id/claimers',
  group: 'Tracking Links',
  permission: 'api_tracking_links_list_claimers',
  kind: 'relay',
  source: 'reference §4 Tracking links and tags',
  summary: 'List the subscribers who joined through a tracking link',
  errors: ['tracking_link_unknown'],
  rules: [quirk],
  params: () => z.object({ tracking_link_id: pathId }),
  data: ClaimerPage,
  handle: ({ world, account, params, query }) =>
    listUsers(
      world,
      requireLink(world, account, { kind: 'tracking', id: params.tracking_link_id }),
      query,
    ),
})

const listTrialSubscribers = defineRoute({
  ...ofClaimers,
  path: '/v1/:account_id/trial-links/:trial_link_id/subscribers',
  group: 'Trial Links',
  permission: 'api_trial_links_list_subscribers',
  kind: 'relay',
  source: 'inferred',
  evidence:
    'permission named in reference §4 known behaviour 4; path and shape by analogy with ' +
    'tracking links',
  summary: 'List the subscribers who joined through a trial link',
  errors: ['trial_link_unknown'],
  rules: [quirk],
  params: () => z.object({ trial_link_id: pathId }),
  data: ClaimerPage,
  handle: ({ world, account, params, query }) =>
    listUsers(
      world,
      requireLink(world, account, { kind: 'trial', id: params.trial_link_id }),
      query,
    ),
})

const listOwnTrackingClaimers = defineRoute({
  ...ofService,
  path: '/v1/:account_id/fm/tracking-links/:link_id/claimers',
  group: 'Tracking Links',
  permission: 'api_tracking_links_list_claimers',
  evidence,
  summary: "List the claimers of a tracking link in the service's own format",
  errors: ['tracking_link_unknown'],
  handle: ({ world, account, params, query }) =>
    listClaims(world, requireLink(world, account, { kind: 'tracking', id: params.link_id }), query),
})

const listOwnTrialSubscribers = defineRoute({
  ...ofService,
  path: '/v1/:account_id/fm/trial-links/:link_id/subscribers',
  group: 'Trial Links',
  permission: 'api_trial_links_list_subscribers',
  evidence,
  summary: "List the claimers of a trial link in the service's own format",
  errors: ['trial_link_unknown'],
  handle: ({ world, account, params, query }) =>
    listClaims(world, requireLink(world, account, { kind: 'trial', id: params.link_id }), query),
})

export const linkClaimerRoutes = [
  listTrackingClaimers,
  listOwnTrackingClaimers,
  listTrialSubscribers,
  listOwnTrialSubscribers,
]

function listUsers(
  world: World,
  link: Link,
  query: PageQuery,
): Page<WithFragments<z.input<typeof ClaimerPage>>> {
  const { rows, next } = readPage(listClaimers(world, link), query)
  return createPage(
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
  return createPage(
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
