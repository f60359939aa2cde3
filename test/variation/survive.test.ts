import { readFileSync } from 'node:fs'
import type { Sandbox, VariationName } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { freshSandbox } from '../support/client.ts'

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any

const quiet = { print: () => {} }

async function open() {
  const sandbox = await freshSandbox('solo')
  const account = sandbox.db.accounts.all()[0]!.id
  const get = async (path: string): Promise<Body> => {
    const response = await sandbox.fetch(`${sandbox.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${sandbox.keys.owner}` },
    })
    if (!response.ok) throw new Error(`${response.status}`)
    return response.json()
  }
  return { sandbox, account, get }
}

it('reports that a correct client survives every variation', async () => {
  const { sandbox, account, get } = await open()
  const count = sandbox.db.posts.where({ accountId: account }).length
  const report = async () => {
    const seen = new Set<number>()
    for (let next: string | null | undefined = `/v1/${account}/posts?limit=10`; next;) {
      const page = await get(next)
      for (const { id } of page.data.list) seen.add(id)
      next = page._pagination?.next_page
    }
    if (seen.size === 0 || seen.size > count) throw new Error(`${seen.size} posts`)
  }
  const { survived, results } = await sandbox.survive(report, { seeds: 1, delayMs: 2, ...quiet })
  expect(results.filter(({ failure }) => failure !== null)).toEqual([])
  expect(survived).toBe(true)
  expect(results.filter(({ met }) => met === 0).map(({ variation }) => variation)).toEqual([
    'absent-fields',
    'null-fields',
    'error-texts',
    'expiring-links',
  ])
})

/** Clients with a wrong assumption, by the variation that detects it. */
const wrong: Readonly<Record<string, (client: Awaited<ReturnType<typeof open>>) => Promise<void>>> =
  {
    async 'absent-fields'({ sandbox, account, get }) {
      const { files } = (
        await get(
          `/v1/${account}/vault/media/${sandbox.db.vaultMedia.where({ accountId: account })[0]!.id}`,
        )
      ).data
      files.full.width.toFixed()
      files.thumb.height.toFixed()
    },
    async 'unknown-keys'({ account, get }) {
      for (const post of (await get(`/v1/${account}/posts`)).data.list)
        if (Object.keys(post).length !== 16) throw new Error('unknown field')
    },
    async 'key-order'({ account, get }) {
      if (Object.keys(await get(`/v1/${account}/posts`))[0] !== 'data') throw new Error('no data')
    },
    async 'time-forms'({ account, get }) {
      for (const { postedAt } of (await get(`/v1/${account}/posts`)).data.list)
        if (!postedAt.endsWith('+00:00')) throw new Error('bad time')
    },
    async 'large-ids'({ account, get }) {
      const { id } = (await get(`/v1/${account}/posts`)).data.list[0]
      await get(`/v1/${account}/posts/${id | 0}/stats`)
    },
    async 'short-pages'({ account, get }) {
      if ((await get(`/v1/${account}/posts?limit=10`)).data.list.length < 10)
        throw new Error('there must be ten')
    },
    async 'empty-page'({ account, get }) {
      if ((await get(`/v1/${account}/posts?limit=100`)).data.list[0].id === 0)
        throw new Error('no id')
    },
    async 'null-next-page'({ account, get }) {
      const page = await get(`/v1/${account}/posts?limit=100`)
      if ('_pagination' in page) await get(page._pagination.next_page.toString())
    },
    async 'error-texts'({ account, get, sandbox }) {
      const response = await sandbox.fetch(`${sandbox.baseUrl}/v1/${account}/posts`)
      const { error } = (await response.json()) as { error: string }
      if (!error.includes('key')) await get('/v1/unexpected')
    },
  }

it.each(Object.entries(wrong))(
  'reports that %s breaks a client that depends on it',
  async (name, run) => {
    const client = await open()
    const only = [name as VariationName]
    const { survived } = await client.sandbox.survive(() => run(client), {
      seeds: 6,
      only,
      ...quiet,
    })
    expect(survived).toBe(false)
  },
)

it('prints a table, and leaves the sandbox unchanged', async () => {
  const { sandbox, account, get } = await open()
  const before = JSON.stringify(sandbox.snapshot())
  sandbox.checkpoint()
  const printed: string[] = []
  const run = async (same: Sandbox) => {
    expect(same).toBe(sandbox)
    const { id } = (await get(`/v1/${account}/posts?limit=1`)).data.list[0]
    if (id > 2 ** 31) throw new Error('id out of range')
    sandbox.act({ type: 'tip', account_id: account })
  }
  const only = ['large-ids', 'expiring-links', 'key-order'] as const
  const { table } = await sandbox.survive(run, {
    seeds: 3,
    only,
    print: (text) => printed.push(text),
  })
  expect(printed).toEqual([table])
  expect(table).toBe(
    [
      'variation       survived  first broken by',
      'key-order       3 of 3',
      'large-ids       0 of 3    seed 1: Error: id out of range',
      'expiring-links  not met',
    ].join('\n'),
  )
  expect(JSON.stringify(sandbox.snapshot())).toBe(before)
  expect((await get(`/v1/${account}/posts?limit=1`)).data.list[0].id).toBeLessThan(2 ** 31)
})

it('rejects a function that fails without a variation, or resets the sandbox', async () => {
  const { sandbox } = await open()
  const fail = () => Promise.reject(new TypeError('always'))
  await expect(sandbox.survive(fail, quiet)).rejects.toThrow(
    'the function also fails without variations: TypeError: always',
  )
  await expect(sandbox.survive(() => sandbox.reset(), { seeds: 1, ...quiet })).rejects.toThrow(
    'the function reset or restored the sandbox',
  )
  await expect(sandbox.survive(() => {}, { seeds: 0, ...quiet })).rejects.toThrow('seeds')
  await expect(sandbox.survive(() => sandbox.survive(() => {}, quiet), quiet)).rejects.toThrow(
    'they vary already',
  )
})

it('prints the table that the docs show', async () => {
  const { sandbox, account, get } = await open()
  const count = sandbox.db.posts.where({ accountId: account }).length
  const run = async () => {
    const ids: number[] = []
    let page = await get(`/v1/${account}/posts?limit=10`)
    const keep = () => ids.push(...page.data.list.map(({ id }: { id: number }) => id | 0))
    for (keep(); page.data.list.length === 10; keep()) page = await get(page._pagination.next_page)
    if (ids.length !== shown) throw new Error(`${ids.length} of ${shown} posts`)
    await get(`/v1/${account}/posts/${ids[0]}/stats`).catch(() =>
      Promise.reject(new Error('no statistics')),
    )
  }
  const shown = (await get(`/v1/${account}/posts?limit=100`)).data.list.length
  expect(shown).toBeLessThanOrEqual(count)
  const { table } = await sandbox.survive(run, {
    only: ['large-ids', 'short-pages', 'error-texts'],
    ...quiet,
  })
  const page = readFileSync(new URL('../../docs/variation.md', import.meta.url), 'utf8')
  expect(page).toContain(table)
})
