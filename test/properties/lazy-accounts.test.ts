import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, SandboxOptions } from 'creator-api-sandbox'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { readsOf } from '../../bench/reads.ts'
import { World } from '../../src/engine/world.ts'
import { createServedSandbox } from '../../src/sandbox.ts'
import { Seeding } from '../../src/world/seeding.ts'
import { steps } from '../../src/world/sowing.ts'
import { tableDefinitions, tableNames } from '../../src/world/tables.ts'
import { runs } from '../support/runs.ts'

const sizes = {
  posts: 30,
  fans: 60,
  transactions: 200,
  vaultMedia: 20,
  chats: 8,
  messagesPerChat: 4,
  massMessages: 2,
  stories: 4,
}
const options = { scenario: 'agency', data: sizes } satisfies SandboxOptions
let lastSeed = 0

/**
 * Two sandboxes of one seed that no test had: one with all data, and one that makes them on demand.
 */
async function openBoth(): Promise<{ whole: Sandbox; lazy: Sandbox; reads: string[] }> {
  const seed = (lastSeed += 1)
  // Where memory is counted, all data come at once.
  const whole = createSandbox({ ...options, seed, maxMemory: 512 })
  const lazy = createSandbox({ ...options, seed })
  await Promise.all([whole.ready, lazy.ready])
  const paths = readsOf(whole).flatMap(({ method, url }) =>
    method === 'GET' ? [url.replace(`/v1/${idAt(whole, 0)}`, '/v1/<account>')] : [],
  )
  return { whole, lazy, reads: paths }
}

afterEach(() => void vi.restoreAllMocks())

const idAt = (sandbox: Sandbox, place: number) => String(sandbox.accounts[place]?.id)
const headersOf = ({ keys }: Sandbox) => ({
  'x-api-key': keys.owner,
  'content-type': 'application/json',
})
const get = async (sandbox: Sandbox, url: string) => {
  const response = await sandbox.fetch(`${sandbox.baseUrl}${url}`, { headers: headersOf(sandbox) })
  return { url, status: response.status, body: await response.text() }
}

/** What is read: the place of an account, and the place of an address. */
const asked = fc.array(fc.record({ account: fc.nat({ max: 4 }), read: fc.nat({ max: 200 }) }), {
  minLength: 1,
  maxLength: 12,
})

it('answers the same in any order, whichever accounts are there', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(asked, async (all) => {
      const { whole, lazy, reads } = await openBoth()
      for (const { account, read } of all) {
        const url = (reads[read % reads.length] ?? '').replace('<account>', idAt(whole, account))
        expect(await get(lazy, url)).toEqual(await get(whole, url))
      }
      expect(lazy.snapshot()).toEqual(whole.snapshot())
      lazy.close()
      whole.close()
    }),
    runs(8, 100),
  )
})

it('answers the same on a server, which makes the rest behind its first answers', async () => {
  const { whole, reads } = await openBoth()
  const pace = { now: () => 0, pause: () => Promise.resolve() }
  const served = createServedSandbox(
    { ...options, seed: lastSeed, maxMemory: 512 },
    { beginsNow: false, pace },
  )
  await served.ready
  const warm = served.warm()
  for (const [place, url] of reads.slice(0, 12).entries()) {
    const address = url.replace('<account>', idAt(whole, place % 5))
    expect(await get(served, address)).toEqual(await get(whole, address))
  }
  await warm
  expect(served.snapshot()).toEqual(whole.snapshot())
})

it('answers for accounts whose data are there while others are made, and goes on with those that somebody asks for', async () => {
  const never = new Promise<void>(() => {})
  let isStuck = false
  let slices = 0
  // Each unit is a slice; the next one after `isStuck` never goes on.
  const pause = () => {
    const pausing = isStuck ? never : Promise.resolve()
    isStuck = false
    return pausing
  }
  const { whole } = await openBoth()
  const served = createServedSandbox(
    { ...options, seed: lastSeed },
    { beginsNow: false, pace: { now: () => (slices += 100), pause } },
  )
  await served.ready
  const url = (place: number) => `/v1/${idAt(whole, place)}/posts`
  const begun = vi.spyOn(Seeding.prototype, 'atAccount')
  await served.making(Number(idAt(served, 0)))
  isStuck = true
  void served.making(Number(idAt(served, 1)))
  expect(await get(served, url(0))).toEqual(await get(whole, url(0)))
  expect(await get(served, url(1))).toEqual(await get(whole, url(1)))
  expect(begun).toHaveBeenCalledTimes(2)
})

