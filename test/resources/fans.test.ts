import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../src/resources/payments/transactions.table.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

/**
 * Considers only fans who bought from two accounts of the first organisation. Returns the fan with
 * the most purchases.
 */
function findBuyerOnTwoAccounts({ sandbox }: Client): { fan: number; accounts: number[] } {
  const organisation = sandbox.db.organisations.all()[0]!.id
  const own = idsOf(
    sandbox.db.accounts.where(
      (account) => account.organisation === organisation && account.connected,
    ),
  )
  const spend = sandbox.db.fanSpend
    .where((row) => own.includes(row.accountId))
    .toSorted((a, b) => b.count - a.count)
  const fan = spend.find((row) =>
    spend.some((other) => other.fanId === row.fanId && other.accountId !== row.accountId),
  )!.fanId
  return {
    fan,
    accounts: own.filter((id) => spend.some((row) => row.fanId === fan && row.accountId === id)),
  }
}

const rowsOf = ({ sandbox }: Client, fan: number, accounts: number[]) =>
  sandbox.db.transactions
    .where((row) => row.fanId === fan && accounts.includes(row.accountId))
    .toSorted(
      (a, b) =>
        compare(b.transaction_created_at ?? '', a.transaction_created_at ?? '') ||
        compare(a.id, b.id),
    )
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

