import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, SandboxOptions } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { variationNames } from '../../src/world/variation-choice.ts'
import { variations } from '../../src/variation/response-variator.ts'
import { sendAsOwner } from '../support/client.ts'

type Name = (typeof variationNames)[number]
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any

async function open(only: Name[] | undefined, options: SandboxOptions = {}, seed = 1) {
  const sandbox = createSandbox({
    scenario: 'solo',
    ...(only && { variation: { seed, only, delayMs: 2 } }),
    ...options,
  })
  await sandbox.ready
  return { sandbox, account: sandbox.db.accounts.all()[0]!.id }
}

async function ask(sandbox: Sandbox, method: string, url: string, sent?: unknown) {
  const { status, body } = await sendAsOwner(sandbox, method, url, sent)
  return { status, text: JSON.stringify(body), body }
}

const get = (sandbox: Sandbox, url: string) => ask(sandbox, 'GET', url)

/** Reads the transactions of the fan with the most transactions. */
async function readTransactions(sandbox: Sandbox, accountId: number): Promise<Body> {
  const counts = new Map<number, number>()
  for (const { fanId } of sandbox.db.transactions.where({ accountId }))
    counts.set(fanId, (counts.get(fanId) ?? 0) + 1)
  const [[fan] = []] = [...counts].toSorted(([, a], [, b]) => b - a)
  const sent = { account_ids: [accountId], limit: 100 }
  return (await ask(sandbox, 'POST', `/v1/fans/${fan}/transactions`, sent)).body
}

async function walk(sandbox: Sandbox, url: string): Promise<{ pages: Body[]; ids: number[] }> {
  const pages: Body[] = []
  for (let next: string | null | undefined = url; typeof next === 'string' && pages.length < 200;) {
    const { status, body }: { status: number; body: Body } = await get(sandbox, next)
    expect(status, next).toBe(200)
    pages.push(body)
    next = body._pagination?.next_page
  }
  return { pages, ids: pages.flatMap(({ data }) => data.list.map(({ id }: { id: number }) => id)) }
}

it('declares each variation once, under its public name', () => {
  expect(variations.map(({ name }) => name)).toEqual([...variationNames])
  expect(variations.every(({ source }) => source.startsWith('reference §'))).toBe(true)
})

it('varies in the same way for the same seed, and differently for another seed', async () => {
  const text = async (seed: number) => {
    const { sandbox, account } = await open(undefined, { variation: { seed, delayMs: 0 } })
    return (await get(sandbox, `/v1/${account}/posts?limit=5`)).text
  }
  expect(await text(3)).toBe(await text(3))
  expect(await text(4)).not.toBe(await text(3))
})

it('is set by an action, kept in snapshots, and cleared by a reset', async () => {
  const { sandbox, account } = await open(undefined)
  const last = async () => (await get(sandbox, `/v1/${account}/posts?limit=100`)).body._pagination
  expect(await last()).toBeUndefined()
  sandbox.act({ type: 'variation.set', only: ['null-next-page'] })
  expect(await last()).toEqual({ next_page: null })
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot()))
  await sandbox.reset()
  expect(await last()).toBeUndefined()
  await sandbox.restore(snapshot)
  expect(await last()).toEqual({ next_page: null })
  sandbox.act({ type: 'variation.set', seed: null })
  expect(await last()).toBeUndefined()
})

it('rejects an unknown variation, and suggests the nearest', async () => {
  expect(() => createSandbox({ variation: { only: ['large-id' as 'large-ids'] } })).toThrow(
    'did you mean large-ids?',
  )
})

it('sets nullable fields to null, but never the net amount', async () => {
  const { sandbox, account } = await open(['null-fields'])
  const rows: Body[] = (await readTransactions(sandbox, account)).data.transactions
  const isOneNull = (row: Body, ...fields: string[]) => fields.some((field) => row[field] === null)
  expect(rows.some((row) => isOneNull(row, 'fee', 'vat_amount', 'currency'))).toBe(true)
  const never = ['net', 'status', 'transaction_created_at']
  expect(rows.filter((row) => isOneNull(row, ...never))).toEqual([])
})

