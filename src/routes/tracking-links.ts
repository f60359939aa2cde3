import { z } from 'zod'
import { claimersOf, deleteTrackingLink, requireTrackingLink } from '../model/links.ts'
import { defineRoute, page } from '../route.ts'
import { offset, pageLimit, pathId, Success } from '../schemas/common.ts'
import { ClaimerPage } from '../schemas/links.ts'

const listClaimers = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/tracking-links/:tracking_link_id/claimers',
  group: 'Tracking Links',
  permission: 'api_tracking_links_list_claimers',
  kind: 'relay',
  source: 'reference §4 Tracking links and tags',
  summary: 'List the subscribers who joined through a tracking link',
  rules: ['hasMore is false when offset is 0 and true otherwise, whatever remains; next_page is there exactly while rows remain.'],
  pagination: { next: 'address', last: 'omitted' },
  params: z.object({ tracking_link_id: pathId }),
  query: z.object({ limit: pageLimit(10, 100), offset }),
  data: ClaimerPage,
  handle({ world, account, params, query }) {
    const claimers = claimersOf(world, requireTrackingLink(world, account, params.tracking_link_id))
    const rows = claimers.slice(query.offset, query.offset + query.limit)
    const list = rows.flatMap(({ fanId, subscribedAt }) => {
      const fan = world.db.fans.get(fanId)
      if (fan === undefined) return []
      return [{ id: fan.id, username: fan.username, name: fan.name, subscribePrice: fan.subscribePrice, subscribedOnData: { date: subscribedAt } }]
    })
    const reached = query.offset + rows.length
    return page({ list, hasMore: query.offset > 0 }, reached < claimers.size ? { offset: reached } : null)
  },
})

const deleteLink = defineRoute({
  method: 'DELETE',
  path: '/v1/:account_id/tracking-links/:link_id',
  group: 'Tracking Links',
  permission: 'api_tracking_links_delete',
  kind: 'relay',
  source: 'reference §4 Tracking links and tags',
  summary: 'Delete a tracking link',
  rules: ['A deleted link is 404 in every read and keeps its end date in the data.'],
  params: z.object({ link_id: pathId }),
  data: Success,
  handle({ world, account, params }) {
    deleteTrackingLink(world, requireTrackingLink(world, account, params.link_id))
    return { success: true as const }
  },
})

export const trackingLinkRoutes = [listClaimers, deleteLink]
