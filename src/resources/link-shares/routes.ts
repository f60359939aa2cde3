import { z } from 'zod'
import { linkGroups, ShareItem, ShareList, SharePage } from '../links/schemas.ts'
import { bodyTime, createTextSchema, pathId } from '../../lib/fields.ts'
import type { Route } from '../../api/route.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { computeLinkTotals } from '../links/link-totals.ts'
import type { LinkKind } from '../links/links.table.ts'
import { getClickCount, getLinkName, requireFutureTime, requireLink } from '../links/links.ts'
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

/** Renders the public page of a link as HTML. */
function renderSharePage(share: z.input<typeof SharePage>): string {
  const { name, label, subscribers, clicks, revenue, spenders } = share
  const title = escape(name)
  const rate = clicks === 0 ? '–' : `${((subscribers / clicks) * 100).toFixed(1)} %`
  const figures: readonly (readonly [string, string])[] = [
    [
      'Revenue',
      `$${revenue.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`,
    ],
    ['Clicks', formatCount(clicks)],
    ['Subscribers', formatCount(subscribers)],
    ['Conversion', rate],
    ['Spenders', formatCount(spenders)],
  ]
  const cells = figures
    .map(([term, value]) => `<div><dt>${term}</dt><dd>${value}</dd></div>`)
    .join('')
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" ` +
    `content="width=device-width, initial-scale=1">` +
    `<meta name="robots" ` +
    `content="noindex"><title>${title}</title><style>${styles}</style></head><body><main>` +
    `<p class="kind">Shared link</p><h1 ` +
    `dir="auto">${title}</h1>${label === null ? '' : `<p dir="auto">${escape(label)}</p>`}` +
    `<dl>${cells}</dl></main></body></html>`
  )
}

const styles =
  ':root{color-scheme:light dark}body{margin:0;font:16px/1.5 ' +
  'system-ui,sans-serif;background:Canvas;color:CanvasText}' +
  'main{max-width:44rem;margin:0 auto;padding:3rem ' +
  '1.5rem}.kind{margin:0;opacity:.7}h1{margin:.2rem 0 1rem;overflow-wrap:anywhere}' +
  'dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1rem;margin:2rem 0}' +
  'dl div{border:1px solid color-mix(in srgb,CanvasText ' +
  '20%,Canvas);border-radius:.75rem;padding:1rem}dt{opacity:.7}' +
  'dl div:first-child{grid-column:1/-1}dl div:first-child dd{font-size:2rem}' +
  'dd{margin:0;font-size:1.4rem;font-weight:600;overflow-wrap:anywhere}'

function formatCount(value: number): string {
  return value.toLocaleString('en-US')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

const ofShares = {
  kind: 'service',
  evidence: 'named in reference §4 known behaviour 3; path and body by analogy',
} as const
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
  const defineRoute = createRouteDefiner({ ...ofShares, group: linkGroups[kind] })

  const listShares = defineRoute({
    id: `GET /v1/:account_id/${kind}-links/:link_id/shares`,
    permission: `api_${kind}_links_list_shares`,
    summary: `List the public pages of a ${kind} link`,
    errors: [`${kind}_link_unknown`],
    data: ShareList,
    handle: ({ world, account, params }) => ({
      list: listLinkShares(world, requireLink(world, account, { kind, id: params.link_id })).map(
        (share) => toItem(world, share),
      ),
    }),
  })

  const createShareRoute = defineRoute({
    id: `POST /v1/:account_id/${kind}-links/:link_id/shares`,
    permission: `api_${kind}_links_create_share`,
    summary: `Open a public page of a ${kind} link`,
    errors: [`${kind}_link_unknown`],
    rules: [
      'id is the public token. url is the complete URL.',
      'expires_at must be later than now.',
    ],
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
    id: `PATCH /v1/:account_id/${kind}-links/:link_id/shares/:share_id`,
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
    id: `DELETE /v1/:account_id/${kind}-links/:link_id/shares/:share_id`,
    permission: `api_${kind}_links_delete_share`,
    summary: `Close a public page of a ${kind} link permanently`,
    errors: [`${kind}_link_unknown`, 'share_unknown'],
    rules: ['The page returns 404 immediately. The token cannot be restored.'],
    params: shareParams,
    handle({ world, account, params }) {
      world.db.linkShares.remove(
        requireShare(
          world,
          requireLink(world, account, { kind, id: params.link_id }),
          params.share_id,
        ).id,
      )
    },
  })

  return [listShares, createShareRoute, updateShareRoute, deleteShare]
}

const readSharePage = createRouteDefiner({ ...ofShares, group: 'System' })({
  id: 'GET /share/:token',
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
  query: () => ({
    world: createTextSchema(2_000)
      .optional()
      .describe('Id of the isolated world that the shared page belongs to, as in the share URL.'),
  }),
  data: SharePage,
  toPage: (data) => renderSharePage(data),
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
