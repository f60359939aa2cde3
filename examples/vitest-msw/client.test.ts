import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { CreatorClient } from './client.ts'
import type { Post } from './client.ts'

const baseUrl = 'https://api.example.test'
const seeded = createSandbox({ baseUrl, scenario: 'solo' })
const server = setupServer()

let sandbox: Sandbox
let accountId: number

beforeAll(async () => {
  await seeded.ready
  server.listen(strict)
})
beforeEach(() => {
  // Each test uses its own fork, so tests do not affect each other.
  sandbox = seeded.fork()
  accountId = sandbox.db.accounts.all()[0]?.id ?? 0
  server.resetHandlers(...handlers(sandbox))
})
afterAll(() => server.close())

/** Creates a client that records its waiting times instead of waiting. */
function connect(waits: number[] = []): CreatorClient {
  const wait = (delayMs: number) => Promise.resolve(void waits.push(delayMs))
  return new CreatorClient({ baseUrl, apiKey: sandbox.keys['owner'] ?? '', wait })
}

async function collect(posts: AsyncIterable<Post>): Promise<Post[]> {
  const all: Post[] = []
  for await (const post of posts) all.push(post)
  return all
}

it('reads every page', async () => {
  const posts = await collect(connect().posts(accountId, 3))

  const times = posts.map(({ postedAt }) => postedAt)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(new Set(posts.map(({ id }) => id)).size).toBe(posts.length)
  expect(sandbox.requests).toHaveLength(Math.ceil(posts.length / 3))
})

it('requests no more pages when the reader stops', async () => {
  await connect().posts(accountId, 3).next()

  expect(sandbox.requests).toHaveLength(1)
})

it('retries throttled requests with increasing delays', async () => {
  sandbox.faults.add({ route: 'GET /v1/:account_id/posts', status: 429, times: 2 })
  const waits: number[] = []
  const posts = await collect(connect(waits).posts(accountId, 100))

  expect(posts).not.toEqual([])
  expect(waits).toEqual([1000, 2000])
  expect(sandbox.requests.map(({ status }) => status)).toEqual([200, 429, 429])
})

it('gives up after too many throttled attempts', async () => {
  sandbox.faults.add({ status: 429 })

  await expect(collect(connect().posts(accountId))).rejects.toMatchObject({
    name: 'ClientError',
    status: 429,
    reason: 'throttled',
  })
  expect(sandbox.requests).toHaveLength(4)
})

it('waits until the rate limit is renewed', async () => {
  sandbox.act({ type: 'limits.set', minute: 2 })
  const client = new CreatorClient({
    baseUrl,
    apiKey: sandbox.keys['owner'] ?? '',
    wait: (delayMs) => Promise.resolve(sandbox.clock.advance(delayMs * 30)),
  })

  expect((await collect(client.posts(accountId, 2))).length).toBeGreaterThan(4)
})

it('distinguishes a lapsed session from other errors', async () => {
  sandbox.act({ type: 'session.lapse', account_id: accountId })

  await expect(collect(connect().posts(accountId))).rejects.toMatchObject({
    status: 424,
    reason: 'session_lapsed',
  })
})

it('downloads media until their links expire', async () => {
  const client = connect()
  const [thumb] = (await collect(client.posts(accountId))).flatMap(({ media }) =>
    media.flatMap(({ files }) => files?.thumb.url ?? []),
  )
  const bytes = await client.download(thumb ?? '')
  expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xd8])

  sandbox.clock.advance('2h 1s')
  await expect(client.download(thumb ?? '')).rejects.toMatchObject({
    status: 403,
    reason: 'forbidden',
  })
})

it('does not see changes of other tests', async () => {
  expect(sandbox.requests).toEqual([])
  expect(sandbox.faults.list()).toEqual([])
})
