import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, SandboxOptions } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

const open = async (options: SandboxOptions = {}) => {
  const sandbox = await createFreshSandbox('solo', { seed: 1234, ...options })
  return sandbox
}
/** True if two sandboxes share the same record objects. */
const isShared = (one: Sandbox, two: Sandbox) =>
  (['accounts', 'apiKeys', 'posts', 'fans', 'transactions'] as const).every((name) => {
    const records: readonly object[] = two.db[name].all()
    return one.db[name].all().every((row, place) => row === records[place])
  })
const text = (sandbox: Sandbox) => JSON.stringify(sandbox.snapshot())
const own = {
  name: 'own',
  now: '2026-10-01T09:00:00Z',
  organisations: [
    {
      name: 'Mine',
      roles: { owner: ['*'] },
      accounts: [{ id: 7, username: 'me', name: 'Me', data: { posts: 5 } }],
    },
  ],
}

it('seeds only once for the same options, even if the first sandbox is closed', async () => {
  const [first, second] = await Promise.all([open(), open()])
  const seeded = text(first)
  expect(isShared(first, second)).toBe(true)
  first.act([
    { type: 'tip', amount: 20 },
    { type: 'clock.advance', by: '3d' },
  ])
  first.db.posts.remove(first.db.posts.all()[0]!.id)
  expect(text(second)).toBe(seeded)
  first.close()
  const third = await open({
    journalSize: 5,
    baseUrl: 'https://other.example.test',
    clock: 'frozen',
  })
  expect(isShared(second, third)).toBe(true)
  second.act({ type: 'tip', amount: 20 })
  third.act({ type: 'tip', amount: 20 })
  expect(text(third)).toBe(text(second))
  await third.reset()
  expect(text(third)).toBe(seeded)
})

it.each<SandboxOptions>([
  { seed: 1235 },
  { now: '2026-10-02T09:00:00Z' },
  { data: { posts: 3 } },
  { keys: 'random' },
  { keys: { owner: 'a' } },
  { scenario: 'empty' },
])('seeds again for %j', async (options) => {
  const [first, second] = [await open(), await open(options)]
  expect(first.db.accounts.all()[0]).not.toBe(second.db.accounts.all()[0])
  expect(text(first)).not.toBe(text(second))
  expect(isShared(second, await open(options))).toBe(options.keys !== 'random')
})

it('seeds only once for an equal custom scenario', async () => {
  const sandboxes = await Promise.all(
    [own, structuredClone(own), { ...own, seed: 5 }].map((scenario) =>
      open({ scenario, seed: undefined }),
    ),
  )
  const [first, second, third] = sandboxes as [Sandbox, Sandbox, Sandbox]
  expect([isShared(first, second), isShared(first, third)]).toEqual([true, false])
})

it('seeds only once for a scenario that is loaded later', async () => {
  const [first, second] = [await open({ scenario: 'empty' }), await open()]
  await first.control.loadScenario({ name: 'solo', seed: 1234 })
  expect(isShared(first, second)).toBe(true)
})

it('fails for all waiting sandboxes, and seeds again next time', async () => {
  const scenario = {
    ...own,
    records: { tags: [{ id: 1, organisation: 9, name: 'x', created_at: '2026-10-01T09:00:00Z' }] },
  } as unknown as SandboxOptions['scenario']
  const ready = () => createSandbox({ scenario }).ready
  for (const each of [ready(), ready()]) await expect(each).rejects.toThrow('tags 1')
  await expect(ready()).rejects.toThrow('tags 1')
})
