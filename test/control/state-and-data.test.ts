import { expect, it } from 'vitest'
import { openControlClient } from '../support/control.ts'

it('shows scenario, seed, start, clock, organisations, keys, accounts and counts', async () => {
  const { sandbox, ask } = await openControlClient({ scenario: 'agency' })
  const { status, body } = await ask('GET', '/_sandbox/state')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    scenario: 'agency',
    seed: expect.any(Number),
    start: sandbox.clock.iso(),
    clock: { now: sandbox.clock.iso(), mode: 'frozen', rate: 1 },
    worlds: { open: 0, most: 256, dropped: 0 },
    counts: { accounts: body.accounts.length, posts: sandbox.db.posts.size },
  })
  expect(body.organisations[0]).toEqual({
    id: expect.any(Number),
    name: expect.any(String),
    limits: { minute: expect.any(Number), day: expect.any(Number) },
    credits: null,
    isSubscriptionActive: true,
  })
  expect(body.keys).toContainEqual({
    key: sandbox.keys['owner'],
    role: 'owner',
    organisation: body.organisations[0].id,
    permissions: expect.arrayContaining(['api_posts_list']),
  })
  expect(body.accounts[0]).toEqual({
    id: expect.any(Number),
    username: expect.any(String),
    organisation: expect.any(Number),
    session: 'active',
    connected: expect.any(Boolean),
  })
})

it('lists the tables with their counts', async () => {
  const { sandbox, ask } = await openControlClient()
  const { body } = await ask('GET', '/_sandbox/data')
  expect(body.tables).toMatchObject({ posts: sandbox.db.posts.size, organisations: 1 })
})

it('pages raw records of a table and filters them by any field', async () => {
  const { sandbox, read } = await openControlClient()
  const posts = sandbox.db.posts.all()
  expect(await read('data/posts?limit=3&offset=2')).toEqual({
    total: posts.length,
    items: posts.slice(2, 5),
  })
  const free = posts.filter((post) => post.price === 0 && post.expiresAt === null)
  expect(await read('data/posts?price=0&expiresAt=null')).toEqual({
    total: free.length,
    items: free.slice(0, 100),
  })
  expect((await read('data/posts?isPinned=true')).total).toBe(
    posts.filter((post) => post.isPinned).length,
  )
  const limits = encodeURIComponent('{"minute":1000,"day":50000}')
  expect((await read(`data/organisations?limits=${limits}`)).total).toBe(1)
})

it.each([
  ['/_sandbox/data/potatoes', 404, 'The tables are organisations, apiKeys'],
  ['/_sandbox/data/__proto__', 404, 'it does not exist'],
  ['/_sandbox/data/posts?colour=red', 400, 'The fields are id, accountId', 'colour'],
  ['/_sandbox/data/posts?sort=colour', 400, 'it must be one of id, accountId', 'sort'],
  ['/_sandbox/data/posts?limit=-1', 400, 'integer from 0 to 10000', 'limit'],
  ['/_sandbox/data/posts?limit=10001', 400, 'integer from 0 to 10000', 'limit'],
  ['/_sandbox/data/posts?offset=-1', 400, 'offset: "-1"', 'offset'],
  ['/_sandbox/data/posts?price=1&price=2', 400, 'must be sent only once', 'price'],
  ['/_sandbox/state?verbose=1', 400, 'there is no such field', 'verbose'],
  ['/_sandbox/state?world=W9', 400, 'name: "W9"', 'name'],
  ['/_sandbox/changes?since=1999-01-01T00:00:00Z', 400, 'it is not a time from', 'since'],
  ['/_sandbox/series?span=soon', 400, "such as '2h'", 'span'],
  ['/_sandbox/series?span=1001d', 400, 'from 1s to 1000d', 'span'],
  ['/_sandbox/series?buckets=1', 400, 'from 2 to 500', 'buckets'],
  ['/_sandbox/series?account=5', 404, 'there is no such account'],
  ['/_sandbox/stat', 404, 'GET /_sandbox/state'],
  ['/_sandbox', 404, 'GET /_sandbox/state'],
])('responds to GET %s with %i', async (path, status, text, field?: string) => {
  const { ask } = await openControlClient()
  const answer = await ask('GET', path)
  expect(answer).toMatchObject({ status })
  expect(answer.body).toEqual({
    error: expect.stringContaining(text),
    ...(field === undefined ? {} : { field }),
  })
})

it('returns 404 for a known path with another method', async () => {
  const { ask } = await openControlClient()
  expect((await ask('DELETE', '/_sandbox/state')).status).toBe(404)
  expect((await ask('PATCH', '/_sandbox/clock', { body: {} })).status).toBe(404)
})

it('shows records after all due effects', async () => {
  const { sandbox, ask, read } = await openControlClient({
    options: { clock: 'running', rate: 1_000_000, scenario: 'solo' },
  })
  sandbox.clock.freeze()
  const scheduled = sandbox.db.posts.find({ status: 'scheduled' })!
  await ask('POST', '/_sandbox/clock', {
    body: {
      set: new Date(Math.max(sandbox.clock.now(), Date.parse(scheduled.postedAt))).toISOString(),
    },
  })
  expect((await read(`data/posts?id=${scheduled.id}`)).items[0].status).toBe('published')
})

it('searches the values of fields, not their names or their form as JSON', async () => {
  const { sandbox, read } = await openControlClient({ scenario: 'solo' })
  const post = sandbox.make.post({ text: 'He said "hello" \\ Οδός ΟΔΟΣΑ' })
  const count = async (contains: string) =>
    (await read(`data/posts?contains=${encodeURIComponent(contains)}`)).total
  expect(await count('isPinned')).toBe(0)
  expect(await count('":')).toBe(0)
  expect(await count('"HELLO" \\')).toBe(1)
  expect(await count('οδοσα')).toBe(1)
  expect(await count(String(post.id))).toBe(1)
})

it('searches only the newest records, and counts the requests that the journal stores', async () => {
  const { sandbox, ask, read } = await openControlClient({
    scenario: 'solo',
    options: { journalSize: 2 },
  })
  const old = sandbox.make.post({ text: 'A rare word' })
  const post = sandbox.make.post({ text: 'A rare word' })
  const find = async (newest: string) =>
    (await read(`data/posts?contains=rare%20word${newest}`)).items
  expect(await find('')).toMatchObject([{ id: old.id }, { id: post.id }])
  expect(await find('&newest=1')).toMatchObject([{ id: post.id }])
  for (let count = 0; count < 3; count += 1) await ask('GET', '/health')
  const { body } = await ask('GET', '/_sandbox/state')
  expect(body.requests).toEqual({ total: 3, kept: 2 })
})
