import { z } from 'zod'
import { bodyTime, createTextSchema, pathId, Success } from '../../lib/fields.ts'
import type { Route } from '../../api/route.ts'
import { requireFutureTime } from '../../api/lists/window.ts'
import { defineRoute } from '../define.ts'
import type { World } from '../world.ts'
import { computeLinkTotals } from '../links/link-totals.ts'
import type { LinkKind } from '../links/links.table.ts'
import { getClickCount, requireLink, getLinkName } from '../links/links.ts'
import { ShareItem, ShareList, SharePage } from '../links/schemas.ts'
import type { LinkShare } from './link-shares.table.ts'
import {
  toShareUrl,
  createShare,
  isShareActive,
  requireActiveShare,
  requireShare,
  listLinkShares,
  updateShare,
  readShareWorldId,
} from './link-shares.ts'

const ofShares = {
  kind: 'service',
  source: 'inferred',
  evidence: 'named in reference §4 known behaviour 3; path and body by analogy',
} as const
const linkParams = () => z.object({ link_id: pathId })
const shareParams = () => z.object({ link_id: pathId, share_id: createTextSchema(200) })
const shareBody = () =>
  z.object({
    label: z.string().max(100).nullable().optional(),
    expires_at: bodyTime
      .nullable()
      .optional()
      .describe('Expiry time of the page. Null: the page never expires.'),
  })

/** Returns the routes of the public pages of one kind of link. */
function createShareRoutes(kind: LinkKind): Route[] {
  const group = kind === 'tracking' ? 'Tracking Links' : 'Trial Links'

  const listShares = defineRoute({
    ...ofShares,
    group,
    method: 'GET',
    path: `/v1/:account_id/${kind}-links/:link_id/shares`,
    permission: `api_${kind}_links_list_shares`,
    summary: `List the public pages of a ${kind} link`,
    errors: [`${kind}_link_unknown`],
    params: linkParams,
    data: ShareList,
    handle: ({ world, account, params }) => ({
      list: listLinkShares(world, requireLink(world, account, { kind, id: params.link_id })).map(
        (share) => toItem(world, share),
      ),
    }),
  })

  const createShareRoute = defineRoute({
    ...ofShares,
    group,
    method: 'POST',
    path: `/v1/:account_id/${kind}-links/:link_id/shares`,
    permission: `api_${kind}_links_create_share`,
    summary: `Open a public page of a ${kind} link`,
    errors: [`${kind}_link_unknown`],
    rules: [
      'id is the public token. url is the complete URL.',
      'expires_at must be later than now.',
    ],
    params: linkParams,
    body: shareBody,
    data: ShareItem,
    handle({ world, account, params, body }) {
      const link = requireLink(world, account, { kind, id: params.link_id })
      requireFutureTime(world.clock, 'expires_at', body.expires_at)
      return toItem(
        world,
        createShare(world, link, { label: body.label, expiresAt: body.expires_at }),
      )
    },
  })

  const updateShareRoute = defineRoute({
    ...ofShares,
    group,
    method: 'PATCH',
    path: `/v1/:account_id/${kind}-links/:link_id/shares/:share_id`,
    permission: `api_${kind}_links_update_share`,
    summary: `Update a public page of a ${kind} link`,
    errors: [`${kind}_link_unknown`, 'share_unknown'],
    rules: [
      'Omitted keys keep their values, and null clears a value. An expires_at in the past ' +
        'closes the page.',
    ],
    params: shareParams,
    body: shareBody,
    data: ShareItem,
    handle({ world, account, params, body }) {
      const share = requireShare(
        world,
        requireLink(world, account, { kind, id: params.link_id }),
        params.share_id,
      )
      const { label = share.label, expires_at: expiresAt = share.expiresAt } = body
      return toItem(world, updateShare(world, share, { label, expiresAt }))
    },
  })

  const deleteShare = defineRoute({
    ...ofShares,
    group,
    method: 'DELETE',
    path: `/v1/:account_id/${kind}-links/:link_id/shares/:share_id`,
    permission: `api_${kind}_links_delete_share`,
    summary: `Close a public page of a ${kind} link permanently`,
    errors: [`${kind}_link_unknown`, 'share_unknown'],
    rules: ['The page returns 404 immediately. The token cannot be restored.'],
    params: shareParams,
    data: Success,
    handle({ world, account, params }) {
      world.db.linkShares.remove(
        requireShare(
          world,
          requireLink(world, account, { kind, id: params.link_id }),
          params.share_id,
        ).id,
      )
      return { success: true as const }
    },
  })

  return [listShares, createShareRoute, updateShareRoute, deleteShare]
}

const readSharePage = defineRoute({
  ...ofShares,
  method: 'GET',
  path: '/share/:token',
  group: 'System',
  permission: null,
  summary: 'Open the public page of a tracking link or trial link',
  errors: ['share_unknown'],
  rules: [
    'Needs no key: the token gives access until the share is deleted or expires.',
    'Browsers (Accept: text/html) receive an HTML page, and other clients receive JSON.',
  ],
  accessChecks: 'none',
  worldId: ({ rawQuery }) => readShareWorldId(rawQuery),
  isOfWorld: ({ db }, { params }) => db.linkShares.get(params['token'] ?? '') !== undefined,
  head: true,
  withoutEffect: { world: 'it selects the world before the route runs' },
  params: () => z.object({ token: createTextSchema(200) }),
  query: () =>
    z.object({
      world: createTextSchema(2_000)
        .optional()
        .describe('Id of the isolated world that the shared page belongs to, as in the share URL.'),
    }),
  data: SharePage,
  toPage: async (data) => (await import('./page.ts')).renderSharePage(data),
  handle({ world, params }) {
    const { share, link } = requireActiveShare(world, params.token)
    const { subs, revenue, spenders } = computeLinkTotals(world, link)
    return {
      name: getLinkName(link),
      label: share.label,
      subscribers: subs,
      clicks: getClickCount(link),
      revenue,
      spenders,
    }
  },
})

export const linkShareRoutes = [
  ...createShareRoutes('tracking'),
  ...createShareRoutes('trial'),
  readSharePage,
]

function toItem(world: World, share: LinkShare) {
  const { id, label, expiresAt, createdAt, updatedAt } = share
  return {
    id,
    url: toShareUrl(world, id),
    label,
    is_active: isShareActive(world, share),
    expires_at: expiresAt,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}
