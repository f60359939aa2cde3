import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { connect } from 'creator-api-sandbox/client'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { startServer } from 'creator-api-sandbox/server'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

// Tests of a project written for version 0.2. Later versions must pass these tests unchanged. A
// version that requires a change in a test is a breaking change.

const baseUrl = 'https://api.example.test'
const seeded = createSandbox({ baseUrl, scenario: 'solo', seed: 7 })
const server = setupServer()

let sandbox: Sandbox
let accountId: number

beforeAll(async () => {
  await seeded.ready
  server.listen(strict)
})
beforeEach(async () => {
  sandbox = seeded.fork()
  await sandbox.ready
  accountId = sandbox.accounts[0]?.id ?? 0
  server.resetHandlers(...handlers(sandbox))
})
afterEach(() => sandbox.close())
afterAll(() => server.close())

/** Sends requests as a client does. Paths are relative to the account's path. */
function ask(path: string, { key = sandbox.keys.owner, ...init }: RequestInit & Key = {}) {
  return fetch(`${baseUrl}/v1/${accountId}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
}

interface Key {
  key?: string
}

interface Feed {
  data: { list: { id: number; media: { files: { thumb: { url: string } } }[] }[] }
}

async function feed(query = ''): Promise<Feed['data']['list']> {
  const response = await ask(`/posts${query}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as Feed).data.list
}

describe('the API with MSW', () => {
  it('returns the records of the tables', async () => {
    const posts = await feed('?limit=3')

    expect(posts).toHaveLength(3)
    for (const { id } of posts) expect(sandbox.db.posts.get(id)?.accountId).toBe(accountId)
  })

  it('stores the writes of a client', async () => {
    const body = JSON.stringify({ text: 'Hello' })
    const response = await ask('/posts', { method: 'POST', body })

    expect(response.status).toBe(200)
    expect(sandbox.db.posts.where({ rawText: 'Hello' })).toHaveLength(1)
  })

  it('rejects requests without a handler', async () => {
    await expect(fetch('https://elsewhere.example.test/')).rejects.toThrow('MSW')
  })

  it('lists requests, newest first', async () => {
    await ask('/posts?limit=1')
    await ask('/chats?limit=1', { key: 'unknown' })

    expect(sandbox.requests.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', 'GET /v1/:account_id/chats', 401],
      ['GET', 'GET /v1/:account_id/posts', 200],
    ])
  })

  it('fails while a fault is active, and works again afterwards', async () => {
    sandbox.faults.add({ route: 'GET /v1/:account_id/posts', status: 502, times: 2 })

    expect((await ask('/posts')).status).toBe(502)
    expect((await ask('/chats')).status).toBe(200)
    expect((await ask('/posts')).status).toBe(502)
    expect((await ask('/posts')).status).toBe(200)
    expect(sandbox.faults.list()).toEqual([])
  })
})

describe('the world', () => {
  it('performs actions, and returns their results', () => {
    const before = sandbox.db.transactions.size
    const { ids, happened } = sandbox.act({ type: 'tip', account_id: accountId, amount: 20 })

    expect(happened).toEqual(expect.any(String))
    expect(sandbox.db.transactions.size).toBe(before + 1)
    expect(sandbox.db.transactions.get(ids.transaction)?.amount).toBe(20)
  })

  it('lapses a session, and undoes all actions if one fails', async () => {
    sandbox.act({ type: 'session.lapse', account_id: accountId })
    expect((await ask('/posts')).status).toBe(424)

    const size = sandbox.db.transactions.size
    const tip = { type: 'tip', account_id: accountId, amount: 5 } as const
    const lost = { type: 'session.lapse', account_id: 1 } as const
    expect(() => sandbox.act([tip, lost])).toThrow('account')
    expect(sandbox.db.transactions.size).toBe(size)
  })

  it('creates consistent records', async () => {
    const fan = sandbox.make.fan({ name: 'Mo' })
    sandbox.make.subscription({ fanId: fan.id, at: '-40d' })
    const post = sandbox.make.post({ text: '<p>Hello</p>', price: 15 })
    sandbox.make.transaction({ fanId: fan.id, postId: post.id })

    expect(sandbox.check()).toMatchObject({ holds: true })
    expect((await feed('?limit=1'))[0]?.id).toBe(post.id)
  })

  it('expires media links when its clock advances', async () => {
    const url = (await feed()).flatMap(({ media }) => media)[0]?.files.thumb.url ?? ''
    expect((await fetch(url)).status).toBe(200)

    sandbox.clock.advance('2h 1s')
    expect((await fetch(url)).status).toBe(403)
  })

  it('restores a snapshot and the seeded state', async () => {
    const seededSize = sandbox.db.posts.size
    sandbox.make.post({ text: 'kept' })
    const saved = JSON.parse(JSON.stringify(sandbox.snapshot()))
    sandbox.make.post({ text: 'lost' })

    await sandbox.restore(saved)
    expect(sandbox.db.posts.size).toBe(seededSize + 1)
    await sandbox.reset()
    expect(sandbox.db.posts.size).toBe(seededSize)
  })

  it('audits the requests of the client', async () => {
    await feed('?limit=1')
    expect((await sandbox.audit()).findings).toEqual([])

    sandbox.checkpoint()
    await feed('?limt=1')
    const { findings } = await sandbox.audit()
    expect(findings).toMatchObject([{ rule: 'ignored-parameter', severity: 'warning', count: 1 }])
  })
})

describe('several worlds', () => {
  it('forks with the same keys and separate data', async () => {
    const fork = sandbox.fork()
    await fork.ready
    fork.act({ type: 'session.lapse', account_id: accountId })
    const headers = { authorization: `Bearer ${fork.keys.owner}` }

    expect(fork.keys).toEqual(sandbox.keys)
    expect((await fork.fetch(`${baseUrl}/v1/${accountId}/posts`, { headers })).status).toBe(424)
    expect((await ask('/posts')).status).toBe(200)
  })

  it('has isolated worlds with separate keys', async () => {
    const world = sandbox.createWorld({ name: 'worker-3' })
    await world.ready
    world.act({ type: 'session.lapse', account_id: accountId })

    expect(world.keys.owner).toBe(`${sandbox.keys.owner}~worker-3`)
    expect((await ask('/posts', { key: world.keys.owner })).status).toBe(424)
    expect((await ask('/posts')).status).toBe(200)
  })
})

describe('a server', () => {
  it('can be started by a program and controlled over HTTP', async () => {
    // Closed here, because MSW would reject requests to the server.
    server.close()
    const served = await startServer({ port: 0, scenario: 'solo' })
    const remote = connect(served.url)
    const world = await remote.createWorld({ name: 'worker-3' })
    const account = world.accounts[0]?.id
    const status = async (key?: string) => {
      const headers = { authorization: `Bearer ${key}` }
      return (await fetch(`${served.url}/v1/${account}/posts`, { headers })).status
    }

    await world.faults.add({ status: 503, times: 1 })
    expect(await status(world.keys.owner)).toBe(503)
    expect(await status(world.keys.owner)).toBe(200)
    await world.act({ type: 'session.lapse' })
    expect(await status(world.keys.owner)).toBe(424)
    expect(await status(served.sandbox.keys.owner)).toBe(200)
    await world.close()
    expect((await remote.state()).scenario).toBe('solo')
    await served.stop()
  })
})
