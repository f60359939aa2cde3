import { SandboxError } from 'creator-api-sandbox'
import { connect, RemoteError } from 'creator-api-sandbox/client'
import type { RemoteControl } from 'creator-api-sandbox/client'
import { startServer } from 'creator-api-sandbox/server'
import type { SandboxServer } from 'creator-api-sandbox/server'
import { afterAll, beforeAll, beforeEach, expect, expectTypeOf, it, vi } from 'vitest'
import { serveOnFreePort } from '../support/server.ts'

let server: SandboxServer
let remote: RemoteControl

beforeAll(async () => {
  server = await startServer({ port: 0, scenario: 'launch-day' })
  remote = connect(`${server.url}/`)
})
beforeEach(() => server.sandbox.reset())
afterAll(() => server.stop())

it('has the same methods as the in-process control', () => {
  const inner = ['isClosed', 'positions', 'served']
  const own =
    'assertSettled baseUrl db fetch fork keysByRole make on received waitForRequest'.split(' ')
  const names = Object.keys(server.sandbox.control).filter((name) => !inner.includes(name))
  expect(Object.keys(remote).toSorted()).toEqual([...names, ...own].toSorted())
  expect(Object.keys(remote.faults).toSorted()).toEqual(
    Object.keys(server.sandbox.control.faults).toSorted(),
  )
  expect(remote.baseUrl).toBe(server.url)
})

it('applies actions', async () => {
  const [lapsed, restored] = await remote.act([
    { type: 'session.lapse' },
    { type: 'session.restore' },
  ])
  expect([lapsed.type, restored.type]).toEqual(['session.lapse', 'session.restore'])
  const { ids } = await remote.act({ type: 'subscriber.new', name: 'Ida Holm' })
  expect(server.sandbox.db.fans.get(Number(ids.fan))).toMatchObject({ name: 'Ida Holm' })
})

it('adds and removes faults', async () => {
  const { id } = await remote.faults.add({ status: 502 })
  await remote.faults.add({ status: 503, times: 1 })
  expect(await remote.faults.list()).toMatchObject([{ status: 502 }, { status: 503 }])
  expect([await remote.faults.remove(id), await remote.faults.remove(id)]).toEqual([true, false])
  expect(await remote.faults.clear()).toBe(1)
})

it('plays immediately, plays in real time until it stops, and seeks', async () => {
  const { chapters, duration_ms: durationMs } = await remote.replay()
  const [, second, third] = chapters.map(({ name }) => name)
  expect(await remote.play({ until: second })).toMatchObject({ status: 'paused', chapter: second })
  await expect(remote.play({ until: '1s' })).rejects.toThrow('Seek back first.')
  expect(await remote.play({ until: third, speed: 1000 })).toMatchObject({
    status: 'paused',
    chapter: third,
  })
  expect(await remote.play()).toMatchObject({ status: 'ended', at_ms: durationMs })
  expect(await remote.seek('0s')).toMatchObject({ status: 'idle' })
  await remote.loadScenario({
    yaml: 'extends: solo\nname: odd\ntimeline:\n  - { at: 1s, do: { type: post.unlock, post_id: 1 } }\n',
  })
  await expect(remote.play()).rejects.toThrow('Failed to play the story: ')
  await remote.loadScenario({ name: 'launch-day' })
})

it('saves and restores the world, and resets it', async () => {
  const { clock } = await remote.state()
  const saved = await remote.snapshot()
  await remote.act({ type: 'tip', amount: 20 })
  expect(await remote.restore(saved)).toBeUndefined()
  expect(await remote.snapshot()).toEqual(saved)
  await remote.clock({ advance: '1h' })
  expect(await remote.reset()).toEqual({ unfiredFaults: [] })
  expect((await remote.state()).clock).toEqual(clock)
})

