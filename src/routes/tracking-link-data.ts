import { z } from 'zod'
import { bucketLink, sumLink } from '../model/link-metrics.ts'
import type { OpenWindow } from '../model/link-metrics.ts'
import { createTrackingLink, ownTags, requireTrackingLink } from '../model/links.ts'
import type { TrackingLink } from '../model/links.ts'
import { readEnds } from '../model/window.ts'
import type { World } from '../model/world.ts'
import { defineRoute, page } from '../route.ts'
import { bodyId, offset, openWindow, pageLimit, pathId } from '../schemas/common.ts'
import { LinkStats, TrackingLinkItem, TrackingLinkPage } from '../schemas/links.ts'

const ofLinks = { group: 'Tracking Links' } as const
const linkParams = z.object({ link_id: pathId })
const named = 'named in reference §4 Routes named without shapes and §9; path by analogy'
const text = z.string().nullable().optional()

const listLinks = defineRoute({
  ...ofLinks,
  method: 'GET',
  path: '/v1/:account_id/fm/tracking-links',
  permission: 'api_tracking_links_list',
  kind: 'service',
  source: 'inferred',
  evidence: named,
  summary: "List tracking links from the service's own data",
  rules: ['visibility is visible (default), hidden or all; include_hidden is ignored.', 'Newest first; deleted links are not listed.'],
  pagination: { next: 'address', last: 'omitted' },
  query: z.object({ limit: pageLimit(10, 100), offset, visibility: z.enum(['visible', 'hidden', 'all']).default('visible') }),
  data: TrackingLinkPage,
  handle({ world, account, query }) {
    const { trackingLinks } = world.db
    const links = query.visibility === 'all' ? trackingLinks.in('all', account.id) : trackingLinks.in('visible', `${account.id}:${query.visibility}`)
    const reached = query.offset + query.limit
    const hasMore = reached < links.size
    return page({ list: links.slice(query.offset, reached).map((link) => toItem(world, link)), hasMore }, hasMore ? { offset: reached } : null)
  },
})

const createLink = defineRoute({
  ...ofLinks,
  method: 'POST',
  path: '/v1/:account_id/tracking-links',
  permission: 'api_tracking_links_create',
  kind: 'relay',
  source: 'reference §9.2',
  summary: 'Create a tracking link',
  rules: ['The answer is the item that the read answers, with every metric at zero.', "Tags that are not the organisation's are passed over."],
  body: z.object({ name: z.string().regex(/\S/, { error: 'it must not be empty' }), tag_ids: z.array(bodyId).default([]) }),
  data: TrackingLinkItem,
  handle: ({ world, organisation, account, body }) =>
    toItem(world, createTrackingLink(world, account, { name: body.name, tagIds: ownTags(world, organisation, body.tag_ids) })),
})

const readLink = defineRoute({
  ...ofLinks,
  method: 'GET',
  path: '/v1/:account_id/tracking-links/:link_id',
  permission: 'api_tracking_links_read',
  kind: 'relay',
  source: 'inferred',
  evidence: named,
  summary: 'Read one tracking link',
  params: linkParams,
  data: TrackingLinkItem,
  handle: ({ world, account, params }) => toItem(world, requireTrackingLink(world, account, params.link_id)),
})

const updateLink = defineRoute({
  ...ofLinks,
  method: 'PATCH',
  path: '/v1/:account_id/tracking-links/:link_id',
  permission: 'api_tracking_links_update',
  kind: 'service',
  source: 'inferred',
  evidence: named,
  summary: "Update the service's own fields of a tracking link",
  rules: ['A merge-patch: a key that is left out is left alone, null clears, any other value is set. is_hidden cannot be null.', "The platform's data stay as they are."],
  params: linkParams,
  body: z.object({
    custom_name: text,
    note: text,
    custom_source_url: z.url({ protocol: /^https?$/, error: 'it must be an http or https address, or null' }).nullable().optional(),
    promo_cost: z.number().min(0).nullable().optional().describe('Dollars.'),
    is_hidden: z.boolean().optional(),
  }),
  data: TrackingLinkItem,
  handle({ world, account, params, body }) {
    const link = requireTrackingLink(world, account, params.link_id)
    const { custom_name: customName = link.customName, note = link.note, custom_source_url: customSourceUrl = link.customSourceUrl } = body
    const { promo_cost: promoCost = link.promoCost, is_hidden: isHidden = link.isHidden } = body
    return toItem(world, world.db.trackingLinks.update(link.id, { customName, note, customSourceUrl, promoCost, isHidden }))
  },
})

const readStats = defineRoute({
  ...ofLinks,
  method: 'GET',
  path: '/v1/:account_id/tracking-links/:link_id/stats',
  permission: 'api_tracking_links_read_stats',
  kind: 'service',
  source: 'inferred',
  evidence: named,
  summary: 'Read what a tracking link brought',
  rules: [
    'subs_total, revenue_total and spenders_total follow the window; the cumulative totals run from the inception of the link to date_end.',
    'Buckets are cut on whole UTC boundaries; only those with activity are there. There are no clicks.',
  ],
  params: linkParams,
  query: z.object(openWindow),
  data: LinkStats,
  handle({ world, account, params, query }) {
    const link = requireTrackingLink(world, account, params.link_id)
    const window: OpenWindow = readEnds({ date_start: query.date_start, date_end: query.date_end }, world.clock.now())
    const within = sumLink(world, link, window)
    const cumulative = sumLink(world, link, { end: window.end })
    return {
      summary: {
        subs_total: within.subs,
        revenue_total: within.revenue,
        spenders_total: within.spenders,
        cumulative_subs_total: cumulative.subs,
        cumulative_revenue_total: cumulative.revenue,
      },
      daily_metrics: bucketLink(world, link, { ...window, by: 'day' }),
      monthly_metrics: bucketLink(world, link, { ...window, by: 'month' }),
    }
  },
})

export const trackingLinkDataRoutes = [listLinks, createLink, readLink, updateLink, readStats]

function toItem(world: World, link: TrackingLink) {
  const { subs, revenue, spenders } = sumLink(world, link)
  const { id, accountId, promoCost, countTransitions, tags, ...fields } = link
  const perUnit = (amount: number | null, units: number) => (amount === null || units === 0 ? null : Math.round((amount / units) * 100) / 100)
  const address = `/v1/${accountId}/tracking-links/${id}`
  return {
    id,
    ...fields,
    countTransitions,
    countSubscribers: subs,
    promoCost,
    revenue: {
      total: revenue,
      revenuePerSubscriber: perUnit(revenue, subs) ?? 0,
      revenuePerClick: perUnit(revenue, countTransitions) ?? 0,
      spendersCount: spenders,
      calculatedAt: subs === 0 ? null : world.clock.iso(),
      isLoading: false,
    },
    cost: {
      inputMode: promoCost === null ? null : 'promo',
      inputValue: promoCost,
      perSub: perUnit(promoCost, subs),
      perPromo: promoCost,
      perClick: perUnit(promoCost, countTransitions),
      subscriberSourceCount: subs,
      clickSourceCount: countTransitions,
    },
    tags: tags.flatMap((tagId) => world.db.tags.get(tagId) ?? []).map(({ id: tagId, name, color }) => ({ id: tagId, name, color })),
    links: { related: { claimers: `${address}/claimers`, stats: `${address}/stats` } },
  }
}