it('adds keys only to objects in the data', async () => {
  const { sandbox, account } = await open(['unknown-keys'])
  const { body, text } = await get(sandbox, `/v1/${account}/posts?limit=5`)
  expect(text).toMatch(/"new_\d{4}":/)
  expect(Object.keys(body)).toEqual(['data', '_pagination', '_meta'])
  expect(Object.keys((await get(sandbox, `/v1/${account}/nowhere`)).body)).toEqual(['error'])
})

it('uses unlisted values if the reference has no complete list', async () => {
  const { sandbox, account } = await open(['open-values'])
  expect(JSON.stringify(await readTransactions(sandbox, account))).toMatch(
    /"currency":"(?:EUR|GBP|JPY)"/,
  )
  expect((await get(sandbox, `/v1/${account}/vault/lists`)).text).toMatch(
    /"type":"(?:archive|highlights)"/,
  )
})

it('writes times in other forms of the same time', async () => {
  const { sandbox, account } = await open(['time-forms'])
  const times = (body: Body) =>
    body.data.list.map(({ postedAt }: { postedAt: string }) => postedAt) as string[]
  const varied = times((await get(sandbox, `/v1/${account}/posts?limit=20`)).body)
  sandbox.act({ type: 'variation.set', seed: null })
  const plain = times((await get(sandbox, `/v1/${account}/posts?limit=20`)).body)
  expect(varied.map((time) => Date.parse(time))).toEqual(plain.map((time) => Date.parse(time)))
  expect(new Set(varied.map((time) => time.slice(19))).size).toBeGreaterThan(2)
})

it('returns ids beyond 2^31, and accepts them', async () => {
  const { sandbox, account } = await open(['large-ids'])
  const { list } = (await get(sandbox, `/v1/${account}/posts?limit=3`)).body.data
  const { id, author, media } = list[0]
  expect(id).toBeGreaterThan(2 ** 31)
  expect(Number.isSafeInteger(id)).toBe(true)
  expect(author.id).toBe(account)
  expect(media.every((item: { id: number }) => item.id > 2 ** 31)).toBe(true)
  expect((await get(sandbox, `/v1/${account}/posts/${id}/stats`)).status).toBe(200)
  expect(sandbox.requests[0]!.path).toContain(String(id))
  const comments = (await get(sandbox, `/v1/${account}/posts/${id}/comments?limit=1`)).body
  expect(comments._pagination.next_page ?? String(id)).toContain(String(id))
  const fan = sandbox.db.fans.all()[0]!.id
  expect(Object.keys((await get(sandbox, `/v1/${account}/fans?ids=${fan}`)).body.data)).toEqual([
    String(fan),
  ])
  const send = async (method: string, path: string, sent?: object) =>
    (await ask(sandbox, method, `/v1/${path}`, sent)).body.data
  const { id: created } = await send('POST', `${account}/vault/lists`, { name: 'Mine' })
  expect(await send('PATCH', `${account}/vault/lists/${created}`, { name: 'Ours' })).toMatchObject({
    id: created,
  })
  const { id: tag } = await send('POST', 'tags', { name: 'Large' })
  const link = sandbox.db.trackingLinks.where({ accountId: account })[0]!.id
  expect(await send('PUT', `${account}/tracking-links/${link}/tags`, { tag_ids: [tag] })).toEqual({
    tracking_link_id: String(link),
    tag_ids: [tag],
  })
  expect(await send('DELETE', `${account}/posts/${id}`)).toEqual({ success: true })
  expect((await get(sandbox, `/v1/${account}/posts/${id}/stats`)).status).toBe(404)
})

it('shortens pages, and still returns each row once', async () => {
  const plain = await open(undefined)
  const { sandbox, account } = await open(['short-pages'])
  for (const list of ['posts', 'subscribers', 'chats', 'notifications']) {
    const whole = await walk(plain.sandbox, `/v1/${account}/${list}?limit=10`)
    const short = await walk(sandbox, `/v1/${account}/${list}?limit=10`)
    expect([list, short.ids]).toEqual([list, whole.ids])
    expect(short.pages.length).toBeGreaterThanOrEqual(whole.pages.length)
  }
  const { body } = await get(sandbox, `/v1/${account}/posts?limit=10`)
  expect(body.data.list.length).toBeLessThan(10)
  expect(body.data.hasMore).toBe(true)
  expect(body._pagination.next_page).toContain('limit=10')
  expect((await get(sandbox, `/v1/${account}/posts`)).body._pagination.next_page).not.toContain(
    'limit',
  )
  const { data, _pagination: page } = await readTransactions(sandbox, account)
  expect(page === undefined || page.next_page === String(data.transactions.length)).toBe(true)
})