it('controls isolated worlds', async () => {
  const world = await remote.createWorld({ name: 'mine' })
  const start = (await remote.state()).clock.now
  expect(await remote.worlds()).toEqual([
    { id: 'mine', keys: world.keys, accounts: world.accounts },
  ])
  expect(world.keys).toEqual(await remote.world('mine').keysByRole())
  expect(world.keys['owner']).toBe(`${server.sandbox.keys['owner']}~mine`)
  await world.clock({ advance: '1d' })
  await world.faults.add({ status: 500 })
  expect((await remote.state()).clock.now).toBe(start)
  expect(await remote.faults.list()).toEqual([])
  expect(await remote.world(world.id).faults.list()).toHaveLength(1)
  expect((await remote.world(world.id).state()).clock).toEqual((await world.state()).clock)
  await world.close()
  await expect(world.close()).rejects.toThrow('Failed to find the world "mine"')
  {
    await using another = await remote.createWorld()
    expect((await remote.worlds()).map(({ id }) => id)).toEqual([another.id])
  }
  expect(await remote.worlds()).toEqual([])
  await expect(remote.world('A B').state()).rejects.toThrow(
    'it must have 1 to 40 characters of a-z, 0-9 and -',
  )
})

it('passes on the error messages of the server, and the field that caused one', async () => {
  const refused = remote.clock({ advance: 'soon' })
  await expect(refused).rejects.toThrow(
    'Failed to advance the clock by "soon": it is not a valid duration.',
  )
  await expect(refused).rejects.toBeInstanceOf(SandboxError)
  await expect(remote.data('nothing')).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('The tables are organisations'),
  })
  await expect(remote.data('posts', { limt: 1 } as object)).rejects.toThrow(
    'there is no such field',
  )
  await expect(remote.play({ loop: true })).rejects.toThrow('at_once')
  await expect(remote.act({ type: 'session.lapse', account_id: 5 })).rejects.toMatchObject({
    status: 400,
    field: 'account_id',
  })
})

it('sends a token with non-ASCII letters', async () => {
  await using guarded = await startServer({ port: 0, scenario: 'empty', controlToken: 'größe ✓' })
  await expect(connect(guarded.url).state()).rejects.toMatchObject({
    status: 401,
    message: expect.stringContaining('control token is missing'),
  })
  await expect(connect(guarded.url, { token: 'grösse' }).state()).rejects.toBeInstanceOf(
    RemoteError,
  )
  expect(await connect(guarded.url, { token: 'größe ✓' }).state()).toMatchObject({
    scenario: 'empty',
  })
})

it.each<[string, () => unknown, string]>([
  ['returns nothing', () => undefined, 'fetch did not return a Response'],
  ['returns an object', () => ({ ok: true, json: () => ({}) }), 'fetch did not return a Response'],
  [
    'returns a page',
    () => new Response('Hello'),
    'the response with status 200 is not from a sandbox',
  ],
])('explains that a mock of fetch is left over if it %s', async (_, answer, text) => {
  const stubbed = connect(server.url, { fetch: vi.fn(answer) as never })
  await expect(stubbed.createWorld()).rejects.toThrow(
    `Failed to send a request to the sandbox (POST ${server.url}/_sandbox/worlds): ${text}. It is ` +
      'replaced, for example by vi.stubGlobal. Restore it with vi.unstubAllGlobals(), or pass another ' +
      'function: connect(url, { fetch }).',
  )
})

it('explains that no sandbox responds at the URL', async () => {
  const other = await serveOnFreePort(
    (_, response) => void response.writeHead(404).end('<h1>Not here</h1>'),
  )
  await expect(connect(other).reset()).rejects.toThrow(
    `Failed to send a request to the sandbox (POST ${other}/_sandbox/reset): the response with status ` +
      '404 is not from a sandbox. Pass the URL of a sandbox to connect.',
  )
  const gone = await startServer({ port: 0, scenario: 'empty' })
  await gone.stop()
  await expect(connect(gone.url).state()).rejects.toThrow(
    `Failed to send a request to the sandbox (GET ${gone.url}/_sandbox/state): ECONNREFUSED. Start the ` +
      'server, or pass the URL that it prints to connect.',
  )
  expect(() => connect('127.0.0.1:4010')).toThrow(
    'Failed to connect to "127.0.0.1:4010": it must be an http or https URL, such as ' +
      'http://127.0.0.1:4010.',
  )
})