async function walkTransactions(
  client: Client,
  fan: number,
  body: object,
): Promise<{ id: string }[]> {
  const rows: { id: string }[] = []
  for (let offset: string | undefined = '0'; offset !== undefined;) {
    const answer = await client.post(`/v1/fans/${fan}/transactions`, {
      ...body,
      offset: Number(offset),
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    rows.push(...answer.body.data.transactions)
    offset = answer.body._pagination?.next_page
    if (offset !== undefined) expect(offset).toMatch(/^\d+$/)
  }
  return rows
}

describe('POST fans/{fan_id}/transactions', () => {
  it('pages each purchase on the named accounts once, newest first, by an offset (§4 Fans 6)', async () => {
    const client = await openClient('agency')
    const { fan, accounts } = findBuyerOnTwoAccounts(client)
    const expected = rowsOf(client, fan, accounts)
    expect(idsOf(await walkTransactions(client, fan, { account_ids: accounts, limit: 7 }))).toEqual(
      idsOf(expected),
    )
    const first = (
      await client.post(`/v1/fans/${fan}/transactions`, { account_ids: accounts, limit: 3 })
    ).body
    expect(first._pagination).toEqual({ next_page: '3' })
    const {
      accountId,
      fanId: _fan,
      postId: _post,
      messageId: _message,
      storyId: _story,
      isOnStream: _stream,
      reversal: _reversal,
      ...wire
    } = expected[0]!
    expect(first.data.transactions[0]).toEqual({
      ...wire,
      account_id: String(accountId),
      account_name: client.db.accounts.get(accountId)!.username,
    })
  })

  it('returns 25 rows by default, and counts a duplicate account once', async () => {
    const client = await openClient('agency')
    const { fan, accounts } = findBuyerOnTwoAccounts(client)
    const { body } = await client.post(`/v1/fans/${fan}/transactions`, {
      account_ids: [...accounts, ...accounts],
    })
    expect(idsOf(body.data.transactions)).toEqual(idsOf(rowsOf(client, fan, accounts).slice(0, 25)))
  })

  it('combines fields with AND and values with OR; a null category is unknown (§4 Fans 3)', async () => {
    const client = await openClient('agency')
    const organisation = client.db.organisations.all()[0]!.id
    const legacy = client.db.transactions.find(
      (row) =>
        row.category === null &&
        client.db.accounts.get(row.accountId)?.organisation === organisation,
    )!
    const { fanId: fan } = legacy
    const accounts = [legacy.accountId]
    const cases: [object, (row: Transaction) => boolean][] = [
      [{ categories: ['unknown'] }, (row) => row.category === null || row.category === 'unknown'],
      [
        { categories: ['tip', 'message'] },
        (row) => row.category === 'tip' || row.category === 'message',
      ],
      [{ statuses: ['undo'] }, (row) => row.status === 'undo'],
      [
        { categories: ['tip', 'unlock'], statuses: ['done', 'undo'] },
        (row) =>
          ['tip', 'unlock'].includes(row.category ?? '') && ['done', 'undo'].includes(row.status),
      ],
      [{ categories: [], statuses: [] }, () => true],
    ]
    for (const [filter, matches] of cases) {
      const rows = await walkTransactions(client, fan, {
        account_ids: accounts,
        limit: 5,
        ...filter,
      })
      expect([filter, idsOf(rows)]).toEqual([
        filter,
        idsOf(rowsOf(client, fan, accounts).filter(matches)),
      ])
    }
  })

  it('filters by from and to, both inclusive, without rows without a time (§4 Fans 4)', async () => {
    const client = await openClient('agency')
    const { fan, accounts } = findBuyerOnTwoAccounts(client)
    const all = rowsOf(client, fan, accounts)
    const times = all.map((row) => row.transaction_created_at).filter((time) => time !== null)
    const [to, from] = [times[1]!, times.at(-2)!]
    const within = all.filter(
      (row) =>
        row.transaction_created_at !== null &&
        row.transaction_created_at >= from &&
        row.transaction_created_at <= to,
    )
    expect(idsOf(await walkTransactions(client, fan, { account_ids: accounts, from, to }))).toEqual(
      idsOf(within),
    )
    const since = new Date(client.sandbox.clock.now() - 30 * 86_400_000).toISOString()
    const recent = all.filter((row) => (row.transaction_created_at ?? '') >= since)
    expect(
      idsOf(
        await walkTransactions(client, fan, { account_ids: accounts, from: '-30d', to: 'now' }),
      ),
    ).toEqual(idsOf(recent))
    const day = to.slice(0, 10)
    const onDay = all.filter((row) => row.transaction_created_at?.startsWith(day))
    expect(
      idsOf(await walkTransactions(client, fan, { account_ids: accounts, from: day, to: day })),
    ).toEqual(idsOf(onDay))
  })

  it.each([
    { from: '2026-02-01', to: '2026-01-01' },
    { from: 'now', to: '-1d' },
    { from: 'soon' },
    { to: 1_700_000_000 },
    { account_ids: [] },
  ])('rejects %j', async (body) => {
    const client = await openClient()
    expect(
      (await client.post('/v1/fans/1/transactions', { account_ids: [client.account()], ...body }))
        .status,
    ).toBe(400)
  })

  it('validates the filter before access to the accounts, so it returns 400 if both are invalid', async () => {
    const client = await openClient()
    const foreign = { account_ids: [client.account(), 1] }
    for (const path of ['/v1/fans/1/transactions', '/v1/fans/1/transactions/counts']) {
      for (const bad of [
        { from: '2026-02-01', to: '2026-01-01' },
        { statuses: ['lost'] },
        { limit: 0 },
        { to: '2026-01-01T00:00:00' },
      ])
        expect([path, bad, (await client.post(path, { ...foreign, ...bad })).status]).toEqual([
          path,
          bad,
          400,
        ])
      expect((await client.post(path, { ...foreign, from: '2026-01-01' })).status).toBe(404)
    }
    expect((await client.post('/v1/fans', { ...foreign, sort: 'best' })).status).toBe(400)
    expect(
      (await client.post('/v1/fans', { ...foreign, total_spend: { min: 2, max: 1 } })).status,
    ).toBe(400)
  })

  it("returns 404 if one account is not the caller's, and an empty list for an unknown fan", async () => {
    const client = await openClient('agency')
    const { fan, accounts } = findBuyerOnTwoAccounts(client)
    const foreign = client.db.accounts.find(
      (account) => account.organisation !== client.db.organisations.all()[0]!.id,
    )!.id
    const disconnected = client.db.accounts.find({ connected: false })!.id
    for (const other of [foreign, disconnected, 1]) {
      for (const route of ['transactions', 'stats'])
        expect(
          (await client.post(`/v1/fans/${fan}/${route}`, { account_ids: [...accounts, other] }))
            .status,
        ).toBe(404)
    }
    expect(await client.postData('/v1/fans/1/transactions', { account_ids: accounts })).toEqual({
      transactions: [],
    })
    expect((await client.post('/v1/fans/x/transactions', { account_ids: accounts })).status).toBe(
      400,
    )
  })
})

describe('POST fans/{fan_id}/stats', () => {
  it('sums the transactions without refunds, highest total first', async () => {
    const client = await openClient('agency')
    const { fan, accounts } = findBuyerOnTwoAccounts(client)
    const { stats } = await client.postData(`/v1/fans/${fan}/stats`, { account_ids: accounts })
    expect(stats).toHaveLength(accounts.length)
    const spends = stats.map((row: { total_spend: number }) => row.total_spend)
    expect(spends).toEqual(spends.toSorted((a: number, b: number) => b - a))
    for (const row of stats) {
      const paid = rowsOf(client, fan, [Number(row.account_id)]).filter(
        ({ status }) => status !== 'undo',
      )
      const cents = paid.reduce((sum, { amount }) => sum + Math.round((amount ?? 0) * 100), 0)
      const times = paid.flatMap(({ transaction_created_at: time }) => time ?? [])
      expect(row).toEqual({
        account_id: row.account_id,
        account_name: client.db.accounts.get(Number(row.account_id))!.username,
        total_spend: cents / 100,
        purchase_count: paid.length,
        largest_purchase: Math.max(...paid.map(({ amount }) => amount ?? 0)),
        average_purchase: Math.round(cents / paid.length) / 100,
        first_purchase_at: times.at(-1),
        last_purchase_at: times[0],
      })
    }
  })

  it('includes accounts without purchases, with zeros and null dates, also for an unknown fan', async () => {
    const client = await openClient()
    const account = client.account()
    const { stats } = await client.postData('/v1/fans/1/stats', { account_ids: [account] })
    expect(stats).toEqual([
      {
        account_id: String(account),
        account_name: client.db.accounts.get(account)!.username,
        total_spend: 0,
        purchase_count: 0,
        largest_purchase: 0,
        average_purchase: 0,
        first_purchase_at: null,
        last_purchase_at: null,
      },
    ])
  })
})

describe('GET fans', () => {
  it('accepts 1,000 ids of ten digits, but not 1,001', async () => {
    const client = await openClient()
    const ids = Array.from({ length: 1_001 }, (_, index) => 9_000_000_000 + index)
    const statusOf = async (count: number) =>
      (await client.get(`fans?ids=${ids.slice(0, count).join(',')}`)).status
    expect([await statusOf(1_000), await statusOf(1_001)]).toEqual([200, 400])
  })

  it('maps each known id to its fan, with the spending from the fan statistics', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const ids = client.db.subscriptions
      .where({ accountId: account })
      .slice(0, 5)
      .map(({ fanId }) => fanId)
    const data = await client.getData(`fans?ids=${ids.join(',')},1`)
    expect(Object.keys(data).map(Number).toSorted()).toEqual(ids.toSorted())
    for (const id of ids) {
      const { stats } = await client.postData(`/v1/fans/${id}/stats`, { account_ids: [account] })
      expect(data[id]).toMatchObject({ id, subscribedOnData: { totalSumm: stats[0].total_spend } })
      expect(data[id].subscribedOnData.duration).toMatch(/^\d+ months?$/)
    }
  })

  it.each([
    '',
    '?ids=',
    '?ids=a',
    '?ids=1,,2',
    '?ids=1,x',
    '?ids=1&ids=2',
    '?ids=0218000005',
    '?ids=1,9007199254740993',
    `?ids=${'1,'.repeat(1000)}1`,
  ])('rejects %s', async (query) => {
    const client = await openClient()
    expect((await client.get(`fans${query}`)).status).toBe(400)
  })
})
