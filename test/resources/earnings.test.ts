import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

type Transaction = NonNullable<ReturnType<Client['sandbox']['db']['transactions']['get']>>

const cents = (dollars: number) => Math.round(dollars * 100)
/** Payments without an amount count as 0. */
const sumNet = (rows: Transaction[]) =>
  rows.reduce((total, { amount, net }) => total + (amount === null ? 0 : cents(net)), 0) / 100
/** Returns an account's payments between two times, excluding refunds. */
const earnedIn = ({ sandbox, account }: Client, from: string, to: string) =>
  sandbox.db.transactions.where(
    ({ accountId, status, transaction_created_at: time }) =>
      accountId === account() && status !== 'undo' && time !== null && time >= from && time <= to,
  )
const points = (chart: { count: number }[]) =>
  Math.round(chart.reduce((total, { count }) => total + count * 100, 0)) / 100
const overview = (client: Client, query: string) => client.getData(`earnings/overview?${query}`)

describe('the earnings overview', () => {
  it('compares with the previous window of the same length', async () => {
    const client = await openClient('agency')
    const [august, july] = [
      earnedIn(client, '2026-08-01', '2026-08-31T24'),
      earnedIn(client, '2026-07-01', '2026-07-31T24'),
    ].map((each) => sumNet(each))
    const { delta } = (await overview(client, 'start_date=2026-08-01&end_date=2026-08-31')).earning
    expect(delta).toBe(Math.round(((august! - july!) / july!) * 10_000) / 100)
  })

  it('accepts the longest possible window, which has no previous one', async () => {
    const client = await openClient('agency')
    const total = sumNet(earnedIn(client, '', '9'))
    const window = 'start_date=-99999999d&end_date=9999-12-31T23:59:59-23:59'
    expect((await overview(client, window)).earning).toMatchObject({ total, delta: 100 })
    const chart = await client.getData(`earnings/chart?${window}`)
    expect(chart).toMatchObject({ total, delta: 100 })
    for (const kind of ['tracking', 'trial'])
      expect((await client.get(`${kind}-links/overview?start_date=-99999999d`)).status).toBe(200)
  })

  it('accepts messages but not massMessages, and returns it as massMessages (§4)', async () => {
    const client = await openClient('agency')
    const { massMessages, ...others } = await overview(client, 'by=messages')
    expect(others).toEqual({})
    expect(massMessages.hasStatistic).toBe(massMessages.count.total > 0)
    const { status, body } = await client.get('earnings/overview?by=massMessages')
    expect([status, body.error]).toEqual([400, expect.stringContaining('messages')])
  })

  it('returns each section under its key, with a chart that sums to its earnings', async () => {
    const client = await openClient('agency')
    for (const by of ['earnings', 'posts', 'streams', 'visitors', 'story', 'promo', 'trials']) {
      const data = await overview(client, `by=${by}`)
      expect(Object.keys(data)).toEqual([by === 'earnings' ? 'earning' : by])
      const section = data[by]
      if (['posts', 'streams', 'story', 'promo'].includes(by))
        expect(points(section.chartData)).toBe(section.earnings.total)
      if (by === 'visitors') {
        expect(section.count).toEqual(section.visitors)
        expect(points(section.chartData)).toBe(section.count.total)
      }
      if (by === 'trials') expect(points(section.chartData)).toBe(section.claims.total)
      if (by === 'streams') expect(section.count.total).toMatch(/^\d+m$/)
    }
    // A window of 90 days has daily buckets.
    const { posts } = await overview(client, 'by=posts&start_date=2026-06-01&end_date=2026-08-29')
    expect(posts.chartData.length).toBeGreaterThan(0)
    for (const { date } of posts.chartData) expect(date).toMatch(/T00:00:00/)
  })

  it.each([
    ['posts', 'posts'],
    ['streams', 'streams'],
    ['messages', 'massMessages'],
  ])('has statistics of %s if the window has only earnings', async (by, key) => {
    const client = await openClient('empty')
    const { make } = client.sandbox
    const item = make.post({ isStream: by === 'streams', at: '2026-07-01T00:00:00Z' })
    make.transaction({
      fanId: make.fan().id,
      ...(by === 'messages' ? { category: 'message' } : { category: 'tip', postId: item.id }),
      amount: 5,
      at: '2026-08-10T12:00:00Z',
    })
    const read = async (day: string) =>
      (await overview(client, `by=${by}&start_date=${day}&end_date=${day}`))[key]
    expect(await read('2026-08-10')).toMatchObject({
      hasStatistic: true,
      views: { total: 0 },
      earnings: { gross: 5 },
    })
    expect((await read('2026-08-11')).hasStatistic).toBe(false)
  })

  it('has five sections without by', async () => {
    const client = await openClient('agency')
    const window = 'start_date=2026-06-01&end_date=2026-08-29'
    const all = await overview(client, window)
    expect(Object.keys(all)).toEqual(['earning', 'posts', 'streams', 'visitors', 'massMessages'])
    for (const by of ['earnings', 'posts', 'streams', 'visitors', 'messages'])
      expect(all).toMatchObject(await overview(client, `by=${by}&${window}`))
  })
})

