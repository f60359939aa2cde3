import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { sendAsOwner } from '../support/client.ts'
import { mebibyte, MemoryLimit } from '../../src/world/memory-limit.ts'
import { openControlClient } from '../support/control.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

const small = (data: object) => ({
  name: 'small',
  now: '2026-10-01T09:00:00Z',
  organisations: [
    {
      name: 'Mine',
      roles: { owner: ['*'] },
      accounts: [{ id: 7, username: 'me', name: 'Me', data }],
    },
  ],
})
const sentence = /memory limit of 16 MB .*--max-memory/

it('returns 503 for writes at the maximum number of rows, and still handles reads and deletions', async () => {
  const sandbox = createSandbox({
    baseUrl: 'https://api.example.test',
    scenario: small({ posts: 5 }),
    maxMemory: 16,
    journalSize: 10,
  })
  await sandbox.ready
  const call = (method: string, path: string, body?: object) =>
    sendAsOwner(sandbox, method, path, body)
  const text = 'Hello'
  expect((await call('POST', '/v1/7/posts', { text })).status).toBe(200)
  const fill = () => {
    for (;;) sandbox.make.tag({ name: 'Mine' })
  }
  expect(fill).toThrow(/^Failed to make the tag: it would exceed the memory limit of 16 MB/)

  const refused = { status: 503, body: { error: expect.stringMatching(sentence) } }
  expect(await call('POST', '/v1/7/posts', { text })).toEqual(refused)
  expect(sandbox.requests[0]).toMatchObject({ status: 503, error: expect.stringMatching(sentence) })
  expect(() => sandbox.act({ type: 'post.publish', account_id: 7 })).toThrow(sentence)
  expect((await call('GET', '/v1/7/posts')).status).toBe(200)
  const [post] = sandbox.db.posts.all()
  expect((await call('DELETE', `/v1/7/posts/${post!.id}`)).status).toBe(200)
  for (const { id } of sandbox.db.tags.all().slice(-3)) sandbox.db.tags.remove(id)
  expect((await call('POST', '/v1/7/posts', { text })).status).toBe(200)
  await sandbox.reset()
  expect(sandbox.db.posts.size).toBe(5)
})

it.each([
  [
    '300 conversations of a million messages',
    { fans: 300, chats: 300, messagesPerChat: 1_000_000 },
  ],
  ['a million fans', { fans: 1_000_000 }],
  ['a million payments', { fans: 5, transactions: 1_000_000 }],
  ['a million posts', { posts: 1_000_000 }],
  ['a million stories', { stories: 1_000_000 }],
])('rejects seeding %s with a message', async (_, data) => {
  const { ask } = await openControlClient({ options: { scenario: small({}), maxMemory: 16 } })
  const yaml = JSON.stringify(small(data))
  expect(await ask('PUT', '/_sandbox/scenario', { body: { yaml } })).toMatchObject({
    status: 507,
    body: { error: expect.stringMatching(sentence) },
  })
  expect(await ask('GET', '/_sandbox/state')).toMatchObject({
    status: 200,
    body: { scenario: 'small' },
  })
})

it('drops requests from journals that exceed their share of the memory', async () => {
  const sandbox = createSandbox({
    baseUrl: 'https://api.example.test',
    scenario: small({ posts: 100 }),
    maxMemory: 16,
    journalSize: 100_000,
  })
  await sandbox.ready
  for (let turn = 0; turn < 1000; turn += 1)
    await sendAsOwner(sandbox, 'GET', '/v1/7/posts?limit=100')
  expect(new ServedSandbox(sandbox).memory!.used).toBeLessThan(
    new ServedSandbox(sandbox).memory!.limit / 2,
  )
  expect(sandbox.requests.length).toBeGreaterThan(10)
  expect(sandbox.requests.length).toBeLessThan(1000)
})

it('counts the data of the worlds of a sandbox until they are closed', async () => {
  const { sandbox, ask } = await openControlClient({ options: { scenario: 'solo', maxMemory: 64 } })
  const before = new ServedSandbox(sandbox).memory!.used
  const worlds = ['a', 'b', 'c'].map((name) => sandbox.createWorld({ name }))
  for (const world of worlds) await world.fetch(`${world.baseUrl}/v1/accounts`)
  expect(new ServedSandbox(sandbox).memory!.used).toBeGreaterThan(before)
  for (const world of worlds) world.close()
  expect(new ServedSandbox(sandbox).memory!.used).toBe(before)
  expect((await ask('GET', '/health')).status).toBe(200)
})

it('is reached if the process has grown beyond the limit, regardless of what the sandbox counts', () => {
  let grown = 0
  const memory = new MemoryLimit(16 * mebibyte, () => grown)
  expect([memory.isFull, memory.isCrowded]).toEqual([false, false])
  grown = 15 * mebibyte
  expect([memory.isFull, memory.isCrowded]).toEqual([false, true])
  grown = 17 * mebibyte
  expect(() => memory.require('create a world')).toThrow(
    'Failed to create a world: it would exceed',
  )
  expect(() => memory.again().require('fork')).toThrow('16 MB')
})
