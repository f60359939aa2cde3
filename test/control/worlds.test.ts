import { expect, it, vi } from 'vitest'
import { sendAsOwner } from '../support/client.ts'
import { openControlClient, refusal } from '../support/control.ts'
import type { ControlClient } from '../support/control.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

interface WorldAnswer {
  id: string
  keys: Record<string, string>
  accounts: { id: number }[]
}

const makeWorld = async ({ ask }: ControlClient, body?: object): Promise<WorldAnswer> =>
  (await ask('POST', '/_sandbox/worlds', body === undefined ? {} : { body })).body
const nameOf = ({ id }: { id: string }) => id
const idsOf = ({ sandbox }: ControlClient) => sandbox.control.worlds().map(nameOf)
const accountOf = ({ sandbox }: ControlClient) => sandbox.db.accounts.find({ connected: true })!.id
const posts = (person: ControlClient, name: string) =>
  person.get(`/v1/${accountOf(person)}/posts`, `${person.sandbox.keys['owner']}~${name}`)

it('creates the world named in a key on the first request, with seeded data regardless of other worlds', async () => {
  const person = await openControlClient()
  const { sandbox, ask, read, get } = person
  const account_id = accountOf(person)
  sandbox.act({ type: 'session.lapse', account_id })
  await ask('POST', `/_sandbox/actions?world=worker-1`, { body: { type: 'limits.set', minute: 5 } })

  const first = await posts(person, 'worker-3')
  expect([first.status, first.body._meta._rate_limits.remaining_minute]).toEqual([200, 999])
  expect((await posts(person, 'worker-1')).body._meta._rate_limits.remaining_minute).toBe(4)
  expect((await get(`/v1/${account_id}/posts`)).status).toBe(424)
  expect(idsOf(person)).toEqual(['worker-1', 'worker-3'])
  expect(await read('requests?world=worker-3')).toMatchObject([
    { method: 'GET', key: `…${sandbox.keys['owner']!.slice(-4)}`, note: null },
  ])
})

it('creates a world for a POST request to the control plane, but not for a GET request', async () => {
  const person = await openControlClient()
  for (const path of ['state', 'pulse', 'events', 'snapshot', 'data/posts'])
    expect(await person.ask('GET', `/_sandbox/${path}?world=mine`)).toMatchObject(
      refusal(404, /the world "mine": it does not exist.* POST \/_sandbox/),
    )
  expect(idsOf(person)).toEqual([])
  expect((await person.ask('POST', '/_sandbox/checkpoint?world=mine')).status).toBe(200)
  expect((await person.ask('GET', '/_sandbox/state?world=mine')).status).toBe(200)
})

it.each(['main', 'w', '-', '0', 'a'.repeat(40)])('accepts the name %s', async (name) => {
  const person = await openControlClient()
  expect((await posts(person, name)).status).toBe(200)
  expect(idsOf(person)).toEqual([name])
  await person.ask('POST', `/_sandbox/clock?world=${name}`, { body: { advance: '1d' } })
  expect(person.sandbox.control.world(name).state().clock.now).not.toBe(person.sandbox.clock.iso())
})

it.each(['', 'A', 'worker_3', 'worker.3', 'é', 'a'.repeat(41), 'x~', ' x'])(
  'returns 401 for a key that is followed by ~%s',
  async (name) => {
    const person = await openControlClient()
    expect((await posts(person, name)).status).toBe(401)
    expect(idsOf(person)).toEqual([])
    if (name !== '')
      expect(
        await person.ask('GET', `/_sandbox/state?world=${encodeURIComponent(name)}`),
      ).toMatchObject(
        refusal(400, /it must have (1 to 40 characters of a-z, 0-9 and -|at most 40 characters)\./),
      )
  },
)

it('creates no world for an invalid key or for routes without a key', async () => {
  const person = await openControlClient()
  const { sandbox, get } = person
  for (const key of ['', 'wrong', `${sandbox.keys['owner']}~a`])
    expect((await get('/v1/tags', `${key}~worker-3`)).status).toBe(401)
  expect((await get('/health', `${sandbox.keys['owner']}~worker-3`)).status).toBe(200)
  expect(idsOf(person)).toEqual([])
  expect(sandbox.requests.map(({ path }) => path)).toEqual([
    '/health',
    '/v1/tags',
    '/v1/tags',
    '/v1/tags',
  ])
})

