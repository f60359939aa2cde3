import { z } from 'zod'
import { bodyId } from '../../lib/fields.ts'
import { createRouteDefiner } from '../define.ts'
import { addLinkTags, requireLink, setLinkTags } from '../links/links.ts'
import { linkTagIds, TagItem, TagList, TrackingLinkTags, TrialLinkTags } from '../links/schemas.ts'
import type { Tag } from './tags.table.ts'
import { createTag, deleteTag, filterOwnTags, requireTag } from './tags.ts'

const defineRoute = createRouteDefiner({ group: 'Tags', kind: 'service' })

const tagsBody = () => z.object({ tag_ids: linkTagIds })
const bulkBody = () =>
  z.object({ link_ids: z.array(bodyId).min(1).max(1000), tag_ids: linkTagIds.min(1) })
const bulkRules = [
  'The two lists must not be empty. Links keep their existing tags. If a link is unknown, ' +
    'the route returns 404 and changes nothing.',
]

const setTrackingLinkTags = defineRoute({
  id: 'PUT /v1/:account_id/tracking-links/:tracking_link_id/tags',
  permission: 'api_tags_set_tracking_link',
  source: 'reference §4 Tracking links and tags',
  summary: 'Replace all tags of a tracking link',
  errors: ['tracking_link_unknown'],
  rules: ['An empty array removes all tags. The response lists the applied tags.'],
  body: tagsBody,
  data: TrackingLinkTags,
  handle({ world, organisation, account, params, body }) {
    const link = requireLink(world, account, { kind: 'tracking', id: params.tracking_link_id })
    const applied = filterOwnTags(world, organisation, body.tag_ids)
    setLinkTags(world, link, applied)
    return { tracking_link_id: String(link.id), tag_ids: applied }
  },
})

const addTrackingLinkTags = defineRoute({
  id: 'POST /v1/:account_id/tracking-links/tags/add',
  permission: 'api_tags_bulk_add_tracking_links',
  source: 'reference §4 Tracking links and tags',
  summary: 'Add tags to several tracking links',
  errors: ['tracking_link_unknown'],
  rules: bulkRules,
  body: bulkBody,
  handle({ world, organisation, account, body }) {
    const links = [...new Set(body.link_ids)].map((id) =>
      requireLink(world, account, { kind: 'tracking', id }),
    )
    const applied = filterOwnTags(world, organisation, body.tag_ids)
    for (const link of links) addLinkTags(world, link, applied)
  },
})

const setTrialLinkTags = defineRoute({
  id: 'PUT /v1/:account_id/trial-links/:trial_link_id/tags',
  permission: 'api_tags_set_trial_link',
  evidence: 'by analogy with the tags of tracking links',
  summary: 'Replace all tags of a trial link',
  errors: ['trial_link_unknown'],
  rules: ['An empty array removes all tags. The response lists the applied tags.'],
  body: tagsBody,
  data: TrialLinkTags,
  handle({ world, organisation, account, params, body }) {
    const link = requireLink(world, account, { kind: 'trial', id: params.trial_link_id })
    const applied = filterOwnTags(world, organisation, body.tag_ids)
    setLinkTags(world, link, applied)
    return { trial_link_id: String(link.id), tag_ids: applied }
  },
})

const addTrialLinkTags = defineRoute({
  id: 'POST /v1/:account_id/trial-links/tags/add',
  examplesOf: 'Trial Links',
  permission: 'api_tags_bulk_add_trial_links',
  evidence: 'by analogy with the tags of tracking links',
  summary: 'Add tags to several trial links',
  errors: ['trial_link_unknown'],
  rules: bulkRules,
  body: bulkBody,
  handle({ world, organisation, account, body }) {
    const links = [...new Set(body.link_ids)].map((id) =>
      requireLink(world, account, { kind: 'trial', id }),
    )
    const applied = filterOwnTags(world, organisation, body.tag_ids)
    for (const link of links) addLinkTags(world, link, applied)
  },
})

const evidence =
  'the reference says that tags belong to the organisation; routes and keys by analogy'
const tagName = () => z.string().max(100).regex(/\S/, { error: 'it must not be empty' })
const tagColor = () =>
  z.string().max(40).nullable().optional().describe('Example: #d9480f. Null: no colour.')

const listTags = defineRoute({
  id: 'GET /v1/tags',
  permission: 'api_tags_list',
  evidence,
  summary: "List the organisation's tags",
  rules: ['Oldest first. The response contains all tags, so hasMore is false.'],
  data: TagList,
  handle: ({ world, organisation }) => ({
    list: world.db.tags.in('byOrganisation', organisation.id).slice().map(toTag),
    hasMore: false,
  }),
})

const createTagRoute = defineRoute({
  id: 'POST /v1/tags',
  permission: 'api_tags_create',
  evidence,
  summary: 'Create a tag',
  body: () => z.object({ name: tagName(), color: tagColor() }),
  data: TagItem,
  handle: ({ world, organisation, body }) => toTag(createTag(world, organisation, body)),
})

const updateTag = defineRoute({
  id: 'PATCH /v1/tags/:tag_id',
  permission: 'api_tags_update',
  evidence,
  summary: 'Rename or recolour a tag',
  errors: ['tag_unknown'],
  rules: ['Omitted keys keep their values. null clears the color.'],
  body: () => z.object({ name: tagName().optional(), color: tagColor() }),
  data: TagItem,
  handle: ({ world, organisation, params, body }) =>
    toTag(world.db.tags.update(requireTag(world, organisation, params.tag_id).id, body)),
})

const deleteTagRoute = defineRoute({
  id: 'DELETE /v1/tags/:tag_id',
  permission: 'api_tags_delete',
  evidence,
  summary: 'Delete a tag',
  errors: ['tag_unknown'],
  rules: ['Removes the tag from all links.'],
  handle({ world, organisation, params }) {
    deleteTag(world, requireTag(world, organisation, params.tag_id))
  },
})

export const tagRoutes = [
  listTags,
  createTagRoute,
  updateTag,
  deleteTagRoute,
  setTrackingLinkTags,
  addTrackingLinkTags,
  setTrialLinkTags,
  addTrialLinkTags,
]

function toTag({ id, name, color, created_at }: Tag) {
  return { id, name, color, created_at }
}
