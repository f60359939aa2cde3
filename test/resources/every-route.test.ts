import { describe, expect, it } from 'vitest'
import type { Route } from '../../src/api/route.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

const gated = routes.filter(({ accessChecks }) => accessChecks !== 'none')

const uploadKey = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg'

/** Valid bodies by route. All other routes use `fitsMost`. */
const bodies: Readonly<Record<string, unknown>> = {
  'POST /v1/:account_id/payouts/requests': { amount: 20 },
  'PATCH /v1/:account_id/payouts/payout-frequency': { frequency: 'manual' },
  'PUT /v1/:account_id/notifications/tabs-order': ['all'],
  'PATCH /v1/:account_id/notifications/settings': { notifications: {} },
  'POST /v1/:account_id/posts/labels/:label_id/posts': { post_ids: [1] },
  'POST /v1/:account_id/mass-messages': { text: 'Hello', userLists: ['fans'] },
  'POST /v1/:account_id/tracking-links/tags/add': { link_ids: [1], tag_ids: [1] },
  'POST /v1/:account_id/trial-links/tags/add': { link_ids: [1], tag_ids: [1] },
  'POST /v1/:account_id/trial-links': { trialLinkName: 'Hello', subscribeDays: 7 },
  'POST /v1/:account_id/promotions': {
    type: 'new',
    discount: 20,
    subscribeCounts: 0,
    subscribeDays: 30,
    finishDays: 7,
  },
  'POST /v1/:account_id/vault/lists/sort': { sort: 'name', order: 'asc' },
  'POST /v1/:account_id/vault/lists/:list_id/media': { media_ids: [1] },
  'DELETE /v1/:account_id/vault/lists/:list_id/media': { media_ids: [1] },
  'POST /v1/:account_id/upload/signed/create': {
    key: uploadKey,
    parts: 1,
    contentType: 'image/jpeg',
  },
  'POST /v1/:account_id/upload/signed/finish': {
    key: uploadKey,
    uploadId: 'none',
    parts: [{ ETag: 'none', PartNumber: 1 }],
  },
  'POST /v1/:account_id/user-lists/:list_id/users': { ids: [1] },
  'POST /v1/:account_id/users/:user_id/lists': { listIds: [1] },
  'POST /v1/:account_id/users/:user_id/report': { reason: 'spam' },
}
/** Required query parameters by route. */
const queries: Readonly<Record<string, string>> = {
  'GET /v1/:account_id/chats/:user_id/messages/search': '?query=hello',
  'GET /v1/:account_id/fans': '?ids=1',
  'GET /v1/:account_id/vault/media/hash': '?h=d41d8cd98f00b204e9800998ecf8427e&size=1',
  'GET /v1/gifs/search': '?q=cat',
}
const fitsMost = {
  text: 'Hello',
  name: 'Hello',
  note: 'Hello',
  notice: 'Hello',
  displayName: 'Hello',
  withUserId: 1,
  tag_ids: [],
  expires_at: null,
}

/** Fills in a route's path with an account, and with ids that do not exist. */
const fill = ({ path }: Route, account: number | string) =>
  path
    .replace(':account_id', String(account))
    .replace(':by', 'likes')
    .replace(':category', 'post')
    .replace(/:\w+/g, '1')
const send = (
  client: Client,
  route: Route,
  { key, account = client.account() }: { key?: string | null; account?: number | string } = {},
) =>
  client.send(route.method, fill(route, account) + (queries[route.id] ?? ''), {
    key,
    body:
      route.body === null
        ? undefined
        : (bodies[route.id] ?? { ...fitsMost, account_ids: [client.account()] }),
  })

describe('every route', () => {
  it('returns 401 without a key', async () => {
    const client = await openClient('agency')
    for (const route of gated)
      expect([route.id, (await send(client, route, { key: null })).status]).toEqual([route.id, 401])
  })

  it('returns 404 for an account of another organisation and for a disconnected one', async () => {
    const client = await openClient('agency')
    client.sandbox.act({ type: 'limits.set', minute: 1_000_000, day: 1_000_000 })
    const foreign = client.db.accounts.find(({ organisation }) => organisation !== 1)!.id
    const disconnected = client.db.accounts.find({ organisation: 1, connected: false })!.id
    for (const route of gated.filter(({ path }) => path.includes(':account_id'))) {
      for (const account of [foreign, disconnected])
        expect([route.id, (await send(client, route, { account })).status]).toEqual([route.id, 404])
      expect([route.id, (await send(client, route, { account: 'me' })).status]).toEqual([
        route.id,
        400,
      ])
    }
  })

  it('returns 424 on a lapsed session if it is a relay route, and works otherwise', async () => {
    const client = await openClient('agency')
    client.sandbox.act([
      { type: 'limits.set', minute: 1_000_000, day: 1_000_000 },
      { type: 'session.lapse', account_id: client.account() },
    ])
    for (const route of gated) {
      const { status, body } = await send(client, route)
      if (status === 400)
        throw new Error(`${route.id}: ${body.error}. Add a valid body to \`bodies\` in this file.`)
      expect([route.id, status === 424]).toEqual([
        route.id,
        route.kind === 'relay' && route.path.includes(':account_id'),
      ])
    }
  })
})

it('returns 403 only to keys whose role lacks its permission', async () => {
  const client = await openClient('agency')
  client.sandbox.act({ type: 'limits.set', minute: 1_000_000, day: 1_000_000 })
  for (const route of gated) {
    for (const { role, permissions } of client.db.apiKeys.where({ organisation: 1 })) {
      const isGranted = route.permission !== null && permissions.includes(route.permission)
      const { status } = await send(client, route, { key: role })
      expect([route.id, role, status === 403]).toEqual([route.id, role, !isGranted])
    }
  }
})

it.each([
  [
    'only documented',
    { documentedOnly: true },
    ({ source }: Route) => source.startsWith('reference'),
  ],
  ['no guessed', { noGuesses: true }, ({ source }: Route) => source !== 'inferred'],
])('is found with %s routes only if the documentation shows it', async (_, options, isShown) => {
  const client = await openClient('solo', options)
  client.sandbox.act({ type: 'limits.set', minute: 1_000_000, day: 1_000_000 })
  for (const route of gated) {
    const { status } = await send(client, route)
    const found = client.sandbox.requests[0]?.route ?? null
    expect([route.id, found, status === 404 || found !== null]).toEqual([
      route.id,
      isShown(route) ? route.id : null,
      true,
    ])
  }
})
