import { describe, expect, it, vi } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

const [lena, tomas, dario] = [420_110_225, 420_110_933, 218_900_001]

/** Seeks to a place of the story, and returns the response statuses of requests there, in order. */
function listStatusesAt(client: Client, place: string, ...paths: string[]): Promise<number[]> {
  client.sandbox.seek(place)
  return listStatuses(client, ...paths)
}

/** Returns the response statuses of requests, in order. */
async function listStatuses(client: Client, ...paths: string[]): Promise<number[]> {
  const statuses: number[] = []
  for (const path of paths) statuses.push((await client.get(path)).status)
  return statuses
}

const spentBy = async ({ postData }: Client, fan: number): Promise<number> =>
  (await postData(`/v1/fans/${fan}/stats`, { account_ids: [lena] })).stats[0].total_spend
const netOf = async ({ getData }: Client): Promise<number> =>
  (await getData(`/v1/${lena}/payouts/earning-statistics`)).list.total.all.total_net
const mediaLink = async ({ getData }: Client, account: number): Promise<string> =>
  (await getData(`/v1/${account}/vault/media?limit=1`)).list[0].files.thumb.url

describe('a bad day', () => {
  it('returns 200 for all requests at the start and at the end', async () => {
    const client = await openClient('bad-day')
    const paths = [lena, tomas].flatMap((id) => [
      `/v1/${id}/posts`,
      `/v1/${id}/chats`,
      `/v1/${id}/vault/media`,
      `/v1/${id}/fm/tracking-links`,
      `/v1/${id}/notifications`,
      `/v1/${id}/payouts/balances`,
    ])
    for (const chapter of ['All is well', 'Healthy again']) {
      const statuses = await listStatusesAt(client, chapter, ...paths)
      expect([chapter, statuses]).toEqual([chapter, paths.map(() => 200)])
      expect((await client.get('/v1/accounts')).body.data.list).toHaveLength(2)
      expect((await client.get(await mediaLink(client, tomas))).status).toBe(200)
    }
    expect(client.sandbox.faults.list()).toEqual([])
    expect(client.sandbox.db.organisations.get(1)).toMatchObject({
      limits: { minute: 1000, day: 50_000 },
      isSubscriptionActive: true,
    })
    expect(client.sandbox.db.organisations.get(1)?.credits).toBeGreaterThan(4000)
  })

  it('counts a payment during its reversal, but not afterwards', async () => {
    const client = await openClient('bad-day')
    client.sandbox.seek('1m')
    const pending = { account_ids: [lena], statuses: ['pending_return'] }
    const { transactions } = await client.postData(`/v1/fans/${dario}/transactions`, pending)
    expect(transactions.map(({ amount }: { amount: number }) => amount).toSorted()).toEqual([
      100, 200, 50,
    ])
    expect(await spentBy(client, dario)).toBeCloseTo(359.99, 6)
    const net = await netOf(client)

    client.sandbox.seek('1m 25s')
    const since = client.sandbox.db.transactions.where(
      ({ accountId, transaction_created_at: at }) =>
        accountId === lena && (at ?? '') > '2026-11-05T09:01:00Z',
    )
    expect(await spentBy(client, dario)).toBeCloseTo(9.99, 6)
    expect(await netOf(client)).toBeCloseTo(
      net - 280 + since.reduce((sum, row) => sum + row.net, 0),
      6,
    )
  })

  it('returns 424 on relay routes of the account with a lapsed session, until it is restored', async () => {
    const client = await openClient('bad-day')
    const relayed = [`/v1/${lena}/posts`, `/v1/${lena}/chats`]
    const link = client.sandbox.db.trackingLinks.find({ accountId: lena })?.id
    const others = [
      `/v1/${lena}/fm/tracking-links`,
      `/v1/${lena}/tracking-links/${link}/stats`,
      `/v1/${tomas}/posts`,
      `/v1/${tomas}/chats`,
      '/v1/accounts',
    ]
    expect(await listStatusesAt(client, 'The session lapses', ...relayed)).toEqual([424, 424])
    expect(await listStatuses(client, ...others)).toEqual(others.map(() => 200))
    expect((await client.post('/v1/fans', { account_ids: [lena] })).status).toBe(200)
    expect(await listStatusesAt(client, '2m 10s', ...relayed)).toEqual([200, 200])
  })

  it('returns 502 and 503 during the outage of the platform, on the feeds and chats of both accounts', async () => {
    const client = await openClient('bad-day')
    const failing = [`/v1/${lena}/posts`, `/v1/${tomas}/posts`, `/v1/${lena}/chats`]
    client.sandbox.seek('Upstream trouble')
    const { setTimeout: set } = globalThis
    const delays: unknown[] = []
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((job: () => void, ms?: number) => {
      delays.push(ms)
      return set(job, 0)
    }) as typeof setTimeout)
    expect(await listStatuses(client, ...failing)).toEqual([502, 502, 503])
    expect(delays).toContain(500)
    const others = [`/v1/${lena}/vault/media`, `/v1/${lena}/posts/labels`]
    expect(await listStatuses(client, ...others)).toEqual([200, 200])
    expect(await listStatusesAt(client, '3m 5s', ...failing)).toEqual([200, 200, 200])
  })

  it('returns 429 from the sixth request of a minute on, until the minute is over', async () => {
    const client = await openClient('bad-day')
    const seven = Array.from({ length: 7 }, () => '/v1/accounts')
    expect(await listStatusesAt(client, 'Throttled', ...seven)).toEqual([
      200, 200, 200, 200, 200, 429, 429,
    ])
    client.sandbox.seek('4m')
    expect((await client.get('/v1/accounts')).body._meta._rate_limits).toMatchObject({
      limit_minute: 5,
      remaining_minute: 4,
    })
    expect((await client.get('/v1/accounts', { key: 'chatter' })).status).toBe(403)
    expect(await listStatuses(client, ...seven.slice(0, 4))).toEqual([200, 200, 200, 429])
    expect(await listStatusesAt(client, '4m 30s', '/v1/accounts')).toEqual([200])
  })

  it('returns 402 when the credits are used up, even after a wait, until credits are added', async () => {
    const client = await openClient('bad-day')
    const paths = ['/v1/accounts', `/v1/${lena}/posts`, `/v1/${tomas}/chats`, '/v1/accounts']
    expect(await listStatusesAt(client, 'Out of credits', ...paths)).toEqual([200, 200, 200, 402])
    expect(await listStatusesAt(client, '+20s', '/v1/accounts', '/v1/nowhere')).toEqual([402, 402])
    expect(await listStatusesAt(client, '5m 25s', '/v1/accounts')).toEqual([200])
  })

  it('returns 403 for links created before the leap, and returns new ones that open', async () => {
    const client = await openClient('bad-day')
    client.sandbox.seek('5m 40s')
    const old = await mediaLink(client, lena)
    expect((await client.get(old)).status).toBe(200)
    expect(await listStatusesAt(client, 'Links expire', old)).toEqual([403])
    const fresh = await mediaLink(client, lena)
    expect(fresh).not.toBe(old)
    expect((await client.get(fresh)).status).toBe(200)
  })

  it('returns 502 for files that the platform refuses, and 200 for the lists that contain them', async () => {
    const client = await openClient('bad-day')
    client.sandbox.seek('Files are refused')
    const [refused, other] = [await mediaLink(client, lena), await mediaLink(client, tomas)]
    expect(await listStatuses(client, refused, refused, other)).toEqual([502, 502, 200])
    expect(await listStatusesAt(client, '6m 55s', refused)).toEqual([200])
  })

  it('returns 404 for the disconnected account and its links, until it is back', async () => {
    const client = await openClient('bad-day')
    client.sandbox.seek('7m')
    const link = await mediaLink(client, tomas)
    const gone = [`/v1/${tomas}/posts`, link]
    expect(await listStatusesAt(client, 'An account leaves', ...gone, `/v1/${lena}/posts`)).toEqual(
      [404, 404, 200],
    )
    expect((await client.getData('/v1/accounts')).list).toMatchObject([{ id: String(lena) }])
    expect(await listStatusesAt(client, '7m 50s', ...gone)).toEqual([200, 200])
  })

  it('describes in its captions what these tests check', async () => {
    const { sandbox } = await openClient('bad-day')
    const captions = sandbox.control.replay().chapters.map(({ name }) => sandbox.seek(name).caption)
    for (const status of ['424', '502', '503', '429', '402', '403', '404'])
      expect(captions.filter((caption) => caption?.includes(status))).not.toEqual([])
  })
})
