import { expect, it } from 'vitest'
import { openControlClient } from '../support/control.ts'

const account = 100_200_300

interface Series {
  from: string
  width_ms: number
  points: Point[]
}
interface Point {
  at: string
  gross: number
  net: number
  subscribers: number
  requests: number
  refused: number
}

it('returns revenue, subscribers and requests over sandbox time', async () => {
  const { sandbox, read: readControl, get } = await openControlClient()
  const read = async (query = ''): Promise<Series> => readControl(`series${query}`)
  const before = await read()
  expect(before).toMatchObject({
    from: '2026-10-01T09:30:00.000Z',
    to: '2026-10-01T09:30:00.000Z',
    width_ms: 10_000,
    points: [{ gross: 0, requests: 0, refused: 0 }],
  })

  sandbox.clock.advance('1m')
  const tips = sandbox.act([
    { type: 'tip', account_id: account, amount: 20 },
    { type: 'tip', account_id: account, amount: 5 },
  ])
  const net = tips.reduce(
    (sum, { ids }) => sum + (sandbox.db.transactions.get(String(ids['transaction']))?.net ?? 0),
    0,
  )
  sandbox.act({ type: 'subscriber.new', account_id: account, price: 0 })
  await get(`/v1/${account}/posts`)
  await get('/v1/nowhere')
  const { points } = await read()
  expect(points).toHaveLength(7)
  expect(points.at(-1)).toEqual({
    at: '2026-10-01T09:31:00.000Z',
    gross: 25,
    net,
    subscribers: (before.points[0]?.subscribers ?? 0) + 1,
    requests: 2,
    refused: 1,
  })
  expect(points.slice(0, -1).every(({ gross, requests }) => gross === 0 && requests === 0)).toBe(
    true,
  )
  expect((await read(`?account=${account}`)).points).toEqual(points)
})

it.each(['1h', '24h', '7d', '30d', '365d', '1000d'])(
  'returns the same sums over %s in pieces of any size',
  async (span) => {
    const { sandbox, read } = await openControlClient({ scenario: 'agency' })
    const start = sandbox.clock.now()
    for (const buckets of [2, 7, 60, 500]) {
      const series = await read(`series?span=${span}&buckets=${buckets}`)
      const { points, from, width_ms: width }: Series = series
      expect(points.length).toBeLessThanOrEqual(buckets)
      expect(Date.parse(from) % width).toBe(0)
      const paid = sandbox.db.transactions.where(
        ({ status, transaction_created_at: at }) =>
          status !== 'undo' && at !== null && at >= from && Date.parse(at) <= start,
      )
      const cents = paid.reduce((sum, { amount }) => sum + Math.round((amount ?? 0) * 100), 0)
      expect(points.reduce((sum, { gross }) => sum + Math.round(gross * 100), 0)).toBe(cents)
      expect(points.at(-1)?.subscribers).toBe(
        sandbox.db.subscriptions.where(({ isExpired, isBlocked }) => !isExpired && !isBlocked)
          .length,
      )
    }
  },
)

it('counts requests that the journal has dropped, but not those undone by a seek back', async () => {
  const { sandbox, ask, read } = await openControlClient({
    options: { journalSize: 2, scenario: 'solo' },
  })
  const total = async () => {
    const { points }: Series = await read('series')
    return points.reduce((sum, { requests }) => sum + requests, 0)
  }
  for (let count = 0; count < 5; count += 1) await ask('GET', '/v1/nowhere')
  expect([await total(), sandbox.requests.length]).toEqual([5, 2])
  await sandbox.reset()
  expect(await total()).toBe(0)
})

it('filters the journal by status class and part of the path, and omits bodies on request', async () => {
  const { ask, read, get } = await openControlClient()
  await get(`/v1/${account}/posts`)
  await get('/v1/nowhere')
  const ids = async (query: string) =>
    (await read(`requests?${query}`)).map(({ id }: { id: number }) => id)
  expect(await ids('status_class=2')).toEqual([1])
  expect(await ids('status_class=4')).toEqual([2])
  expect(await ids('path=NOWHERE')).toEqual([2])
  expect(await ids('path=posts&status_class=4')).toEqual([])
  const [row] = await read('requests?brief=true&limit=1')
  expect(Object.keys(row)).toContain('bytes')
  expect(row).not.toHaveProperty('request')
  expect(await ids('method=get&asked_by=client')).toEqual([2, 1])
  expect(await ids('asked_by=console')).toEqual([])
  expect(await ids('contains=RAWTEXT')).toEqual([1])
  const { log } = await read('requests?format=har')
  expect(log.entries).toMatchObject([
    { request: { url: expect.stringMatching(/^http:.*\/posts$/) }, response: { status: 200 } },
    { request: { url: expect.stringMatching(/^http:.*\/nowhere$/) }, response: { status: 404 } },
  ])
  expect((await ask('GET', '/_sandbox/requests?status_class=9')).status).toBe(400)
})