it('creates worlds with the same accounts, and with the same keys followed by their names', async () => {
  const person = await openControlClient()
  const { sandbox } = person
  const [first, second] = [await makeWorld(person), await makeWorld(person, { name: 'worker-3' })]
  expect([first.id, second.id]).toEqual(['w1', 'worker-3'])
  expect(first.accounts).toEqual(sandbox.control.state().accounts)
  expect(second.keys).toEqual(
    Object.fromEntries(
      Object.entries(sandbox.keys).map(([role, key]) => [role, `${key}~worker-3`]),
    ),
  )
  expect(await makeWorld(await openControlClient())).toEqual(first)
})

it.each([
  [{ name: 'w1' }, 'a world with this name exists'],
  [{ name: 'W1' }, '(name: "W1"): it must have 1 to 40 characters'],
  [{ id: 'w2' }, 'there is no such field'],
])('rejects creating a world from %j', async (body, text) => {
  const { ask, sandbox } = await openControlClient()
  sandbox.createWorld()
  expect(await ask('POST', '/_sandbox/worlds', { body })).toMatchObject(refusal(400, text))
  expect(() => sandbox.createWorld(body as object)).toThrow(text)
})

it('returns a sandbox for a world in process, which is removed when it is closed', async () => {
  const person = await openControlClient()
  const { sandbox } = person
  {
    using world = sandbox.createWorld({ name: 'mine' })
    expect([world.worldName, sandbox.worldName]).toEqual(['mine', undefined])
    expect(sandbox.world('mine')).toBe(world)
    world.clock.advance('1d')
    expect((await posts(person, 'mine')).status).toBe(200)
    const ours = await sendAsOwner(world, 'GET', '/v1/tags')
    expect([ours.status, world.requests.length, sandbox.requests.length]).toEqual([200, 2, 0])
  }
  expect(sandbox.control.worlds()).toEqual([])
  expect(sandbox.world('mine').clock.iso()).toBe(sandbox.clock.iso())
  sandbox.control.createWorld()
  sandbox.world('w2')
  sandbox.control.createWorld()
  expect(idsOf(person)).toEqual(['mine', 'w1', 'w2', 'w3'])
})

it('includes the world in media links, which open without a key', async () => {
  const person = await openControlClient()
  const world = await makeWorld(person)
  const account = world.accounts[0]!.id
  const media = person.sandbox.db.vaultMedia.find({ accountId: account })!.id
  const linkFor = async (key?: string) => {
    const { body } = await person.get(`/v1/${account}/vault/media/${media}`, key)
    return body.data.files.thumb.url.slice(person.sandbox.baseUrl.length)
  }
  const [theirs, ours] = [await linkFor(world.keys['owner']), await linkFor()]
  expect(theirs).not.toBe(ours)
  person.sandbox.baseUrl = 'https://other.example.test'
  expect(await linkFor(world.keys['owner'])).toBe(theirs)
  // A normalised URL also works.
  expect(`/media-proxy?${new URLSearchParams(theirs.split('?')[1])}`).toBe(theirs)
  person.sandbox.world(world.id).act({ type: 'account.disconnect', account_id: account })
  expect((await person.ask('GET', theirs)).status).toBe(404)
  expect((await person.ask('GET', ours)).status).toBe(200)
  await person.ask('DELETE', `/_sandbox/worlds/${world.id}`)
  expect((await person.ask('GET', theirs)).status).toBe(403)
  expect(idsOf(person)).toEqual([])
})

it('keeps its own keys after any snapshot or scenario', async () => {
  const person = await openControlClient()
  const world = await makeWorld(person)
  const { keys } = await person.read(`state?world=${world.id}`)
  await person.ask('PUT', `/_sandbox/snapshot?world=${world.id}`, {
    body: person.sandbox.snapshot(),
  })
  expect((await person.read(`state?world=${world.id}`)).keys).toEqual(keys)
  const agency = { body: { name: 'agency' } }
  const { body } = await person.ask('PUT', `/_sandbox/scenario?world=${world.id}`, agency)
  const account = body.accounts.find(({ connected }: { connected: boolean }) => connected)
  const owner = body.keys.find(({ role }: { role: string }) => role === 'owner').key
  expect(owner).toMatch(/^sk_sandbox_owner_\w+~w1$/)
  expect((await person.get(`/v1/${account.id}/posts`, owner)).status).toBe(200)
  expect(person.sandbox.control.state().scenario).toBe('solo')
})

it('creates each world in the seeded state, even if it is created through another world', async () => {
  const person = await openControlClient()
  person.sandbox.world('first').act({ type: 'limits.set', minute: 5 })
  const second: WorldAnswer = (await person.ask('POST', '/_sandbox/worlds?world=first')).body
  expect(
    (await person.get(`/v1/${accountOf(person)}/posts`, second.keys['owner'])).body._meta
      ._rate_limits.remaining_minute,
  ).toBe(999)
})