it('accepts a custom fetch, and requires one if there is none', async () => {
  expect(() => connect(server.url, { fetch: null as never })).toThrow('there is no global fetch')
  const asked: string[] = []
  const own = connect(server.url, {
    fetch: (input, init) => {
      asked.push(`${init?.method} ${String(input)}`)
      return fetch(input, init)
    },
  })
  await own.world('mine').faults.clear()
  await own.removeWorld('mine')
  expect(asked).toEqual([
    `DELETE ${server.url}/_sandbox/faults?world=mine`,
    `DELETE ${server.url}/_sandbox/worlds/mine`,
  ])
})

it('has the same types as the in-process control', () => {
  const { control } = server.sandbox
  type Answer<Name extends 'state' | 'data' | 'snapshot' | 'replay'> = Awaited<
    ReturnType<RemoteControl[Name]>
  >
  expectTypeOf<Answer<'state'>>().toEqualTypeOf<ReturnType<typeof control.state>>()
  expectTypeOf<Answer<'data'>>().toEqualTypeOf<ReturnType<typeof control.data>>()
  expectTypeOf<Parameters<RemoteControl['data']>>().toEqualTypeOf<Parameters<typeof control.data>>()
  expectTypeOf<RemoteControl>().not.toHaveProperty('served')
  // @ts-expect-error Action names are typed.
  expectTypeOf(remote.act).toBeCallableWith({ type: 'nothing' })
})

it('makes records as sandbox.make does', async () => {
  const { sandbox } = server
  const post = await remote.make.post({ text: 'Hello', at: new Date(sandbox.clock.now()) })
  expect(post).toEqual(sandbox.db.posts.get(post.id))
  const fans = await remote.make.fan.many(3, (index) => ({ name: `Fan ${index}` }))
  expect(fans.map(({ name }) => name)).toEqual(['Fan 0', 'Fan 1', 'Fan 2'])
  await expect(remote.make.post.many(2, { accountId: 1 })).rejects.toThrow('accountId')
  const whale = await remote.make.fan({ trait: 'whale' })
  expect(sandbox.db.subscriptions.where({ fanId: whale.id })).toHaveLength(1)
  expect(Object.keys(remote.make)).toEqual(Object.keys(sandbox.make))
})

it('reads and changes the tables as sandbox.db does', async () => {
  const { db } = server.sandbox
  const { posts } = remote.db
  const [first, second] = db.posts.all()
  if (first === undefined || second === undefined) throw new Error('there are no posts')
  expect(await posts.size).toBe(db.posts.size)
  expect(await posts.get(first.id)).toEqual(first)
  expect(await posts.get(1)).toBeUndefined()
  expect(await posts.all()).toEqual(db.posts.all())
  expect(await posts.slice(1, 1)).toEqual([second])
  for (const match of [
    { accountId: first.accountId, text: first.text },
    { price: 0 },
    { text: '1' },
  ])
    expect(await posts.where(match)).toEqual(db.posts.where(match))
  expect(await posts.where(({ id }) => id > first.id)).toEqual(
    db.posts.where(({ id }) => id > first.id),
  )
  expect(await posts.find({ id: second.id })).toEqual(second)
  expect(await posts.update(first.id, { text: 'New' })).toEqual(db.posts.get(first.id))
  const tag = await remote.db.tags.insert({ name: 'Mine' })
  expect(await remote.db.tags.put({ ...tag, name: 'Yours' })).toEqual(db.tags.get(tag.id))
  expect(await remote.db.tags.remove(tag.id)).toMatchObject({ name: 'Yours' })
  expect(await remote.db.tags.remove(tag.id)).toBeUndefined()
  await expect((remote.db as never as Record<string, typeof posts>)['pots']?.all()).rejects.toThrow(
    'The tables are',
  )
})

it('moves the clock as sandbox.clock does', async () => {
  const { clock } = server.sandbox
  const start = clock.now()
  expect(await remote.clock.advance('2h 1s')).toEqual(clock.state())
  expect(await remote.clock.now()).toBe(clock.now())
  expect(clock.now()).toBeGreaterThanOrEqual(start + 7_201_000)
  expect(await remote.clock.set(new Date(clock.now() + 8_000_000))).toEqual(clock.state())
  expect(await remote.clock.iso()).toBe(clock.iso())
  expect(await remote.clock.run(60)).toMatchObject({ mode: 'running', rate: 60 })
  expect(await remote.clock.freeze()).toMatchObject({ mode: 'frozen' })
  expect(await remote.clock.state()).toEqual(clock.state())
})
