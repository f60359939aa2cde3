import type { Clock, Sandbox } from 'creator-api-sandbox'
import { connect } from 'creator-api-sandbox/client'
import type { RemoteClock, RemoteWorld } from 'creator-api-sandbox/client'
import { startServer } from 'creator-api-sandbox/server'
import type { SandboxServer } from 'creator-api-sandbox/server'
import { afterAll, beforeAll, beforeEach, afterEach, expect, expectTypeOf, it } from 'vitest'

let server: SandboxServer
let world: RemoteWorld

beforeAll(async () => {
  server = await startServer({ port: 0, scenario: 'solo' })
})
beforeEach(async () => {
  world = await connect(server.url).createWorld()
})
afterEach(() => world.close().catch(() => {}))
afterAll(() => server.stop())

const send = (path: string, init: RequestInit = {}, of = world) =>
  of.fetch(`${of.baseUrl}${path}`, {
    ...init,
    headers: { 'x-api-key': of.keys.owner, 'content-type': 'application/json' },
  })

/** The same world as a sandbox in the process of the server. */
const local = () => server.sandbox.world(world.id)

/** Collects events. `take` waits for a number of them. */
const createCollector = () => {
  const seen: unknown[] = []
  let notify = () => {}
  const add = (event: unknown) => {
    seen.push(event)
    notify()
  }
  const take = async (count: number) => {
    while (seen.length < count) await new Promise<void>((resolve) => (notify = resolve))
    return seen.splice(0)
  }
  return { add, take }
}

const getMessage = async (run: () => unknown) => {
  try {
    await run()
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}

it('has all members of a sandbox but those that need its process', () => {
  expectTypeOf<Exclude<keyof Sandbox, keyof RemoteWorld>>().toEqualTypeOf<
    'control' | 'ready' | 'worldName' | 'bodyLimit' | 'handle' | 'survive' | typeof Symbol.dispose
  >()
  expectTypeOf<Exclude<keyof Clock, keyof RemoteClock>>().toEqualTypeOf<
    'follow' | 'mode' | 'rate'
  >()
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(server.sandbox))
  const absent = ['constructor', 'ready', 'bodyLimit', 'handle', 'survive']
  expect(names.filter((name) => !absent.includes(name) && !(name in world))).toEqual([])
})

it('finds the same requests as sandbox.received, with bodies as JSON', async () => {
  const [account] = world.accounts
  await send('/v1/nowhere')
  await world.checkpoint()
  await send(`/v1/${account.id}/posts?limit=2`)
  const body = JSON.stringify({ text: 'Hello', mediaFiles: [] })
  await send(`/v1/${account.id}/posts`, { method: 'POST', body })
  for (const filter of [
    undefined,
    { route: 'get /v1/{account_id}/posts' as never },
    { method: 'post', body: { text: 'Hello' } },
    { params: { account_id: account.id }, query: { limit: 2 } },
    { key: 'owner', status: 404 },
  ])
    expect(await world.received(filter)).toEqual(local().received(filter))
  const [posted] = await world.received({ route: 'POST /v1/:account_id/posts' })
  expect(posted?.json()).toMatchObject({ text: 'Hello' })
})

it.each([{ colour: 'red' }, { status: '404' }, { route: 'GET /v1/pots' }, { route: 'null' }, 5])(
  'rejects the filter %j as sandbox.received does',
  async (filter) => {
    const remote = await getMessage(() => world.received(filter as object))
    expect(remote).toContain('Failed to read the requests (')
    expect(remote.toLowerCase()).toBe(
      (await getMessage(() => local().received(filter as object))).toLowerCase(),
    )
    expect(await getMessage(() => world.waitForRequest(filter as object))).toBe(remote)
  },
)

it('waits for a request, or returns one that was already received', async () => {
  const waiting = world.waitForRequest({ status: 404 })
  await send('/v1/tags')
  await send('/v1/nowhere')
  expect(await waiting).toMatchObject({ id: 2, path: '/v1/nowhere' })
  expect(await world.waitForRequest({ method: 'GET' })).toMatchObject({ id: 1 })
})

it('shows the most similar requests if none arrived in time', async () => {
  await send('/v1/tags?limit=5')
  const filter = { route: 'GET /v1/tags', query: { limit: 6 } } as const
  const remote = await getMessage(() => world.waitForRequest(filter, { timeoutMs: 1 }))
  expect(remote).toContain('no such request arrived within 1 ms. The sandbox received 1 other')
  expect(remote).toBe(await getMessage(() => local().waitForRequest(filter, { timeoutMs: 1 })))
})

