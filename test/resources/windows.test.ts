import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

/** Adds a tip of 12 dollars. */
const pay = ({ sandbox, account }: Client, fanId: number, at: string) =>
  sandbox.make.transaction({ accountId: account(), fanId, category: 'tip', amount: 12, at })

/** Expects the status of a GET request. */
const expectStatus = async (client: Client, path: string, status: number) =>
  expect([path, (await client.get(path)).status]).toEqual([path, status])

const windowed = [
  'subscribers/top',
  'subscribers/latest',
  'reach/profile-visitors',
  'reach/profile-visitors/countries',
  'reach/profile-visitors/chart',
  'earnings/overview',
  'earnings',
  'earnings/chart',
  'streaks',
  'engagement/posts/likes',
  'engagement/stories/tips',
  'mass-messages',
  'mass-messages/chart',
  'direct-messages',
  'direct-messages/chart',
  'payouts/requests',
  'referrals/payouts',
]

describe('a window for which only one end is given', () => {
  it('is reversed if the default of the other end is beyond it; nothing is adjusted silently (§4)', async () => {
    const client = await openClient()
    for (const path of windowed) {
      const expectRefusal = async (query: string, error: RegExp) => {
        const { status, body } = await client.get(`${path}?${query}`)
        expect([path, query, status, body.error]).toEqual([
          path,
          query,
          400,
          expect.stringMatching(error),
        ])
      }
      for (const end of ['2021-03-01', '-900d', '0000-01-01'])
        await expectRefusal(
          `end_date=${end}`,
          /^start_date \(202\d-.*, the default\) is later than end_date \(.*\)\.$/,
        )
      for (const start of ['2027-05-01', '9999-12-31', '2026-11-01 10:00:00'])
        await expectRefusal(
          `start_date=${start}`,
          / is later than end_date \(2026-10-01.*, the default\)\.$/,
        )
      await expectRefusal(
        'start_date=2026-02-02&end_date=2026-02-01',
        /^start_date \(2026-02-02\) is later than end_date \(2026-02-01\)\.$/,
      )
    }
  })

  it('begins two years before today if the reference says so, regardless of its end (§4)', async () => {
    const client = await openClient('agency')
    const { body } = await client.get('engagement/posts/likes?end_date=2026-09-15')
    const next = new URLSearchParams(body._pagination.next_page.split('?')[1])
    expect([next.get('start_date'), next.get('end_date')]).toEqual(['2024-10-01', '2026-09-15'])
    await expectStatus(client, 'engagement/posts/likes?end_date=2024-10-01', 200)
    await expectStatus(client, 'engagement/posts/likes?end_date=2024-09-30', 400)
  })
})

it('accepts any window of the calendar', async () => {
  const client = await openClient()
  for (const path of windowed)
    for (const window of [
      'start_date=0001-01-01',
      'start_date=9999-01-01&end_date=9999-12-31',
      'start_date=-90000000d&end_date=2026-01-01',
    ])
      await expectStatus(client, `${path}?${window}`, 200)
})

describe('a window of an account of another caller', () => {
  it('is not validated, because 404 for the account comes first (step 7 of the request checks)', async () => {
    const client = await openClient()
    for (const path of windowed)
      for (const query of ['start_date=soon', 'start_date=2026-02-02&end_date=2026-02-01'])
        await expectStatus(client, `/v1/1/${path}?${query}`, 404)
  })
})

