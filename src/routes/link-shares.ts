import { z } from 'zod'
import { sumLink } from '../model/link-metrics.ts'
import { createShare, isOpen, openShare, requireShare, updateShare } from '../model/link-shares.ts'
import type { LinkShare } from '../model/link-shares.ts'
import { requireTrackingLink } from '../model/links.ts'
import type { World } from '../model/world.ts'
import { defineRoute } from '../route.ts'
import { pathId, Success } from '../schemas/common.ts'
import { ShareItem, ShareList, SharePage } from '../schemas/links.ts'
import { parseMoment, toIso } from '../schemas/time.ts'

const ofShares = { group: 'Tracking Links', kind: 'service', source: 'inferred', evidence: 'reference §4 known behaviour 3 names it; path and body by analogy' } as const
const linkParams = z.object({ link_id: pathId })
const shareParams = z.object({ link_id: pathId, share_id: z.string() })
const shareBody = z.object({
  label: z.string().max(100).nullable().optional(),
  expires_at: z
    .string()
    .refine((text) => parseMoment(text) !== undefined, { error: 'it must be an RFC 3339 instant from 2004 to 2286, or null' })
    .transform((text) => toIso(parseMoment(text) ?? 0))
    .nullable()
    .optional()
    .describe('When the page closes; null: never.'),
})

const listShares = defineRoute({
  ...ofShares,
  method: 'GET',
  path: '/v1/:account_id/tracking-links/:link_id/shares',
  permission: 'api_tracking_links_list_shares',
  summary: 'List the public pages of a tracking link',
  params: linkParams,
  data: ShareList,
  handle({ world, account, params }) {
    const link = requireTrackingLink(world, account, params.link_id)
    return { list: world.db.linkShares.in('byTrackingLink', link.id).slice().map((share) => toItem(world, share)) }
  },
})

const createShareRoute = defineRoute({
  ...ofShares,
  method: 'POST',
  path: '/v1/:account_id/tracking-links/:link_id/shares',
  permission: 'api_tracking_links_create_share',
  summary: 'Open a public page of a tracking link',
  rules: ['The UUID is the public token; the answer carries a ready address.'],
  params: linkParams,
  body: shareBody,
  data: ShareItem,
  handle({ world, account, params, body }) {
    const link = requireTrackingLink(world, account, params.link_id)
    return toItem(world, createShare(world, link, { label: body.label, expiresAt: body.expires_at }))
  },
})

const updateShareRoute = defineRoute({
  ...ofShares,
  method: 'PATCH',
  path: '/v1/:account_id/tracking-links/:link_id/shares/:share_id',
  permission: 'api_tracking_links_update_share',
  summary: 'Update a public page of a tracking link',
  rules: ['A key that is left out is left alone; null clears.'],
  params: shareParams,
  body: shareBody,
  data: ShareItem,
  handle({ world, account, params, body }) {
    const share = requireShare(world, requireTrackingLink(world, account, params.link_id), params.share_id)
    const { label = share.label, expires_at: expiresAt = share.expiresAt } = body
    return toItem(world, updateShare(world, share, { label, expiresAt }))
  },
})

const deleteShare = defineRoute({
  ...ofShares,
  method: 'DELETE',
  path: '/v1/:account_id/tracking-links/:link_id/shares/:share_id',
  permission: 'api_tracking_links_delete_share',
  summary: 'Close a public page of a tracking link for good',
  rules: ['The page answers 404 at once, and the token cannot be revived.'],
  params: shareParams,
  data: Success,
  handle({ world, account, params }) {
    world.db.linkShares.remove(requireShare(world, requireTrackingLink(world, account, params.link_id), params.share_id).id)
    return { success: true as const }
  },
})

const readSharePage = defineRoute({
  ...ofShares,
  method: 'GET',
  path: '/share/:token',
  group: 'System',
  permission: null,
  summary: 'Open the public page of a shared link',
  rules: ['No key: whoever holds the token sees the page, until the share is deleted or expires.'],
  gate: 'none',
  params: z.object({ token: z.string() }),
  data: SharePage,
  handle({ world, params }) {
    const { share, link } = openShare(world, params.token)
    const { subs, revenue, spenders } = sumLink(world, link)
    return { name: link.customName ?? link.campaignName, label: share.label, subscribers: subs, clicks: link.countTransitions, revenue, spenders }
  },
})

export const linkShareRoutes = [listShares, createShareRoute, updateShareRoute, deleteShare, readSharePage]

function toItem(world: World, share: LinkShare) {
  const { id, label, expiresAt, createdAt, updatedAt } = share
  return { id, url: `${world.baseUrl}/share/${id}`, label, is_active: isOpen(world, share), expires_at: expiresAt, created_at: createdAt, updated_at: updatedAt }
}
