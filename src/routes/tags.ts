import { z } from 'zod'
import { addTags, ownTags, requireTrackingLink, setTags } from '../model/links.ts'
import { defineRoute } from '../route.ts'
import { bodyId, pathId, Success } from '../schemas/common.ts'
import { TrackingLinkTags } from '../schemas/links.ts'

const tagIds = z.array(bodyId).describe("Tag ids; those that are not the organisation's are passed over.")

const setTrackingLinkTags = defineRoute({
  method: 'PUT',
  path: '/v1/:account_id/tracking-links/:tracking_link_id/tags',
  group: 'Tags',
  permission: 'api_tags_set_tracking_link',
  kind: 'service',
  source: 'reference §4 Tracking links and tags',
  summary: 'Replace all tags of a tracking link',
  rules: ['An empty array clears all; the answer lists what was applied.'],
  params: z.object({ tracking_link_id: pathId }),
  body: z.object({ tag_ids: tagIds }),
  data: TrackingLinkTags,
  handle({ world, organisation, account, params, body }) {
    const link = requireTrackingLink(world, account, params.tracking_link_id)
    const applied = ownTags(world, organisation, body.tag_ids)
    setTags(world, link, applied)
    return { tracking_link_id: String(link.id), tag_ids: applied }
  },
})

const addTrackingLinkTags = defineRoute({
  method: 'POST',
  path: '/v1/:account_id/tracking-links/tags/add',
  group: 'Tags',
  permission: 'api_tags_bulk_add_tracking_links',
  kind: 'service',
  source: 'reference §4 Tracking links and tags',
  summary: 'Add tags to several tracking links',
  rules: ["Tags that a link has stay; one unknown link makes the whole call 404 and changes nothing."],
  body: z.object({ link_ids: z.array(bodyId), tag_ids: tagIds }),
  data: Success,
  handle({ world, organisation, account, body }) {
    const links = [...new Set(body.link_ids)].map((id) => requireTrackingLink(world, account, id))
    const applied = ownTags(world, organisation, body.tag_ids)
    for (const link of links) addTags(world, link, applied)
    return { success: true as const }
  },
})

export const tagRoutes = [setTrackingLinkTags, addTrackingLinkTags]