/** Watches a step of the seeding. */
function watchStep(name: string) {
  const step = steps.find((candidate) => candidate.name === name)
  return vi.spyOn(step as Required<NonNullable<typeof step>>, 'account')
}

it.each(['agency', 'solo'] as const)(
  'makes no conversations for who reads the posts of %s, and all of them for who reads chats',
  async (scenario) => {
    const seed = (lastSeed += 1)
    const lazy = createSandbox({ ...options, scenario, seed })
    const whole = createSandbox({ ...options, scenario, seed, maxMemory: 512 })
    await Promise.all([lazy.ready, whole.ready])
    const [posts, comments, chats] = [watchStep('posts'), watchStep('comments'), watchStep('chats')]
    const path = `/v1/${idAt(whole, 0)}`
    for (const url of [`${path}/posts`, `${path}/posts/top`, `${path}/posts`])
      expect(await get(lazy, url)).toEqual(await get(whole, url))
    expect([posts, comments, chats].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0])
    expect(await get(lazy, `${path}/vault/media`)).toEqual(await get(whole, `${path}/vault/media`))
    expect(await get(lazy, `${path}/chats`)).toEqual(await get(whole, `${path}/chats`))
    expect([posts, comments, chats].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1])
    expect(lazy.snapshot()).toEqual(whole.snapshot())
  },
)

