import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

type Transaction = NonNullable<ReturnType<Client['sandbox']['db']['transactions']['get']>>

const cents = (dollars: number | null) => Math.round((dollars ?? 0) * 100)
/** Payments without an amount count as 0, also in net totals. */
const sum = (rows: Transaction[], field: 'amount' | 'net') =>
  rows.reduce((total, row) => total + (row.amount === null ? 0 : cents(row[field])), 0) / 100
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
  it('adds nothing for a payment without an amount, neither gross nor net', async () => {
    const client = await openClient('agency')
    const window = 'start_date=2026-09-20&end_date=now'
    const before = (await overview(client, window)).earning
    const row = client.db.transactions.find({ accountId: client.account(), category: 'tip' })!
    client.db.transactions.insert({
      ...row,
      id: '900000000000009',
      transaction_created_at: '2026-09-21T12:00:00.000Z',
      amount: null,
      fee: null,
      vat_amount: null,
      net: 8,
      status: 'done',
    })
    expect((await overview(client, window)).earning).toEqual(before)
    expect(client.sandbox.check().holds).toBe(true)
  })

  it('sums net and gross over the window, and compares them with the previous window', async () => {
    const client = await openClient('agency')
    const rows = earnedIn(client, '2026-07-10T08:15:00.000Z', '2026-09-20T17:40:00.000Z')
    const { earning } = await overview(
      client,
      'start_date=2026-07-10 08:15:00&end_date=2026-09-20T17:40:00Z',
    )
    expect(earning).toEqual({
      total: sum(rows, 'net'),
      gross: sum(rows, 'amount'),
      delta: expect.any(Number),
    })
    const [august, july] = [
      earnedIn(client, '2026-08-01', '2026-08-31T24'),
      earnedIn(client, '2026-07-01', '2026-07-31T24'),
    ].map((each) => sum(each, 'net'))
    const { delta } = (await overview(client, 'start_date=2026-08-01&end_date=2026-08-31')).earning
    expect(delta).toBe(Math.round(((august! - july!) / july!) * 10_000) / 100)
  })

  it('accepts the longest possible window, which has no previous one', async () => {
    const client = await openClient('agency')
    const rows = earnedIn(client, '', '9')
    for (const path of ['overview', 'chart']) {
      const { status, body } = await client.get(
        `earnings/${path}?start_date=-99999999d&end_date=9999-12-31T23:59:59-23:59`,
      )
      expect([path, status]).toEqual([path, 200])
      expect(body.data.earning ?? body.data).toMatchObject({
        total: sum(rows, 'net'),
        gross: sum(rows, 'amount'),
        delta: 100,
      })
    }
    for (const kind of ['tracking', 'trial'])
      expect((await client.get(`${kind}-links/overview?start_date=-99999999d`)).status).toBe(200)
  })

  it('accepts messages but not massMessages, and returns it as massMessages (§4)', async () => {
    const client = await openClient('agency')
    const { massMessages, ...others } = await overview(client, 'by=messages')
    expect([Object.keys(others), massMessages.hasStatistic]).toEqual([
      [],
      massMessages.count.total > 0,
    ])
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
      if (by === 'visitors')
        expect([points(section.chartData), section.count]).toEqual([
          section.count.total,
          section.visitors,
        ])
      if (by === 'trials') expect(points(section.chartData)).toBe(section.claims.total)
      if (by === 'streams') expect(section.count.total).toMatch(/^\d+m$/)
    }
    const { posts } = await overview(client, 'by=posts&start_date=2026-06-01&end_date=2026-08-29')
    const own = client.db.posts.where(
      ({ accountId, status, isStream, postedAt }) =>
        accountId === client.account() &&
        status === 'published' &&
        !isStream &&
        postedAt >= '2026-06-01' &&
        postedAt < '2026-08-30',
    )
    expect([posts.count.total, posts.views.total]).toEqual([
      own.length,
      own.reduce((looks, { lookCount }) => looks + lookCount, 0),
    ])
    // A window of 90 days has daily buckets.
    const paid = earnedIn(client, '2026-06-01', '2026-08-29T24')
      .filter(
        ({ postId, category }) => postId !== null && (category === 'tip' || category === 'unlock'),
      )
      .filter(({ postId }) => client.db.posts.get(postId!)?.isStream === false)
    expect(posts.chartData.map(({ date }: { date: string }) => date)).toEqual(
      expect.arrayContaining([
        ...new Set(paid.map((row) => `${row.transaction_created_at!.slice(0, 10)}T00:00:00+00:00`)),
      ]),
    )
    for (const { date } of posts.chartData) expect(date).toMatch(/T00:00:00/)
  })

  it.each([
    ['posts', 'posts', { category: 'tip', post: true }],
    ['streams', 'streams', { category: 'unlock', post: true, isStream: true }],
    ['messages', 'massMessages', { category: 'message', post: false }],
  ] as const)(
    'has statistics of %s if the window has only earnings',
    async (by, key, { category, ...on }) => {
      const { sandbox, ...client } = await openClient('empty')
      const { id: accountId } = sandbox.make.account()
      const fields = { accountId, at: '2026-07-01T00:00:00Z' }
      const postId = on.post
        ? sandbox.make.post({ ...fields, isStream: 'isStream' in on, price: 0 }).id
        : null
      const read = async (day: string) =>
        (
          await client.getData(
            `/v1/${accountId}/earnings/overview?by=${by}&start_date=${day}&end_date=${day}`,
          )
        )[key]
      expect((await read('2026-08-10')).hasStatistic).toBe(false)
      sandbox.make.transaction({
        accountId,
        fanId: sandbox.make.fan().id,
        category,
        postId,
        amount: 5,
        at: '2026-08-10T12:00:00Z',
      })
      expect(await read('2026-08-10')).toMatchObject({
        hasStatistic: true,
        views: { total: 0 },
        earnings: { gross: 5 },
      })
      expect((await read('2026-08-11')).hasStatistic).toBe(false)
    },
  )

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
  it('has hourly, daily or monthly buckets, depending on the length of the window, which sum to the totals', async () => {
    const client = await openClient('agency')
    const chart = (query: string) => client.getData(`earnings/chart?${query}`)
    const widths = {
      'start_date=2026-09-01&end_date=2026-09-01': /T\d\d:00:00/,
      'start_date=2026-06-01&end_date=2026-08-29': /T00:00:00/,
      'start_date=2025-01-10': /-01T00:00:00/,
    }
    for (const [query, width] of Object.entries(widths)) {
      const data = await chart(query)
      for (const { date } of data.chartAmount) expect(date).toMatch(width)
      expect(data.chartAmount.map(({ date }: { date: string }) => date)).toEqual(
        [...new Set(data.chartCount.map(({ date }: { date: string }) => date))].toSorted(),
      )
      expect(points(data.chartAmount)).toBe(data.total)
      expect({ total: data.total, gross: data.gross, delta: data.delta }).toEqual(
        (await overview(client, query)).earning,
      )
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
        .toSorted((a, b) =>
          a.transaction_created_at === b.transaction_created_at
            ? a.id > b.id
              ? -1
              : 1
            : a.transaction_created_at! > b.transaction_created_at!
              ? -1
              : 1,
        )
      expect(await readAllIds(client, `/v1/${id}/earnings`)).toEqual(idsOf(rows))
      const [cut] = rows.slice(20)
      const end = cut!.transaction_created_at!
      expect((await readAllPages(client, `/v1/${id}/earnings?end_date=${end}`)).length).toBe(
        rows.filter((row) => row.transaction_created_at! <= end).length,
      )
    }
  })

  it('continues after the marker, even if payments are added in between', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const first = (await client.get('earnings')).body
    const fan = client.db.subscriptions.find({ accountId: account })!.fanId
    client.db.transactions.insert({
      ...client.db.transactions.find({ accountId: account })!,
      id: '999999999999999',
      fanId: fan,
      transaction_created_at: client.sandbox.clock.iso(),
    })
    const second = await client.getData(first._pagination.next_page)
    expect(await client.getData(`earnings?marker=${first.data.nextMarker}`)).toEqual(second)
    const shown = idsOf([...first.data.list, ...second.list])
    expect([new Set(shown).size, shown.includes('999999999999999')]).toEqual([20, false])
    const seconds = first.data.list.map(({ createdAt }: { createdAt: string }) =>
      Math.floor(Date.parse(createdAt) / 1000),
    )
    expect(first.data.nextMarker).toBe(seconds.at(-1))
    expect((await client.getData('earnings')).list[0].id).toBe('999999999999999')
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
    (await readAllPages(client, `earnings?${window}&${query}`)).map(
      ({ id }) => id as unknown as string,
    )
  const all: string[] = []
  for (const type of ['subscribes', 'tips', 'post', 'chat_messages', 'stream']) {
    const own = await ids(`type=${type}`)
    all.push(...own)
    const rows = own
      .map((id) => client.db.transactions.get(id)!)
      .filter(({ status }) => status !== 'undo')
    expect([type, (await client.getData(`earnings/chart?${window}&by=${type}`)).total]).toEqual([
      type,
      sum(rows, 'net'),
    ])
  }
  expect(all.length).toBe(new Set(all).size)
  const tips = await ids('type=tips')
  const sources = await Promise.all(
    ['profile', 'post_all', 'chat', 'stream', 'story'].map((source) =>
      ids(`type=tips&tips_source=${source}`),
    ),
  )
  expect(sources.flat().toSorted()).toEqual(tips.toSorted())
  // `tips_source` only has an effect together with the type tips.
  expect(await ids('tips_source=profile&type=post')).toEqual(await ids('type=post'))
  expect(await ids('tips_source=profile')).toEqual(await ids(''))
})
