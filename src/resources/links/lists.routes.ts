import { z } from 'zod'
import {
  createWindowSchema,
  listLimit,
  offset,
  createPageLimitSchema,
  queryFlag,
} from '../../lib/fields.ts'
import { Page, copyRoute } from '../../api/route.ts'
import { readPage, createNextPage } from '../../api/lists/paging.ts'
import { readWindow } from '../../api/lists/windows.ts'
import { createRouteDefiner } from '../define.ts'
import { rankLinks } from './link-totals.ts'
import type { LinkSort } from './link-totals.ts'
import { linkGroups, RelayTrackingLinkPage, TrackingLinkPage, TrialLinkPage } from './schemas.ts'
import { toTrackingItem, toTrackingRow, toTrialItem, toTrialRow } from './view.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import type { World } from '../world.ts'
import type { LinkMetrics, LinkScope, LinkKind } from './links.table.ts'
import { findLink } from './links.ts'
import type { LinkOfKind } from './links.ts'

const defineTrackingRoute = createRouteDefiner({ group: linkGroups.tracking, source: 'published' })
const defineTrialRoute = createRouteDefiner({ group: linkGroups.trial, source: 'published' })
const ofService = {
  kind: 'service',
  source: 'inferred',
  evidence: 'named in reference §9.2; path by analogy',
} as const
const paged = { next: 'address', last: 'omitted' } as const
const visibility = () => z.enum(['visible', 'hidden', 'all'])
const sort = () => z.enum(['desc', 'asc']).default('desc')
const relayVisibility = () =>
  visibility()
    .default('all')
    .describe('visible: only links that are not hidden. hidden: only hidden links.')

/**
 * Sort fields of the platform's list of tracking links: values of the parameter `field`, each with
 * an index.
 */
const trackingSorts = {
  created_date: 'created',
  subscribers_counts: 'subscribers',
  transitions_counts: 'clicks',
  clicks_count: 'clicks',
  name: 'name',
  shared: 'shares',
} as const satisfies Record<string, LinkSort>
/** Sort fields of the platform's list of trial links. */
const trialSorts = {
  create_date: 'created',
  expire_date: 'expires',
  claims_count: 'subscribers',
  clicks_count: 'clicks',
  subscribe_counts: 'limit',
  subscribe_days: 'days',
  shared: 'shares',
} as const satisfies Record<string, LinkSort>

/** The list of tracking links. */
const listTrackingLinks = defineTrackingRoute({
  id: 'GET /v1/:account_id/tracking-links',
  permission: 'api_tracking_links_list',
  summary: "List tracking links in the platform's own format",
  errors: ['window_reversed'],
  rules: [
    'A limit above 200 is lowered to 200.',
    'Deleted links are listed only with with_deleted=true. Deleted links have an endDate.',
    'With stats=true, countSubscribers and countTransitions cover the time from start_date to ' +
      'end_date. Without stats=true, these dates are ignored, and both fields cover the time ' +
      'since the creation of the link. Clicks have no times, so the sandbox spreads them evenly ' +
      'over the lifetime of the link.',
  ],
  pagination: paged,
  query: () => ({
    limit: createPageLimitSchema(100, 200, { clamp: true }),
    offset,
    field: z
      .enum(Object.keys(trackingSorts) as [keyof typeof trackingSorts])
      .default('created_date')
      .describe('Sort field. shared: number of public pages.'),
    sort: sort(),
    visibility: relayVisibility(),
    with_deleted: queryFlag.default(false).describe('true: also list deleted links.'),
    sorting_deleted: queryFlag
      .default(false)
      .describe(
        'true: deleted links come after all other links. false: deleted links are sorted ' +
          'together with all other links.',
      ),
    stats: queryFlag
      .default(false)
      .describe('true: countSubscribers and countTransitions cover only the window.'),
    ...createWindowSchema(),
  }),
  data: RelayTrackingLinkPage,
  handle({ world, account, query }) {
    const window = query.stats ? readWindow(query, world.clock.now()) : undefined
    const withDeleted = query.sorting_deleted ? (['active', 'over'] as const) : (['all'] as const)
    const { rows, hasMore, next } = listLinks(world, {
      ...query,
      kind: 'tracking',
      accountId: account.id,
      statuses: query.with_deleted ? withDeleted : ['active'],
      sort: trackingSorts[query.field],
      isAscending: query.sort === 'asc',
    })
    return new Page({ list: rows.map((link) => toTrackingRow(world, link, window)), hasMore }, next)
  },
})

