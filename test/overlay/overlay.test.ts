import { readOverlay } from 'creator-api-sandbox/overlay'
import type { OverlayInput } from 'creator-api-sandbox/overlay'
import { expect, it } from 'vitest'
import { createOpenApi } from '../../src/openapi/openapi.ts'
import type { Route } from '../../src/api/route.ts'
import { refusal } from '../support/control.ts'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'

/** Opens a sandbox of the scenario `solo` with overlays, and a client with the owner's key. */
async function open(input: OverlayInput) {
  const overlay = await readOverlay(input)
  const sandbox = await createFreshSandbox('solo', { overlay })
  const account = sandbox.db.accounts.all()[0]?.id ?? 0
  const send = (method: string, path: string, body?: unknown) =>
    sendAsOwner(sandbox, method, path.replace('ACCOUNT', String(account)), body)
  return { sandbox, send, get: (path: string) => send('GET', path), account, overlay }
}

const posts = 'GET /v1/:account_id/posts'
const one = (route: string, overlay: OverlayInput['routes'][string]): OverlayInput => ({
  routes: { [route]: overlay },
})

it('renames, removes and adds fields of a response', async () => {
  const { get } = await open(
    one(posts, {
      answer: {
        '$.list[*].text': { rename: 'caption' },
        '$.list[*].rawText': { remove: true },
        '$.list[*].isNew': { add: 'boolean', value: true },
        '$.list[*].sameId': { add: 'integer', value: { field: 'id' } },
        '$.list[*].nick': { add: 'string', value: { word: 'first' } },
      },
    }),
  )
  const [post] = (await get('/v1/ACCOUNT/posts')).body.data.list
  expect(post).toMatchObject({
    caption: expect.any(String),
    isNew: true,
    sameId: post.id,
    nick: expect.stringMatching(/^[A-Z]/),
  })
  expect(Object.keys(post)).not.toContain('rawText')
})

it('changes types, and formats of times', async () => {
  const { get } = await open(
    one(posts, {
      answer: {
        '$.list[*].id': { type: 'string' },
        '$.list[*].postedAt': { format: 'epoch-seconds' },
        '$.list[*].tipsAmount': { nullable: true, value: null },
        '$.list[*].responseType': { enum: ['publication'] },
      },
    }),
  )
  expect((await get('/v1/ACCOUNT/posts')).body.data.list[0]).toMatchObject({
    id: expect.stringMatching(/^\d+$/),
    postedAt: expect.any(Number),
    tipsAmount: null,
    responseType: 'publication',
  })
})

it('wraps and unwraps values', async () => {
  const wrapped = await open(
    one(posts, { answer: { '$.list': { wrap: 'items', rename: 'page' } } }),
  )
  expect((await wrapped.get('/v1/ACCOUNT/posts')).body.data.page.items).toHaveLength(10)
  const bare = await open(
    one(posts, { answer: { $: { unwrap: 'list' }, '$.list[*].text': { rename: 'caption' } } }),
  )
  const { data } = (await bare.get('/v1/ACCOUNT/posts')).body
  expect([data.length, typeof data[0].caption]).toEqual([10, 'string'])
})

it('moves a route, and changes its permission and status', async () => {
  const { get, send } = await open({
    routes: {
      [posts]: { path: '/v1/{account_id}/feed', permission: 'api_feed' },
      'POST /v1/{account_id}/vault/lists': { method: 'PUT', status: 201 },
    },
  })
  expect((await get('/v1/ACCOUNT/posts')).status).toBe(404)
  expect(await get('/v1/ACCOUNT/feed')).toMatchObject(refusal(403, 'api_feed'))
  expect((await send('PUT', '/v1/ACCOUNT/vault/lists', { name: 'Beach' })).status).toBe(201)
})

it('returns 404 for an absent route, and does not match another route instead', async () => {
  const { get } = await open(one('GET /v1/:account_id/posts/labels', { absent: true }))
  expect((await get('/v1/ACCOUNT/posts/labels')).status).toBe(404)
})

it('accepts the parameter names and limits of the service', async () => {
  const { get } = await open(
    one(posts, {
      query: {
        '$.limit': { rename: 'size', maximum: 3, clamp: true },
        '$.trace': { add: 'string', optional: true },
        '$.pinned': { remove: true },
      },
    }),
  )
  const { data, _pagination } = (await get('/v1/ACCOUNT/posts?size=50&pinned=perhaps')).body
  expect(data.list).toHaveLength(3)
  expect(_pagination.next_page).toContain('size=50')
  expect(await get('/v1/ACCOUNT/posts?size=0')).toMatchObject(refusal(400, 'size'))
})

it('uses the names of the service in next_page', async () => {
  const { get } = await open(
    one('GET /v1/:account_id/subscribers', { query: { '$.offset': { rename: 'skip' } } }),
  )
  const first = (await get('/v1/ACCOUNT/subscribers?limit=2')).body
  expect(first._pagination.next_page).toContain('skip=2')
  expect((await get(first._pagination.next_page)).status).toBe(200)
})

it('accepts a body in the form of the service', async () => {
  const { send } = await open(
    one('POST /v1/:account_id/vault/lists', {
      body: { '$.name': { rename: 'title' }, '$.colour': { add: 'string', enum: ['red', 'blue'] } },
    }),
  )
  const create = (body: object) => send('POST', '/v1/ACCOUNT/vault/lists', body)
  expect((await create({ title: 'Beach', colour: 'red' })).body.data.name).toBe('Beach')
  expect(await create({ title: 'Beach', colour: 'green' })).toMatchObject(refusal(400, 'red, blue'))
  expect(await create({ name: 'Beach', colour: 'red' })).toMatchObject(refusal(400, 'title'))
})