it('lists and removes worlds; the name of a removed world can be used again', async () => {
  const person = await openControlClient()
  const [first, second] = [await makeWorld(person), await makeWorld(person)]
  expect(await person.read('worlds')).toEqual([first, second])
  person.sandbox.world(first.id).act({ type: 'limits.set', minute: 5 })
  expect((await person.ask('DELETE', `/_sandbox/worlds/${first.id}`)).status).toBe(200)
  expect((await person.ask('DELETE', `/_sandbox/worlds/${first.id}`)).status).toBe(404)
  expect((await makeWorld(person)).id).toBe('w3')
  expect((await posts(person, first.id)).body._meta._rate_limits.remaining_minute).toBe(999)
  expect(await person.read(`requests?world=${first.id}`)).toMatchObject([{ note: null }])
})

/** Opens a client of a sandbox with at most two worlds. The test controls the real time. */
async function openSmall() {
  const log: string[] = []
  let now = 0
  const person = await openControlClient({
    options: { maxWorlds: 2, realTime: () => now, log: (line) => log.push(line) },
  })
  const wait = (minutes: number) => (now += minutes * 60_000)
  return { person, log, wait }
}

it('drops the least recently used world to make room, and adds a note when the name is used again', async () => {
  const { person, log, wait } = await openSmall()
  for (const name of ['one', 'two']) await posts(person, name)
  wait(4)
  person.sandbox.control.world('one').act({ type: 'limits.set', minute: 5 })
  wait(3)
  expect((await posts(person, 'three')).status).toBe(200)
  expect(idsOf(person)).toEqual(['one', 'three'])
  expect(log).toEqual([
    'Warning: The world two was removed to make room for another one, because it had not been ' +
      'used for 7 minutes. The limit is 2 worlds.',
  ])
  expect((await person.read('state')).worlds).toEqual({ open: 2, most: 2, dropped: 1 })

  wait(4)
  expect((await posts(person, 'two')).status).toBe(200)
  await posts(person, 'two')
  expect(idsOf(person)).toEqual(['three', 'two'])
  const why =
    'The world two was removed to make room for another one, because it had not been used ' +
    'for 7 minutes.'
  expect(person.sandbox.world('two').requests.map(({ note }) => note)).toEqual([
    null,
    `${why} This is a new world with the same name, in the seeded state.`,
  ])
})

it('drops an unchanged world before one that was unused for longer, and warns about lost changes', async () => {
  const { person, log, wait } = await openSmall()
  const { sandbox } = person
  sandbox.world('written').act({ type: 'limits.set', minute: 5 })
  wait(1)
  await posts(person, 'read')
  wait(6)
  await posts(person, 'next')
  expect(idsOf(person)).toEqual(['written', 'next'])
  sandbox.world('next').faults.add({ status: 500 })
  wait(6)
  await posts(person, 'last')
  expect(idsOf(person)).toEqual(['next', 'last'])
  expect(
    log.map((line) => line.includes('Its changes are lost. To keep them, use --state')),
  ).toEqual([false, true])
})

it('returns 503 while all worlds are in use', async () => {
  const { person, wait } = await openSmall()
  const { sandbox, ask } = person
  for (const name of ['one', 'two']) await posts(person, name)
  wait(4.9)
  const why =
    /There are already 2 isolated worlds \(--max-worlds\).*Remove worlds that you no longer need/
  expect(await posts(person, 'three')).toMatchObject(refusal(503, why))
  expect(sandbox.requests).toMatchObject([
    { status: 503, credits: 0, error: expect.stringMatching(why) },
  ])
  for (const [method, path] of [
    ['POST', '/_sandbox/worlds'],
    ['POST', '/_sandbox/checkpoint?world=three'],
  ] as const)
    expect(await ask(method, path)).toMatchObject(refusal(503, why))
  expect(() => sandbox.createWorld()).toThrow(why)
  expect(
    new ServedSandbox(sandbox).host.getBodyLimit({
      method: 'GET',
      url: '/v1/tags',
      header: () => `Bearer ${sandbox.keys['owner']}~three`,
    }),
  ).toBe(0)
  await ask('DELETE', '/_sandbox/worlds/one')
  expect((await posts(person, 'three')).status).toBe(200)
})

it('keeps a world with pending requests', async () => {
  const { person, wait } = await openSmall()
  for (const name of ['one', 'two']) await posts(person, name)
  vi.useFakeTimers()
  person.sandbox.world('one').faults.add({ delay_ms: 360_000 })
  const answer = posts(person, 'one')
  wait(6)
  await posts(person, 'three')
  expect(idsOf(person)).toEqual(['one', 'three'])
  await vi.advanceTimersByTimeAsync(360_000)
  expect((await answer).status).toBe(200)
})
