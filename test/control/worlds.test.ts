import { expect, it } from 'vitest'
import { bearer, openControl } from '../support/control.ts'
import type { Person } from '../support/control.ts'

interface WorldAnswer {
  id: string
  keys: { key: string; role: string }[]
  accounts: { id: number }[]
}

const makeWorld = async ({ ask }: Person, query = ''): Promise<WorldAnswer> => (await ask('POST', `/_sandbox/worlds${query}`)).body
const ownerOf = (world: WorldAnswer) => bearer(world.keys.find(({ role }) => role === 'owner')?.key)

it('makes worlds with the same accounts and keys of their own, alike on every run', async () => {
  const person = await openControl()
  const [first, second] = [await makeWorld(person), await makeWorld(person)]
  expect([first.id, second.id]).toEqual(['w1', 'w2'])
  expect(first.accounts).toEqual(person.sandbox.control.state().accounts)
  const keys = [Object.values(person.sandbox.keys), ...[first, second].map((world) => world.keys.map(({ key }) => key))].flat()
  expect(new Set(keys).size).toBe(keys.length)
  expect(await makeWorld(await openControl())).toEqual(first)
})

it('sends each key to its own world: what is written in one is not seen in another', async () => {
  const person = await openControl()
  const world = await makeWorld(person)
  const account = world.accounts[0]!.id
  const main = bearer(person.sandbox.keys['owner'])
  const { body } = await person.ask('GET', `/v1/${account}/posts`, ownerOf(world))
  const post = body.data.list[0].id
  expect((await person.ask('DELETE', `/v1/${account}/posts/${post}`, ownerOf(world))).status).toBe(200)
  expect((await person.ask('GET', `/v1/${account}/posts/${post}/stats`, ownerOf(world))).status).toBe(404)
  expect((await person.ask('GET', `/v1/${account}/posts/${post}/stats`, main)).status).toBe(200)
  expect(person.sandbox.requests.map(({ method }) => method)).toEqual(['GET'])
  expect((await person.ask('GET', `/_sandbox/requests?world=${world.id}`)).body.map(({ method }: { method: string }) => method)).toEqual([
    'GET',
    'DELETE',
    'GET',
  ])
})

it('carries the world in media links, which open without a key', async () => {
  const person = await openControl()
  const world = await makeWorld(person)
  const account = world.accounts[0]!.id
  const media = person.sandbox.db.vaultMedia.find({ accountId: account })!.id
  const linkFor = async (headers: object) =>
    (await person.ask('GET', `/v1/${account}/vault/media/${media}`, headers)).body.data.files.thumb.url.slice(person.sandbox.baseUrl.length)
  const [theirs, ours] = [await linkFor(ownerOf(world)), await linkFor(bearer(person.sandbox.keys['owner']))]
  expect(theirs).not.toBe(ours)
  await person.ask('POST', `/_sandbox/actions?world=${world.id}`, { body: { type: 'account.disconnect', account_id: account } })
  expect((await person.ask('GET', theirs)).status).toBe(404)
  expect((await person.ask('GET', ours)).status).toBe(200)
  await person.ask('DELETE', `/_sandbox/worlds/${world.id}`)
  expect((await person.ask('GET', theirs)).status).toBe(403)
})

it('takes ?world= on every control route', async () => {
  const person = await openControl()
  const { id } = await makeWorld(person)
  const start = person.sandbox.clock.iso()
  await person.ask('POST', `/_sandbox/clock?world=${id}`, { body: { advance: '1d' } })
  await person.ask('POST', `/_sandbox/faults?world=${id}`, { body: { status: 500 } })
  expect(person.sandbox.clock.iso()).toBe(start)
  expect(person.sandbox.faults.list()).toEqual([])
  expect((await person.ask('GET', `/_sandbox/state?world=${id}`)).body.clock.now).not.toBe(start)
  expect((await person.ask('GET', `/_sandbox/faults?world=${id}`)).body).toHaveLength(1)
  expect((await person.ask('GET', `/_sandbox/data/posts?world=${id}&limit=1`)).body.items).toHaveLength(1)
})

