import { expect, it } from 'vitest'
import { createFreshSandbox, openClient } from '../support/client.ts'

const upload = {
  key: 'upload/3f2b8c1e-0000-4000-8000-000000000000/202610010930/a.jpg',
  parts: 1,
  contentType: 'image/jpeg',
}

it('finds received requests by route, parameters, query, body, status, key and account', async () => {
  const { sandbox, get, post, send, account } = await openClient()
  await get(`/v1/${account()}/posts?limit=2&order=publish_date_asc`)
  await post(`/v1/${account()}/posts`, { text: 'Hello', mediaFiles: [] })
  await send('DELETE', `/v1/${account()}/posts/77`)
  const ids = (filter: object) => sandbox.received(filter).map(({ id }) => id)
  expect(ids({})).toEqual([1, 2, 3])
  expect(ids({ route: 'get /v1/{account_id}/posts' })).toEqual([1])
  expect(ids({ method: 'delete' })).toEqual([3])
  expect(ids({ path: `/v1/${account()}/posts` })).toEqual([1, 2])
  expect(ids({ params: { post_id: 77 } })).toEqual([3])
  expect(ids({ query: { limit: 2 } })).toEqual([1])
  expect(ids({ body: { text: 'Hello' } })).toEqual([2])
  expect(ids({ body: { text: 'Bye' } })).toEqual([])
  expect(ids({ status: 404 })).toEqual([3])
  expect(ids({ key: 'owner', account: account() })).toEqual([1, 2, 3])
  sandbox.checkpoint()
  expect(ids({})).toEqual([])
})

it.each([
  [
    { colour: 'red' },
    'Failed to read the requests (colour: "red"): there is no such field. Allowed: route, method',
  ],
  [{ route: 'GET /v1/:account_id/post' }, 'Similar routes: GET /v1/:account_id/posts'],
])('rejects the filter %j', async (filter, text) => {
  const sandbox = await createFreshSandbox()
  expect(() => sandbox.received(filter as object)).toThrow(text)
})

it('waits for a request, or returns one that was already received', async () => {
  const { sandbox, get, account } = await openClient()
  const waiting = sandbox.waitForRequest({ status: 404 })
  await get(`/v1/${account()}/posts`)
  await get('/v1/7/posts')
  expect(await waiting).toMatchObject({ id: 2, path: '/v1/7/posts' })
  expect(await sandbox.waitForRequest({ method: 'GET' })).toMatchObject({ id: 1 })
})

it('shows the most similar requests if none matches', async () => {
  const { sandbox, get, account } = await openClient()
  await get(`/v1/${account()}/posts?limit=5`)
  await expect(
    sandbox.waitForRequest(
      { route: 'GET /v1/:account_id/posts', query: { limit: 6 } },
      { timeoutMs: 1 },
    ),
  ).rejects.toThrow(
    `no such request arrived within 1 ms. The sandbox received 1 other request. The closest:\n  ` +
      `1  GET /v1/${account()}/posts 200: query.limit is "5", not "6"`,
  )
  sandbox.checkpoint()
  await expect(sandbox.waitForRequest({}, { timeoutMs: 1 })).rejects.toThrow(
    'The sandbox received no request.',
  )
})

it('notifies listeners of requests and world events until they unsubscribe', async () => {
  const { sandbox, get, account } = await openClient()
  const seen: unknown[] = []
  const stops = [
    sandbox.on('request', ({ path }) => seen.push(path)),
    sandbox.on('happening', ({ type }) => seen.push(type)),
  ]
  await get('/health')
  sandbox.act({ type: 'tip', account_id: account(), amount: 5 })
  expect(() =>
    sandbox.act([
      { type: 'tip', account_id: account(), amount: 5 },
      { type: 'tip', account_id: 1, amount: 5 },
    ]),
  ).toThrow('there is no such account')
  await Promise.resolve()
  expect(seen).toEqual(['/health', 'tip'])
  for (const stop of stops) stop()
  await get('/health')
  expect(seen).toHaveLength(2)
  expect(() => sandbox.on('tip' as 'request', () => {})).toThrow(
    "the event must be 'request' or 'happening', and the listener a function",
  )
})

it('continues to notify after another scenario is loaded', async () => {
  const { sandbox, get } = await openClient()
  const seen: string[] = []
  sandbox.on('request', ({ path }) => seen.push(path))
  await sandbox.control.loadScenario({ name: 'empty' })
  await get('/health')
  expect(seen).toEqual(['/health'])
})

it('reports no problems after a clean test', async () => {
  const { sandbox, get, account } = await openClient()
  sandbox.faults.add({ status: 404, times: 1 })
  await get(`/v1/${account()}/posts`)
  await get('/v1/7/posts')
  expect(() => sandbox.assertSettled({ expected: [404] })).not.toThrow()
})

it('lists everything that is not settled', async () => {
  const { sandbox, get, post, account } = await openClient()
  sandbox.faults.add({ route: 'GET /v1/:account_id/posts', status: 502 })
  await get(`/v1/${account()}/post`)
  await get('/v1/7/me')
  const { status } = await post(`/v1/${account()}/upload/signed/create`, upload)
  expect(status).toBe(200)
  const text = [
    'assertSettled found 4 problems.',
    `Request 1, GET /v1/${account()}/post, has no route; similar routes: GET /v1/:account_id/posts`,
    'Request 2, GET /v1/:account_id/me, failed with 404: ',
    'The fault 1 on GET /v1/:account_id/posts did not hit any request; 0 requests matched it.',
    'was started but not finished.',
  ]
  for (const part of text) expect(() => sandbox.assertSettled()).toThrow(part)
  expect(() => sandbox.assertSettled({ expected: [200] })).toThrow(
    'it must be a list of statuses from 400 to 499',
  )
})
