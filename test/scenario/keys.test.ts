import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, SandboxOptions } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'

const open = async (
  keys?: SandboxOptions['keys'],
  scenario: SandboxOptions['scenario'] = 'solo',
) => {
  const sandbox = createSandbox({ scenario, keys })
  const before = sandbox.keys
  await sandbox.ready
  expect(sandbox.keys).toEqual(before)
  return sandbox
}
const opens = async (sandbox: Sandbox, key: string | undefined) =>
  (
    await sandbox.fetch(`${sandbox.baseUrl}/v1/tags`, {
      headers: { authorization: `Bearer ${key}` },
    })
  ).status === 200
const worldKeys = (sandbox: Sandbox) => Object.values(sandbox.control.createWorld().keys)

it('has the same keys each time by default', async () => {
  expect((await open()).keys).toEqual((await open('seeded')).keys)
  const [first, second] = [await open('random'), await open('random')]
  expect(Object.keys(first.keys)).toEqual(['owner', 'analyst'])
  expect(new Set([await open(), first, second].map(({ keys }) => keys['owner'])).size).toBe(3)
  expect(await opens(first, first.keys['owner'])).toBe(true)
  expect(await opens(first, second.keys['owner'])).toBe(false)
})

it.each(['random', { owner: 'my-own-key', chatter: 'theirs' }] as const)(
  'keeps the keys after reset, fork, worlds, snapshots of others and another scenario: %j',
  async (given) => {
    const sandbox = await open(given)
    const { keys } = sandbox
    const seeded = await open()
    if (given !== 'random') expect(keys['owner']).toBe(given.owner)
    for (const role of ['owner', 'analyst']) expect(keys[role]).not.toBe(seeded.keys[role])
    await sandbox.reset()
    expect(sandbox.keys).toEqual(keys)
    expect(sandbox.fork().keys).toEqual(keys)
    await sandbox.restore(seeded.snapshot())
    expect(sandbox.keys).toEqual(keys)
    expect(await opens(sandbox, seeded.keys['owner'])).toBe(false)

    const theirs = worldKeys(sandbox)
    const all = [...theirs, ...Object.values(keys), ...worldKeys(seeded)]
    expect(all).toEqual([...new Set(all)])
    await sandbox.control.world('w1').restore(sandbox.snapshot())
    await sandbox.control.world('w1').reset()
    expect(
      sandbox.control
        .world('w1')
        .state()
        .keys.map(({ key }) => key),
    ).toEqual(theirs)
    await sandbox.restore(sandbox.control.world('w1').snapshot())
    expect(sandbox.keys).toEqual(keys)

    await sandbox.control.loadScenario({ name: 'empty' })
    const others = await open(undefined, 'empty')
    expect(sandbox.keys['owner']).not.toBe(others.keys['owner'])
    await sandbox.control.loadScenario({ name: 'solo' })
    expect(sandbox.keys).toEqual(keys)
  },
)

it('has the same keys for the same list, including for other roles and for worlds', async () => {
  const [first, second] = [await open({ owner: 'a' }), await open({ owner: 'a' })]
  expect(second.keys).toEqual(first.keys)
  expect(worldKeys(second)).toEqual(worldKeys(first))
  expect((await open({ owner: 'b' })).keys['analyst']).not.toBe(first.keys['analyst'])
})

it('keeps the explicit keys of a scenario', async () => {
  const scenario = await parseScenario(
    '{ extends: solo, name: own, records: { apiKeys: [{ id: 1, key: schlüssel-łódź-à, organisation: 1, role: owner, permissions: ' +
      "['api_tags_list'] }] } }",
    'own.yaml',
  )
  for (const keys of [undefined, 'random', { owner: 'other' }] as const) {
    const sandbox = createSandbox({ scenario, keys })
    await sandbox.ready
    await sandbox.reset()
    await sandbox.restore(sandbox.snapshot())
    await sandbox.restore(sandbox.createWorld().snapshot())
    expect(sandbox.keys['owner']).toBe('schlüssel-łódź-à')
  }
})

it('accepts a key with non-ASCII letters, as UTF-8 or Latin-1', async () => {
  const sandbox = await open({ owner: 'schlüssel-à', analyst: '日本' })
  for (const key of [
    'schlüssel-à',
    Buffer.from('schlüssel-à').toString('latin1'),
    Buffer.from('日本').toString('latin1'),
  ]) {
    for (const headers of [
      new Headers({ authorization: `Bearer ${key}` }),
      new Headers({ 'x-api-key': key }),
    ])
      expect([
        key,
        (await sandbox.fetch(`${sandbox.baseUrl}/v1/tags`, { headers })).status,
      ]).not.toEqual([key, 401])
  }
  expect(await opens(sandbox, 'schlussel-a')).toBe(false)
})

it.each([
  ['mine', "it must be 'seeded', 'random', or an object with a key for each role"],
  [{ owner: 'a b' }, '(keys.owner: "a b"): it must have 1 to 200 characters, without spaces'],
  [{ owner: '' }, 'it must have 1 to 200 characters'],
  [{ owner: 5 }, '(keys.owner: 5): it must be of type string'],
  [{ owner: 'a', analyst: 'a' }, 'it must have a different key for each role'],
])('rejects the keys %j', (keys, text) => {
  expect(() => createSandbox({ keys: keys as SandboxOptions['keys'] })).toThrow(text)
})

it('rejects more than 1000 keys', () => {
  const keys = Object.fromEntries(
    Array.from({ length: 1001 }, (_, index) => [`role${index}`, `key${index}`]),
  )
  expect(() => createSandbox({ keys })).toThrow('it must have at most 1000 keys')
})
