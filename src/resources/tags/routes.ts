import { z } from 'zod'
import { bodyId } from '../../lib/fields.ts'
import type { Route } from '../../api/route.ts'
import { createRouteDefiner } from '../define.ts'
import { addLinkTags, requireLink, setLinkTags } from '../links/links.ts'
import { linkTagIds, TagItem, TagList, TrackingLinkTags, TrialLinkTags } from '../links/schemas.ts'
import type { LinkKind } from '../links/links.table.ts'
import type { Tag } from './tags.table.ts'
import { createTag, deleteTag, filterOwnTags, requireTag } from './tags.ts'

const defineRoute = createRouteDefiner({ group: 'Tags', kind: 'service' })

const bulkBody = () =>
  z.object({ link_ids: z.array(bodyId).min(1).max(1000), tag_ids: linkTagIds.min(1) })
const bulkRules = [
  'The two lists must not be empty. Links keep their existing tags. If a link is unknown, ' +
    'the route returns 404 and changes nothing.',
]

/** Returns the routes that set the tags of one kind of link. */
function createLinkTagRoutes(kind: LinkKind): Route[] {
  const defineLinkTagRoute = createRouteDefiner({
    group: 'Tags',
    kind: 'service',
    ...(kind === 'tracking'
      ? { source: 'reference §4 Tracking links and tags' }
      : { evidence: 'by analogy with the tags of tracking links' }),
  })
  const errors = [`${kind}_link_unknown`] as const

  const setTags = defineLinkTagRoute({
    id: `PUT /v1/:account_id/${kind}-links/:${kind}_link_id/tags`,
    permission: `api_tags_set_${kind}_link`,
    summary: `Replace all tags of a ${kind} link`,
    errors,
    rules: ['An empty array removes all tags. The response lists the applied tags.'],
    body: () => z.object({ tag_ids: linkTagIds }),
    data: kind === 'tracking' ? TrackingLinkTags : TrialLinkTags,
    handle({ world, organisation, account, params, body }) {
      const link = requireLink(world, account, { kind, id: params[`${kind}_link_id`] })
      const applied = filterOwnTags(world, organisation, body.tag_ids)
      setLinkTags(world, link, applied)
      const id = String(link.id)
      const named = kind === 'tracking' ? { tracking_link_id: id } : { trial_link_id: id }
      return { ...named, tag_ids: applied }
    },
  })

  const addTags = defineLinkTagRoute({
    id: `POST /v1/:account_id/${kind}-links/tags/add`,
    ...(kind === 'trial' ? { examplesOf: 'Trial Links' } : {}),
    permission: `api_tags_bulk_add_${kind}_links`,
    summary: `Add tags to several ${kind} links`,
    errors,
    rules: bulkRules,
    body: bulkBody,
    handle({ world, organisation, account, body }) {
      const links = [...new Set(body.link_ids)].map((id) =>
        requireLink(world, account, { kind, id }),
      )
      const applied = filterOwnTags(world, organisation, body.tag_ids)
      for (const link of links) addLinkTags(world, link, applied)
    },
  })

  return [setTags, addTags]
}

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
    list: world.db.tags.list('byOrganisation', organisation.id).map(toTag),
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
  ...createLinkTagRoutes('tracking'),
  ...createLinkTagRoutes('trial'),
]

function toTag({ id, name, color, created_at }: Tag) {
  return { id, name, color, created_at }
}