it('adds a second page to each list with two rows', async () => {
  const { sandbox, account } = await open(['short-pages'])
  const { account: same, sandbox: plain } = await open(undefined)
  const lists = ['posts', 'subscribers', 'chats', 'tracking-links', 'trial-links', 'vault/lists']
  let shortened = 0
  for (const seed of [1, 2, 3]) {
    sandbox.act({ type: 'variation.set', seed, only: ['short-pages'] })
    for (const list of lists) {
      const url = `/v1/${same}/${list}?limit=100`
      const { data, _pagination: whole } = (await get(plain, url)).body
      const rows: Body[] = Array.isArray(data) ? data : data.list
      if (whole !== undefined || rows.length < 2) continue
      shortened += 1
      const { body } = await get(sandbox, url)
      expect([list, typeof body._pagination?.next_page]).toEqual([list, 'string'])
    }
  }
  expect(shortened).toBeGreaterThan(9)
  const transactions = await readTransactions(plain, account)
  expect(transactions.data.transactions.length).toBeGreaterThan(1)
  expect((await readTransactions(sandbox, account))._pagination.next_page).toBeDefined()
  // The sandbox reads the rows without recording requests or charging credits for them.
  const spent = sandbox.cost().credits
  await get(sandbox, `/v1/${account}/posts`)
  expect(sandbox.cost().credits).toBe(spent + 1)
})

it('inserts an empty page before the last one', async () => {
  const plain = await open(undefined)
  const { sandbox, account } = await open(['empty-page'])
  const url = `/v1/${account}/posts?limit=10`
  const { pages, ids } = await walk(sandbox, url)
  expect(ids).toEqual((await walk(plain.sandbox, url)).ids)
  expect(pages.at(-2)).toMatchObject({
    data: { list: [], hasMore: true, headMarker: '', tailMarker: '' },
  })
})

it('changes the counters on later pages', async () => {
  const { sandbox, account } = await open(['moving-counts'])
  const { pages } = await walk(sandbox, `/v1/${account}/posts?limit=10`)
  expect(pages[1].data.counters.postsCount).toBeGreaterThan(pages[0].data.counters.postsCount)
})

it('rewords errors, and still names the allowed values', async () => {
  const plain = await open(undefined)
  const { sandbox, account } = await open(['error-texts'])
  const both = (url: string) =>
    Promise.all(
      [plain.sandbox, sandbox].map(async (each) => (await get(each, url)).body.error as string),
    )
  const [ownText, otherText] = await both(`/v1/${account}/posts?order=best`)
  expect(otherText).not.toBe(ownText)
  expect(otherText).toContain('publish_date_desc')
  expect(new Set(await both(`/v1/${account}/nowhere`)).size).toBe(2)
})

it('delays only relay routes', async () => {
  const { sandbox, account } = await open(['slow-answers'], { realTime: () => performance.now() })
  await get(sandbox, `/v1/${account}/posts`)
  expect(sandbox.requests[0]!.duration_ms).toBeGreaterThan(0.9)
})

it('expires a link after its first use, until a response contains it again', async () => {
  const { sandbox, account } = await open(['expiring-links'])
  const link = async () => {
    const { list } = (await get(sandbox, `/v1/${account}/posts?media_type=photos&limit=1`)).body
      .data
    return (list[0].media[0].files.thumb.url as string).slice(sandbox.baseUrl.length)
  }
  const statusOf = async (url: string) => {
    const { status } = await sandbox.handle({ method: 'GET', url, header: () => null, body: null })
    return status
  }
  const first = await link()
  expect([await statusOf(first), await statusOf(first)]).toEqual([200, 403])
  expect(sandbox.requests[0]!.code).toBe('media_link_expired')
  expect(await statusOf(await link())).toBe(200)
})