it('makes no data for who lists the accounts, and all of them for who lists what may be of any', async () => {
  const { whole, lazy } = await openBoth()
  const [posts, made] = [watchStep('posts'), vi.spyOn(World.prototype, 'makingWhole')]
  expect(await get(lazy, '/v1/accounts')).toEqual(await get(whole, '/v1/accounts'))
  expect([posts, made].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  expect(await get(lazy, '/v1/tags')).toEqual(await get(whole, '/v1/tags'))
  expect(made).toHaveBeenCalled()
})

it('makes the data of one account for nearly all that is read of it', async () => {
  const made = vi.spyOn(World.prototype, 'makingWhole')
  let { lazy, reads } = await openBoth()
  const needAll: string[] = []
  for (let place = 0; place < reads.length; place += 1) {
    const read = reads[place] ?? ''
    if (!read.includes('<account>')) continue
    expect((await get(lazy, read.replace('<account>', idAt(lazy, 0)))).status).toBe(200)
    if (made.mock.calls.length === 0) continue
    needAll.push(read.replace(/[^/]+$/, '…'))
    ;({ lazy, reads } = await openBoth())
    made.mockClear()
  }
  // Users of that name may be fans of any account.
  expect(needAll).toEqual(['/v1/<account>/users/…'])
})

/** What reads the named accounts, although it is a POST. */
const readingPosts = [
  'fans',
  'fans/218000001/stats',
  'fans/218000001/transactions',
  'fans/218000001/transactions/counts',
]

it.each(readingPosts)(
  'makes the data of the named accounts for POST /v1/%s, in the library and on a server',
  async (path) => {
    const { whole, lazy } = await openBoth()
    const pace = { now: () => 0, pause: () => Promise.resolve() }
    const served = createServedSandbox({ ...options, seed: lastSeed }, { beginsNow: false, pace })
    const made = vi.spyOn(World.prototype, 'makingWhole')
    const post = async (sandbox: Sandbox) => {
      const body = JSON.stringify({
        account_ids: [Number(idAt(sandbox, 1)), Number(idAt(sandbox, 2))],
      })
      const response = await sandbox.fetch(`${sandbox.baseUrl}/v1/${path}`, {
        method: 'POST',
        headers: headersOf(sandbox),
        body,
      })
      return { status: response.status, body: await response.json() }
    }
    const expected = await post(whole)
    expect(expected.status).toBe(200)
    expect(await post(lazy)).toEqual(expected)
    expect(await post(served)).toEqual(expected)
    expect(made).not.toHaveBeenCalled()
  },
)

it('answers what came together in its order on a server that is still to make data', async () => {
  const pace = { now: () => 0, pause: () => Promise.resolve() }
  const served = createServedSandbox(
    { ...options, seed: (lastSeed += 1) },
    { beginsNow: false, pace },
  )
  const posts = `/v1/${idAt(served, 0)}/posts`
  const headers: Record<string, string> = headersOf(served)
  const send = (method: string, url: string, body: string | null) =>
    served.handle({ method, url, header: (name) => headers[name] ?? null, body })
  const write = (text: string) => send('POST', posts, JSON.stringify({ text }))
  const answers = await Promise.all([
    write('First'),
    write('Second'),
    send('GET', `${posts}?limit=2`, null),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(served.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST'])
  expect(
    served.db.posts
      .all()
      .slice(-2)
      .map(({ text }) => text),
  ).toEqual(['First', 'Second'])
  expect(JSON.stringify(served.requests[0]?.response.body)).toMatch(/Second.*First/)
})

it.each<[string, (sandbox: Sandbox) => unknown]>([
  [
    'a write',
    (sandbox) =>
      sandbox.fetch(`${sandbox.baseUrl}/v1/${idAt(sandbox, 0)}/posts`, {
        method: 'POST',
        headers: headersOf(sandbox),
        body: '{"text":"Hi"}',
      }),
  ],
  [
    'an action',
    (sandbox) => sandbox.act({ type: 'tip', account_id: Number(idAt(sandbox, 0)), amount: 20 }),
  ],
  ['a move of the clock', (sandbox) => sandbox.clock.advance('1h')],
  ['a look at a table', (sandbox) => sandbox.db.posts.size],
  ['a fork', (sandbox) => sandbox.fork()],
  ['a reset', (sandbox) => sandbox.reset()],
  ['a snapshot', (sandbox) => sandbox.snapshot()],
])('makes all data for %s', async (_, way) => {
  const { whole, lazy } = await openBoth()
  const made = vi.spyOn(World.prototype, 'makingWhole')
  await get(lazy, `/v1/${idAt(lazy, 0)}/posts`)
  expect(made).not.toHaveBeenCalled()
  await way(lazy)
  expect(made).toHaveBeenCalled()
  expect(lazy.db.fans.size).toBe(whole.db.fans.size)
})

it('shares what was made with a second sandbox of the same options', async () => {
  const seed = (lastSeed += 1)
  const [first, second] = [createSandbox({ ...options, seed }), createSandbox({ ...options, seed })]
  await Promise.all([first.ready, second.ready])
  await get(first, `/v1/${idAt(first, 0)}/posts`)
  await get(second, `/v1/${idAt(second, 1)}/posts`)
  first.act({ type: 'tip', account_id: Number(idAt(first, 0)), amount: 20 })
  await first.reset()
  expect(first.db.posts.all().every((post, place) => post === second.db.posts.all()[place])).toBe(
    true,
  )
})

it('holds rows of one account in each group, but where an index says otherwise', async () => {
  const { whole } = await openBoth()
  for (const name of tableNames) {
    const indexes: Record<string, { group: (row: never) => unknown; spansAccounts?: boolean }> =
      tableDefinitions[name].indexes
    const rows = whole.db[name].all() as readonly { id: unknown; accountId?: number }[]
    for (const [index, { group, spansAccounts = false }] of Object.entries(indexes)) {
      if (spansAccounts) continue
      const accounts = new Map<unknown, number>()
      for (const row of rows)
        for (const key of [group(row as never)].flat()) {
          if (key === null || key === 'all' || row.accountId === undefined) continue
          if ((accounts.get(key) ?? row.accountId) !== row.accountId)
            expect.fail(`${name}.${index} has ${String(key)} for two accounts`)
          accounts.set(key, row.accountId)
        }
    }
  }
})