it('converts times and types of a body for the route', async () => {
  const { send } = await open(
    one('POST /v1/:account_id/posts', {
      body: {
        '$.scheduledTime': { format: 'epoch-seconds' },
        '$.price': { format: 'cents' },
        '$.text': { wrap: 'html' },
      },
    }),
  )
  const scheduledTime = Date.UTC(2100, 0, 1) / 1000
  expect(
    (await send('POST', '/v1/ACCOUNT/posts', { text: { html: 'Hello' }, scheduledTime })).body.data,
  ).toMatchObject({
    text: expect.stringContaining('Hello'),
    postedAt: expect.stringContaining('2100-01-01'),
  })
})

it('serves observed and documented routes with --no-guesses', async () => {
  const overlay = await readOverlay({
    date: '2026-09-30',
    routes: { 'GET /v1/tags': {}, [posts]: { answer: { '$.list': { rename: 'rows' } } } },
  })
  const found = (id: string) => overlay.routes.find((route) => route.id === id) as unknown as Route
  expect(found('GET /v1/tags')).toMatchObject({
    source: 'observed',
    evidence: 'seen on 2026-09-30',
  })
  expect(found(posts)).toMatchObject({
    source: expect.stringContaining('reference'),
    rules: expect.arrayContaining([expect.stringContaining('overlay')]),
  })
  const sandbox = await createFreshSandbox('solo', { overlay, noGuesses: true })
  expect((await sendAsOwner(sandbox, 'GET', '/v1/tags')).status).toBe(200)
})

it('adds new routes', async () => {
  const { get } = await open({
    routes: {
      'GET /v1/:account_id/wishes': {
        new: true,
        answers: { 200: { wishes: [] }, 409: 'Too many wishes.' },
        query: { '$.sort': { add: 'string', enum: ['new'], optional: true } },
      },
      'GET /v1/old': { new: true, answers: { 410: 'It is gone.' } },
    },
  })
  expect((await get('/v1/ACCOUNT/wishes')).body).toMatchObject({ data: { wishes: [] }, _meta: {} })
  expect((await get('/v1/ACCOUNT/wishes?sort=old')).status).toBe(400)
  expect(await get('/v1/old')).toMatchObject({ status: 410, body: { error: 'It is gone.' } })
})

it('shows its changes in OpenAPI', async () => {
  const { overlay } = await open(
    one(posts, {
      path: '/v1/{account_id}/feed',
      answer: { '$.list[*].text': { rename: 'caption' } },
      query: { '$.limit': { rename: 'size', maximum: 5, clamp: false } },
    }),
  )
  const document = createOpenApi(overlay.routes as readonly Route[], {
    baseUrl: 'https://api.example.test',
  })
  const operation = document.paths['/v1/{account_id}/feed']?.['get']
  expect(JSON.stringify(operation)).toContain('"caption"')
  expect(operation).toMatchObject({ 'x-route': posts })
  expect(JSON.stringify(document).match(/"x-route"/g)).toHaveLength(1)
  expect(operation?.parameters).toContainEqual(
    expect.objectContaining({ name: 'size', schema: expect.objectContaining({ maximum: 5 }) }),
  )
})

it('keeps faults and the journal with the id of a moved route', async () => {
  const { sandbox, get } = await open(one(posts, { path: '/v1/:account_id/feed' }))
  sandbox.faults.add({ route: posts, status: 502 })
  expect((await get('/v1/ACCOUNT/feed')).status).toBe(502)
  expect(sandbox.requests[0]?.route).toBe(posts)
})

const ofPosts = (line: string) => `routes:\n  ${posts}:\n    ${line}\n`
const ofAnswer = (line: string) => ofPosts(`answer:\n      ${line}`)

it.each([
  ['routes:\n  GET /v1/:account_id/post: { absent: true }', '2:3', `did you mean ${posts}`],
  [ofAnswer('$.list[*].txt: { rename: caption }'), '4:7', 'no txt here; did you mean text. It has'],
  [ofAnswer('$.list.text: { rename: caption }'), '4:7', 'write $.list[*]'],
  [ofAnswer('$.list[*].text: { rename: rawText }'), '4:7', 'two fields would have the name raw'],
  [ofAnswer('$.list: { maximum: 4 }'), '4:17', 'allowed only in requests'],
  [ofPosts('colour: red'), '3:5', 'Allowed:'],
  [ofPosts('path: /v1/feed'), '3:5', 'parameters of the route (:account_id)'],
  [ofPosts('path: /v1/:account_id/chats'), '3:5', 'GET /v1/:account_id/chats has that path'],
  [ofPosts('body: { $.a: { add: string } }'), '3:5', 'no JSON body'],
  ['routes: [', '1:', 'Flow sequence'],
  ['routes:\n  GET /media-proxy:\n    path: /files', '3:5', 'URLs that the sandbox creates'],
])('names the line of a mistake, and the fields of the route: %#', async (text, place, problem) => {
  const error = await readOverlay(text).catch((thrown: Error) => thrown.message)
  expect(error).toContain(`Failed to read the overlay (overlay:${place}`)
  expect(error).toContain(problem)
})
