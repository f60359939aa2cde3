import { describe, expect, it } from 'vitest'
import { z } from 'zod'
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
/** Sends a valid request, except for the given parts. */
const send = (
  client: Client,
  route: Route,
  {
    key,
    account = client.account(),
    query = queries[route.id] ?? '',
    fields,
  }: { key?: string | null; account?: number | string; query?: string; fields?: object } = {},
) => {
  const valid = bodies[route.id] ?? { ...fitsMost, account_ids: [client.account()] }
  const body = fields === undefined ? valid : { ...(valid as object), ...fields }
  return client.send(route.method, fill(route, account) + query, {
    key,
    body: route.body === null ? undefined : body,
  })
}

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
        expect((await send(client, route, { account })).status, route.id).toBe(404)
      expect((await send(client, route, { account: 'me' })).status, route.id).toBe(400)
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
      const isRelayed = route.kind === 'relay' && route.path.includes(':account_id')
      expect(status === 424, route.id).toBe(isRelayed)
    }
  })
})

/** Tables of the records in paths, by the part of the path that ends with their id. */
const recordTables = {
  'labels/:label_id': 'postLabels',
  'posts/:post_id': 'posts',
  'stories/:story_id': 'stories',
  'vault/media/:media_id': 'vaultMedia',
  'vault/lists/:list_id': 'vaultLists',
  'user-lists/:list_id': 'userLists',
  'tracking-links/:link_id': 'trackingLinks',
  'tracking-links/:tracking_link_id': 'trackingLinks',
  'trial-links/:link_id': 'trialLinks',
  'trial-links/:trial_link_id': 'trialLinks',
  'promotions/:promo_id': 'promotions',
  'chats/:chat_id': 'chats',
  'mass-messages/:message_id': 'massMessages',
  'queue/:queue_id': 'massMessages',
  'messages/:message_id': 'messages',
} as const

it.each(Object.entries(recordTables))(
  'returns 404 for a record of another account, and 400 for an id of another form: %s',
  async (part, table) => {
    const client = await openClient('agency')
    const rows: readonly { id: number; accountId: number; fanId?: number }[] =
      client.db[table].all()
    const { id, fanId = 1 } = rows.find(({ accountId }) => accountId !== client.account())!
    const ofPart = gated.filter(({ path }) => path.includes(`/${part}`))
    expect(ofPart.length).toBeGreaterThan(0)
    for (const route of ofPart)
      for (const [value, status] of [
        [id, 404],
        ['first', 400],
      ]) {
        const path = route.path
          .replace(part, part.replace(/:\w+/, String(value)))
          .replace(':user_id', String(fanId))
        const answer = await send(client, { ...route, path })
        expect([route.id, value, answer.status]).toEqual([route.id, value, status])
      }
  },
)

/** The part of JSON Schema that describes the values below. */
interface Schema {
  type?: string
  enum?: unknown[]
  minimum?: number
  maximum?: number
  minItems?: number
  minLength?: number
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
}

const toSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