it('ends a wait when the world is removed, and does not create the world again', async () => {
  let isOpen = true
  const remote = connect(server.url, {
    async fetch(input, init) {
      if (isOpen && String(input).includes('/_sandbox/requests')) {
        isOpen = false
        await world.close()
      }
      return fetch(input, init)
    },
  })
  await expect(remote.world(world.id).waitForRequest({ method: 'PATCH' })).rejects.toThrow(
    'Failed to wait for {"method":"PATCH"}: the sandbox was closed before such a request arrived.',
  )
  expect(await remote.worlds()).toEqual([])
})

it('calls a listener after each request until it is removed', async () => {
  const { add, take } = createCollector()
  const stop = await world.on('request', add)
  await Promise.all(Array.from({ length: 60 }, () => send('/v1/tags')))
  const seen = await take(60)
  expect(seen).toEqual(local().requests.toReversed())
  stop()
  const others = createCollector()
  const stopOthers = await world.on('request', others.add)
  await send('/v1/nowhere')
  expect(await others.take(1)).toMatchObject([{ status: 404 }])
  stopOthers()
  expect(await take(0)).toEqual([])
})

it('calls a listener once for each action, also after a restore, a reset and in another scenario', async () => {
  const { add, take } = createCollector()
  await world.act({ type: 'tip' })
  const stop = await world.on('happening', ({ type, text }) => add(type === 'note' ? text : type))
  await world.act({ type: 'tip' })
  expect(await take(1)).toEqual(['tip'])
  await world.keepSnapshot({ name: 'tips' })
  await world.restoreSnapshot('tips')
  await world.act({ type: 'note', text: 'Restored' })
  expect(await take(1)).toEqual(['Restored'])
  await world.reset()
  await world.act([{ type: 'tip' }, { type: 'note', text: 'After' }])
  expect(await take(2)).toEqual(['tip', 'After'])
  await world.loadScenario({ name: 'empty' })
  await world.act({ type: 'note', text: 'New' })
  expect(await take(1)).toEqual(['New'])
  stop()
  expect(await getMessage(() => world.on('tip' as 'request', () => {}))).toBe(
    await getMessage(() => local().on('tip' as 'request', () => {})),
  )
})

it('asserts the same problems as sandbox.assertSettled', async () => {
  await expect(world.assertSettled()).resolves.toBeUndefined()
  const [account] = world.accounts
  const key = 'upload/3f2b8c1e-0000-4000-8000-000000000000/202610010930/a.jpg'
  const body = JSON.stringify({ key, parts: 1, contentType: 'image/jpeg' })
  await world.faults.add({ route: 'GET /v1/tags', status: 500 })
  await world.reset()
  await world.faults.add({ route: 'GET /v1/:account_id/posts', status: 502 })
  await send('/v1/nowhere')
  await send('/v1/7/me')
  await send(`/v1/${account.id}/upload/signed/create`, { method: 'POST', body })
  for (const options of [{}, { expected: [404] }, { expected: [200] }, { except: 1 } as object]) {
    const remote = await getMessage(() => world.assertSettled(options))
    expect(remote).toBe(await getMessage(() => local().assertSettled(options)))
    expect(remote).not.toBe('no error')
  }
  expect(await getMessage(() => world.assertSettled())).toMatch(
    /found 4 problems[^]*the last reset removed the fault 1 on GET \/v1\/tags/,
  )
})

it('sends requests only to the server', async () => {
  expect((await send('/v1/tags')).status).toBe(200)
  expect((await world.fetch(new URL(`${world.baseUrl}/v1/tags`))).status).toBe(401)
  expect((await world.fetch(new Request(`${world.baseUrl}/health`))).status).toBe(200)
  for (const url of ['https://elsewhere.example/', `${world.baseUrl}1/`, '/v1/tags'])
    await expect(world.fetch(url)).rejects.toThrow(
      `Failed to fetch (${url}): the sandbox only handles URLs that start with ${world.baseUrl}.`,
    )
})

it('forks the world', async () => {
  const fan = await world.make.fan({ name: 'Mo' })
  await using copy = await world.fork()
  expect(copy.id).not.toBe(world.id)
  expect(await copy.db.fans.get(fan.id)).toEqual(fan)
  await copy.db.fans.update(fan.id, { name: 'Ida' })
  expect(await world.db.fans.get(fan.id)).toEqual(fan)
  expect((await send('/v1/tags', {}, copy)).status).toBe(200)
  expect([await copy.received(), await world.received()]).toMatchObject([[{ id: 1 }], []])
})
