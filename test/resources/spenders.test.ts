import { describe, expect, it } from 'vitest'
import type { FanSpend } from '../../src/resources/payments/transactions.table.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

const accountsOf = ({ sandbox }: Client) =>
  idsOf(sandbox.db.accounts.where({ organisation: 1, connected: true }))
interface Spender {
  account_id: string
  fan_id: string
  days_active: number
  average_weekly_spend: number
  total_spend: number
}

async function walkFans(client: Client, body: object): Promise<Spender[]> {
  const rows: Spender[] = []
  for (let next: string | undefined = '/v1/fans'; next !== undefined;) {
    const answer = await client.post(next, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    rows.push(...answer.body.data.fans)
    next = answer.body._pagination?.next_page
  }
  return rows
}

const keyOf = (row: Spender) => `${row.account_id}:${row.fan_id}`

describe('POST fans', () => {
  it.each([
    ['total_spend', 'total'],
    ['purchase_count', 'count'],
    ['average_purchase', 'average'],
    ['average_weekly_spend', 'averageWeekly'],
    ['days_active', 'daysActive'],
    ['last_purchase_at', 'last'],
  ] as const)('sorts by %s both ways and walks every spender once', async (sort, field) => {
    const client = await openClient('agency')
    const account_ids = accountsOf(client).slice(1, 3)
    const valueOf = (row: FanSpend) => row[field] ?? ''
    const expected = idsOf(
      client.db.fanSpend
        .where((row) => account_ids.includes(row.accountId))
        .toSorted((a, b) => {
          if (valueOf(a) === valueOf(b)) return a.fanId - b.fanId || a.accountId - b.accountId
          return valueOf(a) < valueOf(b) ? 1 : -1
        }),
    )
    const walk = async (order: string, limit: number) =>
      (await walkFans(client, { account_ids, sort: `${sort}_${order}`, limit })).map(keyOf)
    expect(await walk('desc', 90)).toEqual(expected)
    expect(await walk('asc', 100)).toEqual(expected.toReversed())
  })

  it('combines ranges and the window of the last purchase with AND', async () => {
    const client = await openClient('agency')
    const account_ids = accountsOf(client).slice(0, 2)
    const since = new Date(client.sandbox.clock.now() - 60 * 86_400_000).toISOString()
    const cases: [object, (row: FanSpend) => boolean][] = [
      [{ total_spend: { min: 50 } }, (row) => row.total >= 50],
      [
        { total_spend: { min: 20, max: 100 }, purchase_count: { min: 3 } },
        (row) => row.total >= 20 && row.total <= 100 && row.count >= 3,
      ],
      [
        { average_purchase: { max: 12 }, last_purchase_within_days: 60 },
        (row) => row.average <= 12 && (row.last ?? '') >= since,
      ],
      [
        { average_weekly_spend: { min: 1 }, sort: 'days_active_asc' },
        (row) => row.averageWeekly >= 1,
      ],
      [{ purchase_count: { min: 100_000 } }, () => false],
      [{ total_spend: {} }, () => true],
    ]
    for (const [filter, matches] of cases) {
      const rows = await walkFans(client, { account_ids, limit: 40, ...filter })
      const expected = client.db.fanSpend.where(
        (row) => account_ids.includes(row.accountId) && matches(row),
      )
      expect([filter, rows.map(keyOf).toSorted()]).toEqual([filter, idsOf(expected).toSorted()])
    }
  })

  it('returns ten rows per page and a URL for the next page, which accepts the same body', async () => {
    const client = await openClient('agency')
    const body = { account_ids: accountsOf(client), offset: 3 }
    const read = async (path: string, sent: object) => {
      const { data, _pagination } = (await client.post(path, sent)).body
      return [data.fans, _pagination.next_page]
    }
    const [rows] = await read('/v1/fans', { ...body, limit: 20 })
    expect(await read('/v1/fans', body)).toEqual([rows.slice(0, 10), '/v1/fans?offset=13'])
    expect(await read('/v1/fans?offset=13', body)).toEqual([
      rows.slice(10, 20),
      '/v1/fans?offset=23',
    ])
    const others = { ...body, limit: 9, offset: 0 }
    expect(await read('/v1/fans?limit=4&offset=3', others)).toEqual([
      rows.slice(0, 4),
      '/v1/fans?limit=4&offset=7',
    ])
  })

  it('has a weekly average of 0 for fans who were active for a week or less (§4 known behaviour 7)', async () => {
    const client = await openClient('agency')
    for (const row of await walkFans(client, { account_ids: accountsOf(client), limit: 100 }))
      expect(row.average_weekly_spend).toBeCloseTo(
        row.days_active <= 7 ? 0 : (row.total_spend * 7) / row.days_active,
        1,
      )
  })

  it("returns 404 for an account that is not the caller's", async () => {
    const client = await openClient()
    for (const path of ['/v1/fans', '/v1/fans/1/transactions/counts'])
      expect((await client.post(path, { account_ids: [1] })).status).toBe(404)
  })
})

describe('POST fans/{fan_id}/transactions/counts', () => {
  it('counts the rows of the list of purchases, with breakdowns that sum to all', async () => {
    const client = await openClient('agency')
    const account_ids = accountsOf(client)
    const since = new Date(client.sandbox.clock.now() - 199 * 86_400_000).toISOString()
    const [fan] = client.db.transactions.where(
      (row) =>
        account_ids.includes(row.accountId) &&
        row.category === 'tip' &&
        row.status === 'done' &&
        (row.transaction_created_at ?? '') > since,
    )
    const path = `/v1/fans/${fan!.fanId}/transactions`
    const some = [{ categories: ['tip', 'unknown'] }, { statuses: ['done'], from: '-200d' }]
    for (const filter of [{}, ...some]) {
      const body = { account_ids, ...filter }
      const data = await client.postData(`${path}/counts`, body)
      const { transactions } = await client.postData(path, { ...body, limit: 100 })
      const sum = (counts: Record<string, number>) =>
        Object.values(counts).reduce((total, count) => total + count, 0)
      expect([sum(data.categories), sum(data.statuses)]).toEqual([data.all, data.all])
      if (data.all <= 100) expect(data.all).toBe(transactions.length)
      expect(data.all).toBeGreaterThan(0)
    }
    expect((await client.postData('/v1/fans/1/transactions/counts', { account_ids })).all).toBe(0)
  })
})
