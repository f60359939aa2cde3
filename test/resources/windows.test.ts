import { expect } from 'vitest'
import { describeMatrix } from '../support/matrix.ts'
import type { Client } from '../support/matrix.ts'

/** Whoever paid the account at that time, and nobody else in that year. */
function pay({ sandbox, account }: Client, id: string, transaction_created_at: string): number {
  const row = sandbox.db.transactions.find({ accountId: account(), category: 'tip', status: 'done' })!
  const known = sandbox.db.userMarks.get(`${row.accountId}:${row.fanId}`)
  if (known?.blockedAt != null) sandbox.db.userMarks.update(known.id, { blockedAt: null })
  sandbox.db.transactions.insert({ ...row, id, amount: 12, postId: null, messageId: null, transaction_created_at })
  return row.fanId
}

const windowed = [
  'subscribers/top',
  'subscribers/latest',
  'reach/profile-visitors',
  'reach/profile-visitors/countries',
  'reach/profile-visitors/chart',
  'reach/subscribers',
  'reach/subscribers/metrics',
  'earnings/overview',
  'earnings',
  'earnings/chart',
  'streaks',
  'streaks/top',
  'engagement/posts/likes',
  'engagement/stories/tips',
  'mass-messages',
  'mass-messages/chart',
  'direct-messages',
  'direct-messages/chart',
  'payouts/requests',
  'referrals/payouts',
]

describeMatrix('a window of which one end is sent', (start, it) => {
  it('is never reversed: no error names a date that nobody sent', async () => {
    const client = await start()
    for (const path of windowed) {
      for (const query of [
        'end_date=2021-03-01',
        'end_date=-900d',
        'end_date=0000-01-01',
        'start_date=2027-05-01',
        'start_date=9999-12-31',
        'start_date=2026-11-01 10:00:00',
      ]) {
        const { status, body } = await client.get(`/v1/${client.account()}/${path}?${query}`)
        expect([path, query, status, body.error]).toEqual([path, query, 200, undefined])
      }
      const { status, body } = await client.get(`/v1/${client.account()}/${path}?start_date=2026-02-02&end_date=2026-02-01`)
      expect([path, status, body.error]).toEqual([path, 400, 'start_date (2026-02-02) is later than end_date (2026-02-01).'])
    }
  })

  it('begins before an end that is earlier than the default start, and is empty where it begins in the future', async () => {
    const client = await start()
    const fan = pay(client, '999000000001', '2021-02-20T12:00:00.000Z')
    const top = async (query: string) =>
      (await client.get(`/v1/${client.account()}/subscribers/top?by=currency&${query}`)).body.data.list.map(({ id }: { id: number }) => id)
    expect(await top('end_date=2021-03-01')).toEqual([fan])
    expect(await top('end_date=2021-03-01&start_date=2021-02-25')).toEqual([])
    expect(await top('end_date=2021-03-23')).toEqual([])
    expect(await top('start_date=2027-01-01')).toEqual([])
    const total = async (query: string) => (await client.get(`/v1/${client.account()}/earnings/overview?${query}`)).body.data.earning.gross
    expect([await total('end_date=2023-02-01'), await total('end_date=2023-03-01'), await total('start_date=2027-01-01')]).toEqual([
      12, 0, 0,
    ])
  })

  it('begins two years ago, where the reference says so, when the end is later than that (§4)', async () => {
    const client = await start('agency')
    const path = `/v1/${client.account()}/engagement/posts/likes`
    const next = new URLSearchParams((await client.get(`${path}?end_date=2026-09-15`)).body._pagination.next_page.split('?')[1])
    expect([next.get('start_date'), next.get('end_date')]).toEqual(['2024-10-01', '2026-09-15'])
  })

  it('is the month of its end for streaks', async () => {
    const client = await start('agency')
    const path = `/v1/${client.account()}/streaks`
    const { data } = (await client.get(`${path}?end_date=2026-08-31`)).body
    expect(data).toEqual((await client.get(`${path}?start_date=2026-08-01&end_date=2026-08-31`)).body.data)
  })
})

describeMatrix('a window given to the second', (start, it) => {
  it('ends with the last instant of that second, in every way to write it', async () => {
    const client = await start()
    const fan = pay(client, '999000000002', '2021-02-20T12:00:34.924Z')
    const top = async (end: string) =>
      (await client.get(`/v1/${client.account()}/earnings?start_date=2021-02-01&end_date=${encodeURIComponent(end)}`)).body.data.list.map(
        ({ user }: { user: { id: number } }) => user.id,
      )
    for (const end of [
      '2021-02-20 12:00:34',
      '2021-02-20T12:00:34',
      '2021-02-20T12:00:34Z',
      '2021-02-20T13:00:34+01:00',
      '2021-02-20T12:00:34.924',
      '2021-02-20T12:00:34.924Z',
    ])
      expect([end, await top(end)]).toEqual([end, [fan]])
    for (const end of ['2021-02-20 12:00:33', '2021-02-20T12:00:34.923', '2021-02-20T12:00:34.000Z'])
      expect([end, await top(end)]).toEqual([end, []])
    const paid = async (window: object) =>
      (await client.post(`/v1/fans/${fan}/transactions/counts`, { account_ids: [client.account()], ...window })).body.data.all
    expect([
      await paid({ from: '2021-01-01', to: '2021-02-20 12:00:34' }),
      await paid({ from: '2021-02-20 12:00:34', to: '2021-02-20 12:00:34' }),
      await paid({ from: '2021-02-20 12:00:35', to: '2021-03-01' }),
    ]).toEqual([1, 1, 0])
  })

  it('takes an ISO time without a zone, with a fraction or without', async () => {
    const client = await start()
    for (const time of ['2026-09-10T10:00:00', '2026-09-10T10:00:00.000', '2026-09-10T10:00:00.5']) {
      expect([time, (await client.get(`/v1/${client.account()}/earnings/overview?start_date=${time}`)).status]).toEqual([time, 200])
    }
    for (const time of ['2026-09-10T10:00', '2026-09-10 10:00:00.000', '2026-09-10T10:00:00.', '2026-02-30T10:00:00.000']) {
      expect([time, (await client.get(`/v1/${client.account()}/earnings/overview?start_date=${time}`)).status]).toEqual([time, 400])
    }
  })
})
