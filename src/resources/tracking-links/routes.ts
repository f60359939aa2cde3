import { z } from 'zod'
import { markAsInferred } from '../../lib/fields.ts'
import { createRouteDefiner } from '../define.ts'
import { requireLink } from '../links/links.ts'
import { linkName, linkTagIds, TrackingLinkItem } from '../links/schemas.ts'
import { toTrackingItem } from '../links/view.ts'
import { filterOwnTags } from '../tags/tags.ts'
import { createTrackingLink, deleteTrackingLink } from './tracking-links.ts'

const defineRoute = createRouteDefiner({ group: 'Tracking Links' })

const createLink = defineRoute({
  id: 'POST /v1/:account_id/tracking-links',
  permission: 'api_tracking_links_create',
  source: 'reference §9.2',
  summary: 'Create a tracking link',
  rules: [
    'The response has the same shape as the response to GET. All metrics are 0.',
    'Tags of other organisations are ignored.',
  ],
  body: () => markAsInferred(z.object({ name: linkName, tag_ids: linkTagIds.default([]) })),
  data: TrackingLinkItem,
  handle: ({ world, organisation, account, body }) =>
    toTrackingItem(
      world,
      createTrackingLink(world, account, {
        name: body.name,
        tagIds: filterOwnTags(world, organisation, body.tag_ids),
      }),
    ),
})

const deleteLink = defineRoute({
  id: 'DELETE /v1/:account_id/tracking-links/:link_id',
  permission: 'api_tracking_links_delete',
  source: 'reference §4 Tracking links and tags',
  summary: 'Delete a tracking link',
  errors: ['tracking_link_unknown'],
  rules: [
    'Routes of a deleted link return 404. Only the list with with_deleted=true still contains ' +
      'the link, with its endDate.',
  ],
  handle({ world, account, params }) {
    deleteTrackingLink(world, requireLink(world, account, { kind: 'tracking', id: params.link_id }))
  },
})

export const trackingLinkRoutes = [createLink, deleteLink]