describe('the earnings chart', () => {
  it('has hourly, daily or monthly buckets, depending on the length of the window', async () => {
    const client = await openClient('agency')
    const chart = (query: string) => client.getData(`earnings/chart?${query}`)
    const widths = {
      'start_date=2026-09-01&end_date=2026-09-01': /T\d\d:00:00/,
      'start_date=2026-06-01&end_date=2026-08-29': /T00:00:00/,
      'start_date=2025-01-10': /-01T00:00:00/,
    }
    const datesOf = (points: { date: string }[]) => points.map(({ date }) => date)
    for (const [query, width] of Object.entries(widths)) {
      const data = await chart(query)
      const dates = datesOf(data.chartAmount)
      for (const date of dates) expect(date).toMatch(width)
      expect(dates).toEqual([...new Set(datesOf(data.chartCount))].toSorted())
      expect(data).toMatchObject((await overview(client, query)).earning)
    }
    expect((await chart('start_date=2024-01-01&end_date=2024-01-02')).chartAmount).toEqual([])
  })
})

describe('the list of earnings', () => {
  it('pages each payment of the window once, newest first, including refunds', async () => {
    const client = await openClient('boundaries')
    for (const { id } of client.db.accounts.where({ connected: true }).slice(0, 2)) {
      const rows = client.db.transactions
        .where(({ accountId, transaction_created_at: time }) => accountId === id && time !== null)
        .map((row) => ({ id: row.id, at: row.transaction_created_at! }))
        .toSorted((a, b) => ((a.at === b.at ? a.id > b.id : a.at > b.at) ? -1 : 1))
      expect(await readAllIds(client, `/v1/${id}/earnings`)).toEqual(idsOf(rows))
      const end = rows[20]!.at
      expect(await readAllPages(client, `/v1/${id}/earnings?end_date=${end}`)).toHaveLength(
        rows.filter(({ at }) => at <= end).length,
      )
    }
  })

  it('continues after the marker, even if payments are added in between', async () => {
    const client = await openClient('agency')
    const first = (await client.get('earnings')).body
    const { accountId, fanId } = client.db.subscriptions.find({ accountId: client.account() })!
    const added = client.sandbox.make.transaction({ accountId, fanId, category: 'tip' }).id
    const second = await client.getData(first._pagination.next_page)
    expect(await client.getData(`earnings?marker=${first.data.nextMarker}`)).toEqual(second)
    const shown = idsOf([...first.data.list, ...second.list])
    expect([new Set(shown).size, shown.includes(added)]).toEqual([20, false])
    const seconds = first.data.list.map(({ createdAt }: { createdAt: string }) =>
      Math.floor(Date.parse(createdAt) / 1000),
    )
    expect(first.data.nextMarker).toBe(seconds.at(-1))
    expect((await client.getData('earnings')).list[0].id).toBe(added)
  })

  it('shows the payer like a short profile', async () => {
    const client = await openClient('agency')
    const { list } = await client.getData('earnings')
    for (const { user } of list) {
      const { id, name, username, displayName, isVerified } = await client.getData(
        `fans/${user.id}`,
      )
      expect(user).toEqual({ id, name, username, displayName, view: 's', isVerified })
    }
  })
})

it('the list of earnings filters by type and source of tips, as the chart does', async () => {
  const client = await openClient('agency')
  client.sandbox.act({ type: 'limits.set', minute: 1_000_000, day: 1_000_000 })
  const window = 'start_date=2026-01-01'
  const ids = async (query: string) =>
    (await readAllIds(client, `earnings?${window}&${query}`)).map(String)
  const all: string[] = []
  for (const type of ['subscribes', 'tips', 'post', 'chat_messages', 'stream']) {
    const own = await ids(`type=${type}`)
    all.push(...own)
    const rows = client.db.transactions.where(({ id, status }) => {
      return status !== 'undo' && own.includes(id)
    })
    const { total } = await client.getData(`earnings/chart?${window}&by=${type}`)
    expect(total, type).toBe(sumNet(rows))
  }
  expect(all.length).toBe(new Set(all).size)
  const sources: string[] = []
  for (const source of ['profile', 'post_all', 'chat', 'stream', 'story'])
    sources.push(...(await ids(`type=tips&tips_source=${source}`)))
  expect(sources.toSorted()).toEqual((await ids('type=tips')).toSorted())
  // `tips_source` only has an effect together with the type tips.
  expect(await ids('tips_source=profile&type=post')).toEqual(await ids('type=post'))
  expect(await ids('tips_source=profile')).toEqual(await ids(''))
})
