import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest'
import { connect, readFanStats, readPosts } from './client.ts'
import type { Client, FanStats, Post, PostQuery } from './client.ts'

const sandbox = createSandbox({ scenario: 'agency' })
const server = createServer(createApp(sandbox))
let client: Client
let accountId: number

beforeAll(async () => {
  await sandbox.ready
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  sandbox.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = connect(sandbox.baseUrl, sandbox.keys['owner'] ?? '')
  accountId = sandbox.db.accounts.find({ connected: true })?.id ?? 0
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
})

it('reads every post once, page after page', async () => {
  const posts: Post[] = []
  for await (const post of readPosts(client, accountId, {
    order: 'publish_date_asc',
    limit: 100,
    counters: false,
  }))
    posts.push(post)

  expect(posts.length).toBeGreaterThan(100)
  expect(new Set(posts.map(({ id }) => id)).size).toBe(posts.length)
  expect(posts.map(({ postedAt }) => postedAt)).toEqual(
    posts.map(({ postedAt }) => postedAt).toSorted(),
  )
})

it("reads a fan's stats as numbers", async () => {
  const purchase = sandbox.db.transactions.find({ accountId, status: 'done' })
  const [stats] = await readFanStats(client, purchase?.fanId ?? 0, [accountId])

  expect(stats).toMatchObject({ account_id: String(accountId), purchase_count: expect.any(Number) })
  expect(stats?.total_spend).toBeGreaterThan(0)
})

it('throws an error with the status', async () => {
  const stranger = connect(sandbox.baseUrl, 'unknown')

  await expect(readFanStats(stranger, 1, [accountId])).rejects.toMatchObject({
    name: 'ApiFailure',
    status: 401,
  })
})

it('has types that are as precise as the document', () => {
  expectTypeOf<Post['media'][number]['type']>().toEqualTypeOf<'photo' | 'video' | 'gif' | 'audio'>()
  expectTypeOf<FanStats['last_purchase_at']>().toEqualTypeOf<string | null>()
  expectTypeOf<NonNullable<PostQuery>['limit']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<NonNullable<PostQuery>['pinned']>().toEqualTypeOf<boolean | undefined>()
  // @ts-expect-error There is no such order.
  const query: PostQuery = { order: 'newest' }
  expect(query).toBeDefined()
})