const listOwnTrackingLinks = defineTrackingRoute({
  id: 'GET /v1/:account_id/fm/tracking-links',
  permission: 'api_tracking_links_list',
  ...ofService,
  summary: "List tracking links in the service's own format",
  rules: [
    'visibility is visible (default), hidden or all. include_hidden is ignored.',
    'Newest first, without deleted links. visibility filters only by is_hidden.',
  ],
  pagination: paged,
  query: () => ({ limit: listLimit, offset, visibility: visibility().default('visible') }),
  data: TrackingLinkPage,
  handle({ world, account, query }) {
    const { rows, hasMore, next } = listLinks(world, {
      ...query,
      kind: 'tracking',
      accountId: account.id,
      statuses: ['active'],
      sort: 'created',
      isAscending: false,
    })
    return new Page({ list: rows.map((link) => toTrackingItem(world, link)), hasMore }, next)
  },
})

const listTrialLinks = defineTrialRoute({
  id: 'GET /v1/:account_id/trial-links',
  permission: 'api_trial_links_list',
  summary: "List trial links in the platform's own format",
  rules: [
    'A limit above 200 is lowered to 200.',
    'Includes finished links. Links that never expire are sorted as if they expired last.',
    'createdAt and expiredAt end in Z, unlike times in other relay routes.',
  ],
  pagination: paged,
  query: () => ({
    limit: createPageLimitSchema(10, 200, { clamp: true }),
    offset,
    field: z
      .enum(Object.keys(trialSorts) as [keyof typeof trialSorts])
      .default('create_date')
      .describe('Sort field. shared: number of public pages.'),
    sort: sort(),
    visibility: relayVisibility(),
  }),
  data: TrialLinkPage,
  handle({ world, account, query }) {
    const { rows, hasMore, next } = listLinks(world, {
      ...query,
      kind: 'trial',
      accountId: account.id,
      statuses: ['all'],
      sort: trialSorts[query.field],
      isAscending: query.sort === 'asc',
    })
    return new Page({ list: rows.map((link) => toTrialRow(world, link)), hasMore }, next)
  },
})

const listOwnTrialLinks = defineTrialRoute({
  id: 'GET /v1/:account_id/fm/trial-links',
  permission: 'api_trial_links_list',
  ...ofService,
  summary: "List trial links in the service's own format",
  rules: [
    'visibility is visible (default), hidden or all. status is all (default), active or ' +
      'finished. visibility and status can be combined. include_hidden is ignored.',
    'Newest first.',
  ],
  pagination: paged,
  query: () => ({
    limit: listLimit,
    offset,
    visibility: visibility().default('visible'),
    status: z.enum(['all', 'active', 'finished']).default('all'),
  }),
  data: TrialLinkPage,
  handle({ world, account, query }) {
    const status = query.status === 'finished' ? 'over' : query.status
    const { rows, hasMore, next } = listLinks(world, {
      ...query,
      kind: 'trial',
      accountId: account.id,
      statuses: [status],
      sort: 'created',
      isAscending: false,
    })
    return new Page({ list: rows.map((link) => toTrialItem(world, link)), hasMore }, next)
  },
})

export const linkListRoutes = [
  listTrackingLinks,
  listOwnTrackingLinks,
  listTrialLinks,
  listOwnTrialLinks,
]

const path = '/v1/:account_id/campaigns'

/** Alias of the list of tracking links. */
const listCampaigns = copyRoute(listTrackingLinks, {
  path,
  id: `${listTrackingLinks.method} ${path}`,
  permission: 'api_campaigns_list',
  evidence: 'permission group by analogy',
  summary: "List campaigns (tracking links in the platform's own format)",
  rules: [
    ...(listTrackingLinks.rules ?? []),
    'Returns the same list as GET tracking-links, but requires a different permission.',
  ],
})

export const campaignRoutes = [listCampaigns]

/** Query of a list of links. */
interface LinkQuery<Kind extends LinkKind> extends PageQuery {
  kind: Kind
  accountId: number
  visibility: LinkScope['visibility']
  /**
   * Statuses of the links to list, in order. Each status is sorted separately. For example,
   * `['active', 'over']` lists active links first.
   */
  statuses: readonly LinkScope['status'][]
  sort: LinkSort
  isAscending: boolean
}

/** Returns one page of links. */
function listLinks<Kind extends LinkKind>(
  world: World,
  query: LinkQuery<Kind>,
): ListPage<LinkOfKind<Kind>> {
  const { kind, visibility, statuses, offset, limit, isAscending } = query
  const rows: LinkMetrics[] = []
  let size = 0
  for (const status of statuses) {
    const ranked = rankLinks(world, query, { visibility, status })
    const rest = { offset: Math.max(0, offset - size), limit: limit - rows.length }
    rows.push(...readPage(ranked, rest, { backwards: isAscending }).rows)
    size += ranked.size
  }
  return {
    rows: rows.flatMap(({ linkId }) => findLink(world, kind, linkId) ?? []),
    ...createNextPage(offset + limit < size, offset + limit),
  }
}