describe('a window to the second', () => {
  it('ends at that time in any notation, because only a date is extended', async () => {
    const client = await openClient()
    const fan = client.sandbox.make.fan().id
    pay(client, fan, '2021-02-20T12:00:34.924Z')
    const count = async (window: object) =>
      (
        await client.postData(`/v1/fans/${fan}/transactions/counts`, {
          account_ids: [client.account()],
          ...window,
        })
      ).all
    const chart = 'earnings/chart?start_date=2021-02-01&end_date='
    const earned = async (end: string) =>
      (await client.getData(chart + encodeURIComponent(end))).gross
    const figures = async (end: string) => [
      end,
      await count({ from: '2021-01-01', to: end }),
      await earned(end),
    ]
    for (const end of [
      '2021-02-20',
      '2021-02-20 12:00:35',
      '2021-02-20T12:00:35Z',
      '2021-02-20T12:00:34.924Z',
      '2021-02-20T13:00:34.924+01:00',
    ])
      expect(await figures(end)).toEqual([end, 1, 12])
    for (const end of [
      '2021-02-20 12:00:34',
      '2021-02-20T12:00:34Z',
      '2021-02-20T12:00:34.000Z',
      '2021-02-20T13:00:34+01:00',
    ])
      expect(await figures(end)).toEqual([end, 0, 0])
    expect(await count({ from: '2021-02-20 12:00:34', to: '2021-02-20 12:00:35' })).toBe(1)
  })

  it('is reversed if its start is later within that second (§4 Fans 2)', async () => {
    const client = await openClient()
    const window = { from: '2026-09-25T20:01:33.900Z', to: '2026-09-25T20:01:33Z' }
    for (const path of ['/v1/fans/1/transactions', '/v1/fans/1/transactions/counts'])
      expect((await client.post(path, { account_ids: [client.account()], ...window })).status).toBe(
        400,
      )
    for (const path of windowed.filter((name) => name !== 'subscribers/top'))
      await expectStatus(client, `${path}?start_date=${window.from}&end_date=${window.to}`, 400)
    const link = client.db.trackingLinks.find({ accountId: client.account(), endDate: null })!
    const query = `date_start=${window.from}&date_end=${window.to}`
    await expectStatus(client, `tracking-links/${link.id}/stats?${query}`, 400)
  })

  it('accepts a space or a zone; a T without a zone returns 400 on all routes except subscribers/top', async () => {
    const client = await openClient()
    const account = client.account()
    for (const time of [
      '2026-09-10T10:00:00',
      '2026-09-10T10:00:00.000',
      '2026-09-10T10:00',
      '2026-09-10 10:00:00.000',
      '2026-09-10T10:00:00.',
    ]) {
      for (const path of windowed.filter((name) => name !== 'subscribers/top'))
        for (const end of ['start_date', 'end_date'])
          await expectStatus(client, `${path}?${end}=${time}`, 400)
      for (const end of ['from', 'to'])
        expect(
          (await client.post('/v1/fans/1/transactions', { account_ids: [account], [end]: time }))
            .status,
        ).toBe(400)
    }
    for (const path of windowed)
      await expectStatus(client, `${path}?start_date=2026-10-01 00:00:00`, 200)
  })

  it('has no zone on subscribers/top, including in its next_page', async () => {
    const client = await openClient()
    for (const time of [
      '2026-09-10T10:00:00Z',
      '2026-09-10T10:00:00%2B00:00',
      '2026-09-10t10:00:00.5z',
    ]) {
      const { status, body } = await client.get(`subscribers/top?start_date=${time}`)
      expect([time, status, body.error]).toEqual([
        time,
        400,
        expect.stringContaining('without a zone'),
      ])
      await expectStatus(client, `subscribers/latest?start_date=${time}`, 200)
    }
    for (const time of ['2026-09-10', '2026-09-10 10:00:00', '2026-09-10T10:00:00', '-7d', 'now'])
      await expectStatus(client, `subscribers/top?start_date=${time}`, 200)
    client.sandbox.clock.advance('500ms')
    for (const { id } of client.sandbox.make.fan.many(20))
      pay(client, id, client.sandbox.clock.iso())
    const first = await client.get('subscribers/top')
    const next = new URLSearchParams(first.body._pagination.next_page.split('?')[1])
    expect([next.get('start_date'), next.get('end_date')]).toEqual([
      '2026-09-01 09:30:00',
      '2026-10-01 09:30:01',
    ])
    expect((await client.get(first.body._pagination.next_page)).status).toBe(200)
  })
})
