import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

/** Creates a fan who paid on two accounts, including refunds and a payment without a time. */
async function openBuyer(): Promise<{ client: Client; fan: number; accounts: number[] }> {
  const client = await openClient('empty')
  const { make } = client.sandbox
  const fan = make.fan().id
  const accounts = [client.account(), make.account().id]
  for (const [place, accountId] of accounts.entries())
    make.transaction.many(20, (index) => ({
      accountId,
      fanId: fan,
      category: 'tip',
      amount: 5 + index,
      status: index % 4 === 3 ? 'undo' : 'done',
      at: `-${2 * index + place}h`,
    }))
  const [accountId] = accounts
  make.transaction({ accountId, fanId: fan, category: 'tip', transaction_created_at: null })
  return { client, fan, accounts }
}

/** Returns a fan's payments on several accounts, newest first. */
const rowsOf = ({ db }: Client, fan: number, accounts: number[]) =>
  db.transactions
    .where((row) => row.fanId === fan && accounts.includes(row.accountId))
    .toSorted((a, b) =>
      (a.transaction_created_at ?? '') < (b.transaction_created_at ?? '') ? 1 : -1,
    )

async function walkTransactions(client: Client, fan: number, body: object) {
  const rows: { id: string }[] = []
  for (let offset = 0; ;) {
    const answer = await client.post(`/v1/fans/${fan}/transactions`, { ...body, offset })
    rows.push(...answer.body.data.transactions)
    if (answer.body._pagination === undefined) return rows
    offset = Number(answer.body._pagination.next_page)
  }
}

describe('POST fans/{fan_id}/transactions', () => {
  it('pages each purchase on the named accounts once, newest first, by an offset (§4 Fans 6)', async () => {
    const { client, fan, accounts } = await openBuyer()
    const expected = rowsOf(client, fan, accounts)
    const account_ids = [...accounts, ...accounts]
    expect(idsOf(await walkTransactions(client, fan, { account_ids, limit: 7 }))).toEqual(
      idsOf(expected),
    )
    const first = (await client.post(`/v1/fans/${fan}/transactions`, { account_ids })).body
    expect(first._pagination).toEqual({ next_page: '25' })
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

  it('combines fields with AND and values with OR; a null category is unknown (§4 Fans 3)', async () => {
    const client = await openClient('empty')
    const fan = client.sandbox.make.fan().id
    for (const category of ['tip', 'recurring_subscription', 'unknown', null] as const)
      for (const status of ['done', 'undo', 'loading'] as const)
        client.sandbox.make.transaction({ fanId: fan, category, status, amount: 5 })
    for (const filter of [
      { categories: ['unknown'], statuses: [] },
      { categories: [], statuses: ['undo'] },
      { categories: ['tip', 'unknown'], statuses: ['done', 'undo'] },
    ]) {
      const body = { account_ids: [client.account()], limit: 2, ...filter }
      const { categories, statuses } = filter
      const expected = client.db.transactions.where(
        ({ category, status }) =>
          (categories.length === 0 || categories.includes(category ?? 'unknown')) &&
          (statuses.length === 0 || statuses.includes(status)),
      )
      const rows = await walkTransactions(client, fan, body)
      expect(idsOf(rows).toSorted()).toEqual(idsOf(expected).toSorted())
    }
  })

  it('filters by from and to, both inclusive, without rows without a time (§4 Fans 4)', async () => {
    const { client, fan, accounts } = await openBuyer()
    const all = rowsOf(client, fan, accounts)
    const times = all.map((row) => row.transaction_created_at).filter((time) => time !== null)
    const [to, from] = [times[1]!, times.at(-2)!]
    const within = all.filter(
      ({ transaction_created_at: time }) => time !== null && time >= from && time <= to,
    )
    expect(idsOf(await walkTransactions(client, fan, { account_ids: accounts, from, to }))).toEqual(
      idsOf(within),
    )
  })

  it('validates the filter before access to the accounts, so it returns 400 if both are invalid', async () => {
    const client = await openClient()
    const foreign = { account_ids: [client.account(), 1] }
    const transactions = '/v1/fans/1/transactions'
    for (const [path, bad] of [
      ...[transactions, `${transactions}/counts`].flatMap((path) => [
        [path, { from: '2026-02-01', to: '2026-01-01' }] as const,
        [path, { statuses: ['lost'] }] as const,
        [path, { account_ids: [] }] as const,
        [path, { to: '2026-01-01T00:00:00' }] as const,
      ]),
      ['/v1/fans', { sort: 'best' }],
      ['/v1/fans', { total_spend: { min: 2, max: 1 } }],
    ] as const)
      expect((await client.post(path, { ...foreign, ...bad })).status, path).toBe(400)
  })

  it("returns 404 if one account is not the caller's, and an empty list for an unknown fan", async () => {
    const { client, fan, accounts } = await openBuyer()
    const { make } = client.sandbox
    const foreign = make.account({ organisation: make.organisation().id }).id
    const disconnected = make.account({ organisation: 1, connected: false }).id
    for (const other of [foreign, disconnected, 1])
      for (const route of ['transactions', 'transactions/counts', 'stats']) {
        const body = { account_ids: [...accounts, other] }
        expect((await client.post(`/v1/fans/${fan}/${route}`, body)).status).toBe(404)
      }
    expect(await client.postData('/v1/fans/1/transactions', { account_ids: accounts })).toEqual({
      transactions: [],
    })
    const { status } = await client.post('/v1/fans/x/transactions', { account_ids: accounts })
    expect(status).toBe(400)
  })
})

describe('POST fans/{fan_id}/stats', () => {
  it('sums the transactions without refunds, highest total first', async () => {
    const { client, fan, accounts } = await openBuyer()
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
    const account_ids = [client.account()]
    expect((await client.postData('/v1/fans/1/stats', { account_ids })).stats).toMatchObject([
      {
        account_id: String(client.account()),
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

  it('accepts 1,000 ids of ten digits, but not 1,001, and only ids', async () => {
    const client = await openClient()
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => 9_000_000_000 + index).join(',')
    const statusOf = async (query: string) => (await client.get(`fans?ids=${query}`)).status
    expect([await statusOf(many(1000)), await statusOf(many(1001))]).toEqual([200, 400])
    for (const ids of ['', 'a', '1,,2', '1&ids=2', '0218000005', '1,9007199254740993'])
      expect(await statusOf(ids), ids).toBe(400)
  })
})