/** Returns values of another type, and those beyond the limits. */
function listWrongValues(schema: Schema): unknown[] {
  const {
    type,
    minimum = -Infinity,
    maximum = Infinity,
    minLength = 0,
    maxLength,
    minItems = 0,
  } = schema
  if (schema.enum !== undefined || type === 'boolean') return ['no-such-value']
  if (type === 'integer')
    return ['x', 1.5, ...[minimum - 1, maximum + 1].filter((bound) => Number.isSafeInteger(bound))]
  if (type === 'array') return ['x', null, [{}], ...(minItems > 0 ? [[]] : [])]
  if (type === 'number') return ['x', null]
  if (type !== 'string') return []
  const lengths = [
    ...(minLength > 0 ? [''] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ]
  return [5, null, ...lengths]
}

it('returns 400 for a missing or wrong value of a parameter, and names it', async () => {
  const client = await openClient('agency')
  client.sandbox.act({ type: 'limits.set', minute: 1_000_000, day: 1_000_000 })
  for (const route of gated) {
    const { properties = {}, required = [] } = toSchema(route.query)
    const wrong = Object.entries(properties).flatMap(([name, schema]) =>
      listWrongValues(schema)
        .filter((value) => schema.type !== 'string' || schema.enum !== undefined || value === '')
        .map((value) => [name, `${queries[route.id] ?? '?'}&${name}=${String(value)}`] as const),
    )
    const missing = required.map((name) => {
      const others = new URLSearchParams(queries[route.id])
      others.delete(name)
      return [name, `?${others}`] as const
    })
    for (const [name, query] of [...wrong, ...missing]) {
      // The only parameter that accepts any value.
      if (name === 'only_with_tips') continue
      const { status, body } = await send(client, route, { query })
      expect([route.id, query, status]).toEqual([route.id, query, 400])
      expect(body.error, route.id).toContain(name)
    }
  }
})

it('returns 400 for a missing or wrong value of a field of the body, and names it', async () => {
  const client = await openClient('agency')
  client.sandbox.act({ type: 'limits.set', minute: 1_000_000, day: 1_000_000 })
  for (const route of gated.filter(({ body }) => body !== null)) {
    const { properties = {}, required = [] } = toSchema(route.body ?? z.object({}))
    const wrong = Object.entries(properties).flatMap(([name, schema]) => [
      ...listWrongValues(schema).map((value) => [name, value] as const),
      ...(required.includes(name) ? [[name, undefined] as const] : []),
    ])
    for (const [name, value] of wrong) {
      const { status, body } = await send(client, route, { fields: { [name]: value } })
      expect([route.id, name, value, status]).toEqual([route.id, name, value, 400])
      expect(body.error, route.id).toContain(name)
    }
  }
})

it('returns 400 for an invalid date, and for a window that ends before it starts', async () => {
  const client = await openClient('agency')
  const accountId = client.account()
  const links: Record<string, number> = {
    tracking: client.db.trackingLinks.find({ accountId, endDate: null })!.id,
    trial: client.db.trialLinks.find({ accountId })!.id,
  }
  for (const route of gated) {
    const { properties = {} } = toSchema(route.query)
    const [from, to] =
      'date_start' in properties ? ['date_start', 'date_end'] : ['start_date', 'end_date']
    if (!(from in properties)) continue
    const path = route.path.replace(/(?<=(\w+)-links\/):link_id/, (_, kind) => String(links[kind]))
    for (const window of [
      `${from}=soon`,
      `${to}=2026-13-01`,
      `${from}=2026-02-02&${to}=2026-02-01`,
    ]) {
      // The lists of links have a window only with stats.
      const query = `${queries[route.id] ?? '?'}&stats=true&${window}`
      const { status } = await send(client, { ...route, path }, { query })
      expect([route.id, window, status]).toEqual([route.id, window, 400])
    }
  }
})

it('has pages of at most 100 rows, except on these routes', () => {
  const limits = gated.flatMap(({ id, query }) => {
    const { limit } = toSchema(query).properties ?? {}
    return limit === undefined ? [] : [[id, limit.minimum, limit.maximum] as const]
  })
  expect(limits.length).toBeGreaterThan(40)
  expect(limits.filter(([, minimum, maximum]) => minimum !== 1 || maximum !== 100)).toEqual([
    // Without a maximum, a larger limit is reduced.
    ['GET /v1/:account_id/posts', 1, undefined],
    ['GET /v1/gifs/search', 1, 50],
    ['GET /v1/gifs/trending', 1, 50],
    ['GET /v1/:account_id/tracking-links', 1, undefined],
    ['GET /v1/:account_id/trial-links', 1, undefined],
    ['GET /v1/:account_id/campaigns', 1, undefined],
    ['GET /v1/:account_id/promotions-trials', 1, 200],
    ['GET /v1/:account_id/chats/:user_id/media', 1, 50],
    ['GET /v1/:account_id/reach/profile-visitors', 0, undefined],
    ['GET /v1/:account_id/reach/profile-visitors/countries', 1, undefined],
  ])
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

const isDocumented = ({ source }: Route) => source.startsWith('reference')
const isNotGuessed = ({ source }: Route) => source !== 'inferred'

it.each([
  ['only documented', { documentedOnly: true }, isDocumented],
  ['no guessed', { noGuesses: true }, isNotGuessed],
])('is found with %s routes only if the documentation shows it', async (_, options, isShown) => {
  const client = await openClient('solo', options)
  client.sandbox.act({ type: 'limits.set', minute: 1_000_000, day: 1_000_000 })
  for (const route of gated) {
    const { status } = await send(client, route)
    const found = client.sandbox.requests[0]?.route ?? null
    expect(found, route.id).toBe(isShown(route) ? route.id : null)
    if (found === null) expect(status, route.id).toBe(404)
  }
})