it('resets a world to its state when it was made', async () => {
  const person = await openControl()
  const account = person.sandbox.db.accounts.all()[0]!.id
  person.sandbox.act({ type: 'session.lapse', account_id: account })
  const world = await makeWorld(person)
  const made = (await person.ask('GET', `/_sandbox/snapshot?world=${world.id}`)).body
  await person.ask('POST', `/_sandbox/actions?world=${world.id}`, {
    body: [
      { type: 'session.restore', account_id: account },
      { type: 'limits.set', minute: 1 },
    ],
  })
  await person.ask('POST', `/_sandbox/reset?world=${world.id}`)
  expect((await person.ask('GET', `/_sandbox/snapshot?world=${world.id}`)).body).toEqual(made)
  expect((await person.ask('GET', `/v1/${account}/posts`, ownerOf(world))).status).toBe(200)
})

it('keeps its own keys whatever snapshot or scenario is put into it', async () => {
  const person = await openControl()
  const world = await makeWorld(person)
  await person.ask('PUT', `/_sandbox/snapshot?world=${world.id}`, { body: person.sandbox.snapshot() })
  expect((await person.ask('GET', `/_sandbox/state?world=${world.id}`)).body.keys).toEqual(world.keys)
  const { body } = await person.ask('PUT', `/_sandbox/scenario?world=${world.id}`, { body: { name: 'agency' } })
  const account = body.accounts.find(({ connected }: { connected: boolean }) => connected)
  expect((await person.ask('GET', `/v1/${account.id}/posts`, ownerOf(body))).status).toBe(200)
  expect(person.sandbox.control.state().scenario).toBe('solo')
  expect(body.keys.map(({ key }: { key: string }) => key)).not.toContain(person.sandbox.keys['owner'])
})

it('makes a world of a world as that one began', async () => {
  const person = await openControl()
  const first = await makeWorld(person)
  await person.ask('POST', `/_sandbox/actions?world=${first.id}`, { body: { type: 'limits.set', minute: 5 } })
  const second = await makeWorld(person, `?world=${first.id}`)
  expect((await person.ask('GET', `/_sandbox/state?world=${second.id}`)).body.organisations[0].limits.minute).toBe(1000)
  expect(second.keys).not.toEqual(first.keys)
  expect((await person.ask('GET', `/v1/${second.accounts[0]!.id}/posts`, ownerOf(second))).body._meta._rate_limits.remaining_minute).toBe(
    999,
  )
})

it('lists and removes worlds; a removed one is gone with its keys', async () => {
  const person = await openControl()
  const [first, second] = [await makeWorld(person), await makeWorld(person)]
  expect((await person.ask('GET', '/_sandbox/worlds')).body).toEqual([first, second])
  expect((await person.ask('DELETE', `/_sandbox/worlds/${first.id}`)).status).toBe(200)
  expect((await person.ask('DELETE', `/_sandbox/worlds/${first.id}`)).status).toBe(404)
  expect((await person.ask('GET', `/v1/${first.accounts[0]!.id}/posts`, ownerOf(first))).status).toBe(401)
  expect((await person.ask('GET', `/_sandbox/state?world=${first.id}`)).status).toBe(404)
  expect((await makeWorld(person)).id).toBe('w3')
})

it('makes at most 256 worlds', async () => {
  const person = await openControl()
  for (let count = 0; count < 256; count += 1) person.sandbox.control.createWorld()
  expect(await person.ask('POST', '/_sandbox/worlds')).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('there are 256') },
  })
})

it('takes a new base address along', async () => {
  const person = await openControl()
  const world = await makeWorld(person)
  person.sandbox.baseUrl = 'https://other.example.test'
  const account = world.accounts[0]!.id
  const media = person.sandbox.db.vaultMedia.find({ accountId: account })!.id
  const { body } = await person.ask('GET', `/v1/${account}/vault/media/${media}`, ownerOf(world))
  expect(body.data.files.full.url).toMatch(/^https:\/\/other\.example\.test\/media-proxy/)
})
