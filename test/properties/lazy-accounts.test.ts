import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, SandboxOptions } from 'creator-api-sandbox'
import fc from 'fast-check'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { readsOf } from '../../bench/reads.ts'
import { World } from '../../src/engine/world.ts'
import { tableDefinitions, tableNames } from '../../src/world/tables.ts'
import { runs } from '../support/runs.ts'

const sizes = { posts: 30, fans: 60, transactions: 200, vaultMedia: 20, chats: 8, messagesPerChat: 4, massMessages: 2, stories: 4 }
// With a budget of its own each sandbox makes its own data.
const options = { scenario: 'agency', data: sizes, maxMemory: 512, now: '2026-10-01T09:30:00Z' } satisfies SandboxOptions
const open = async () => {
  const sandbox = createSandbox(options)
  await sandbox.ready
  return sandbox
}
/** The address of a read: its path behind the account, or all of it. */
let reads: string[] = []
let whole: Sandbox

beforeAll(async () => {
  whole = await open()
  whole.snapshot()
  const [account] = whole.accounts
  const ofOne = `/v1/${account?.id}`
  reads = readsOf(whole)
    .filter(({ method }) => method === 'GET')
    .map(({ url }) => url.replace(ofOne, '/v1/<account>'))
})
afterEach(() => void vi.restoreAllMocks())

const get = async (sandbox: Sandbox, url: string) => {
  const response = await sandbox.fetch(`${sandbox.baseUrl}${url}`, { headers: { 'x-api-key': sandbox.keys.owner } })
  return { url, status: response.status, body: await response.text() }
}

it('answers the same in any order, whichever accounts are there', { timeout: 60_000 }, async () => {
  const place = fc.nat({ max: 4 })
  const read = fc.record({ place, read: fc.nat({ max: 200 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(read, { minLength: 1, maxLength: 12 }), async (asked) => {
      await whole.reset()
      const lazy = await open()
      for (const { place: account, read: number } of asked) {
        const url = (reads[number % reads.length] ?? '').replace('<account>', String(whole.accounts[account]?.id))
        expect(await get(lazy, url)).toEqual(await get(whole, url))
      }
      expect(lazy.snapshot()).toEqual(whole.snapshot())
      lazy.close()
    }),
    runs(8, 100),
  )
})

it('makes the data of one account for nearly all that is read of it', async () => {
  const made = vi.spyOn(World.prototype, 'makingWhole')
  const account = String(whole.accounts[0]?.id)
  const urls = reads.filter((url) => url.includes('<account>')).map((url) => url.replace('<account>', account))
  let lazy = await open()
  const needAll: string[] = []
  for (const url of urls) {
    expect((await get(lazy, url)).status).toBe(200)
    if (made.mock.calls.length === 0) continue
    needAll.push(url)
    made.mockClear()
    lazy = await open()
  }
  // Users of that name may be fans of any account.
  expect(needAll.map((url) => url.replace(/[^/]+$/, '…'))).toEqual([`/v1/${account}/users/…`])
})

it('makes all data at the first write, when the clock moves, and when records are read from outside', async () => {
  const [account] = whole.accounts
  const ways: Record<string, (sandbox: Sandbox) => unknown> = {
    'a write': (sandbox) =>
      sandbox.fetch(`${sandbox.baseUrl}/v1/${account?.id}/posts`, { method: 'POST', headers: headersOf(sandbox), body: '{"text":"Hi"}' }),
    'an action': (sandbox) => sandbox.act({ type: 'tip', account_id: account?.id ?? 0, amount: 20 }),
    'the clock': (sandbox) => sandbox.clock.advance('1h'),
    'a table': (sandbox) => sandbox.db.posts.size,
    'a fork': (sandbox) => sandbox.fork(),
    'a reset': (sandbox) => sandbox.reset(),
  }
  for (const [name, way] of Object.entries(ways)) {
    const lazy = await open()
    const made = vi.spyOn(World.prototype, 'makingWhole')
    await get(lazy, `/v1/${account?.id}/posts`)
    expect(made, name).not.toHaveBeenCalled()
    await way(lazy)
    expect(made, name).toHaveBeenCalled()
    expect(lazy.db.posts.size, name).toBeGreaterThanOrEqual(whole.db.posts.size)
    vi.restoreAllMocks()
  }
})

it('shares what was made with a second sandbox of the same options', async () => {
  const twins = [0, 1].map(() => createSandbox({ ...options, maxMemory: undefined, seed: 4321 }))
  const [first, second] = twins as [Sandbox, Sandbox]
  await Promise.all([first.ready, second.ready])
  const [{ id = 0 } = {}, other] = first.accounts
  await get(first, `/v1/${id}/posts`)
  await get(second, `/v1/${other?.id}/posts`)
  first.act({ type: 'tip', account_id: id, amount: 20 })
  await first.reset()
  expect(first.db.posts.all().every((post, place) => post === second.db.posts.all()[place])).toBe(true)
})

it('holds rows of one account in each group, but where an index says otherwise', () => {
  for (const name of tableNames) {
    const indexes: Record<string, { group: (row: never) => unknown; spansAccounts?: boolean }> = tableDefinitions[name].indexes
    const rows = whole.db[name].all() as readonly { id: unknown; accountId?: number }[]
    for (const [index, { group, spansAccounts = false }] of Object.entries(indexes)) {
      const accounts = new Map<unknown, number | undefined>()
      if (spansAccounts) continue
      for (const row of rows)
        for (const key of [group(row as never)].flat()) {
          if (key === null || key === 'all' || row.accountId === undefined) continue
          expect(accounts.get(key) ?? row.accountId, `${name}.${index} ${String(key)}`).toBe(row.accountId)
          accounts.set(key, row.accountId)
        }
    }
  }
})

function headersOf(sandbox: Sandbox): Record<string, string> {
  return { 'x-api-key': sandbox.keys.owner, 'content-type': 'application/json' }
}
