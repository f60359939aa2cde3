import { expect } from 'vitest'
import { toCents } from '../../src/engine/money.ts'
import { periodsOf } from '../../src/resources/subscribers/subscriptions.ts'
import { describeMatrix } from '../support/matrix.ts'
import type { Client } from '../support/matrix.ts'

const dayMs = 86_400_000
const kinds = ['total', 'guests', 'users', 'subscribers'] as const
const reach = (client: Client, path: string, account = client.account()) => client.get(`/v1/${account}/reach/${path}`)
const sum = (points: { count: number }[]) => points.reduce((total, { count }) => total + toCents(count), 0) / 100
const week = 'start_date=2026-09-21&end_date=2026-09-27'

describeMatrix('profile visitors', (start, it) => {
  it('tells who came, with some of the numbers as texts', async () => {
    const { data } = (await reach(await start(), `profile-visitors?${week}`)).body

    const { totals } = data.topCountries
    expect(data).toMatchObject({ isAvailable: true, hasStats: true })
    expect(totals).toEqual({
      total: expect.any(Number),
      guests: expect.stringMatching(/^\d+$/),
      users: expect.stringMatching(/^\d+$/),
      subscribers: expect.any(Number),
    })
    expect(totals.total).toBe(Number(totals.guests) + Number(totals.users) + totals.subscribers)
    expect(data.total).toEqual({ current: String(totals.total), delta: expect.any(Number) })
    expect(data.topDurationUsers.totals.total).toBeGreaterThan(totals.total)
  })

  it('shows the same in its parts as in the whole', async () => {
    const client = await start()
    const { data } = (await reach(client, `profile-visitors?${week}&by=users&limit=4`)).body

    expect((await reach(client, `profile-visitors/countries?${week}&by=users&limit=4`)).body.data).toEqual(data.topCountries)
    expect((await reach(client, `profile-visitors/chart?${week}&by=users`)).body.data).toEqual(data.chart)
    expect(sum(data.chart.visitors)).toBe(Number(data.total.current))
    expect(data.total.current).toBe(data.topCountries.totals.users)
  })

  it.each(kinds)('ranks countries by %s, the others in one row at the end', async (by) => {
    const client = await start('agency')
    const { data } = (await reach(client, `profile-visitors/countries?by=${by}&limit=5`)).body

    const rows = data.rows as { rank: number; countryName: string; countryCode: string; viewsCount: Record<string, number> }[]
    expect(data.hasMore).toBe(true)
    expect(rows.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6])
    expect(rows.at(-1)).toMatchObject({ countryName: 'Others', countryCode: '' })
    const shown = rows.slice(0, 5).map(({ viewsCount }) => viewsCount[by])
    expect(shown).toEqual(shown.toSorted((a, b) => b! - a!))
    for (const kind of kinds) expect(rows.reduce((total, { viewsCount }) => total + viewsCount[kind]!, 0)).toBe(Number(data.totals[kind]))
  })

  it('leaves Others out when every country is shown', async () => {
    const { data } = (await reach(await start('agency'), 'profile-visitors/countries?limit=100')).body
    expect(data.hasMore).toBe(false)
    expect(data.rows.map(({ countryCode }: { countryCode: string }) => countryCode)).not.toContain('')
  })

  it('compares with the window before, which is as long', async () => {
    const client = await start('agency')
    const { data: now } = (await reach(client, 'profile-visitors?start_date=2026-09-21&end_date=2026-09-27')).body
    const { data: before } = (await reach(client, 'profile-visitors?start_date=2026-09-14&end_date=2026-09-20')).body
    const [current, former] = [Number(now.total.current), Number(before.total.current)]
    expect(now.total.delta).toBeCloseTo(((current - former) / former) * 100, 1)
  })

  it('charts hours, days or months, and adds up to the same however it is cut', async () => {
    const client = await start('agency')
    const chart = async (query: string) =>
      (await reach(client, `profile-visitors/chart?${query}`)).body.data.visitors as { date: string; count: number }[]
    const hours = await chart('start_date=2026-09-21&end_date=2026-09-21')
    const days = await chart('start_date=2026-09-21&end_date=2026-09-24')
    const months = await chart('start_date=2026-01-01&end_date=2026-08-31')

    expect([hours.length, days.length, months.length]).toEqual([24, 4, 8])
    expect(sum(hours)).toBe(days[0]!.count)
    expect(months.map(({ date }) => date.slice(5, 10))).toEqual(['01-01', '02-01', '03-01', '04-01', '05-01', '06-01', '07-01', '08-01'])
    expect(sum(await chart('start_date=2026-08-01&end_date=2026-08-31'))).toBe(months.at(-1)!.count)
    for (const query of [
      'start_date=2026-09-21&end_date=2026-09-21',
      'start_date=2026-09-29 13:17:00&end_date=2026-09-30 22:00:01',
      'start_date=2026-01-01&end_date=2026-08-31',
    ]) {
      const { chart: cut, topDurationUsers } = (await reach(client, `profile-visitors?${query}`)).body.data
      expect([query, sum(cut.duration)]).toEqual([query, topDurationUsers.totals.total])
    }
  })

  it('counts today up to the clock, and more as it goes on', async () => {
    const client = await start('agency')
    const today = async () => Number((await reach(client, 'profile-visitors?start_date=2026-10-01')).body.data.total.current)
    const morning = await today()
    client.sandbox.clock.advance('12h')

    expect(morning).toBeGreaterThan(0)
    expect(await today()).toBeGreaterThan(2 * morning)
    expect((await reach(client, 'profile-visitors?start_date=2026-10-02&end_date=2026-10-02')).body.data).toMatchObject({
      hasStats: false,
      total: { current: '0', delta: -100 },
      chart: { visitors: [], duration: [] },
    })
  })

  it('knows nobody before the account joined, nor on one without subscribers', async () => {
    const client = await start('agency')
    const { data } = (await reach(client, 'profile-visitors?start_date=2010-01-01&end_date=2020-01-01')).body
    expect(data).toMatchObject({
      hasStats: false,
      topCountries: { rows: [], totals: { total: 0, guests: '0' } },
      total: { current: '0', delta: 0 },
    })
    const empty = await start('empty')
    expect((await reach(empty, 'profile-visitors')).body.data).toMatchObject({ hasStats: false, total: { current: '0', delta: 0 } })
  })

  it('answers the same on every call and on every sandbox of the seed', async () => {
    const [one, other] = [await start('agency'), await start('agency')]
    const first = (await reach(one, 'profile-visitors')).body.data
    expect((await reach(one, 'profile-visitors')).body.data).toEqual(first)
    expect((await reach(other, 'profile-visitors')).body.data).toEqual(first)
    const accounts = other.sandbox.db.accounts.where({ organisation: 1, connected: true })
    expect((await reach(other, 'profile-visitors', accounts[1]!.id)).body.data).not.toEqual(first)
  })

  it('refuses what it does not know', async () => {
    const client = await start()
    for (const query of [
      'by=fans',
      'limit=0',
      'limit=101',
      'limit=x',
      'start_date=yesterday',
      'start_date=2026-02-02&end_date=2026-02-01',
    ]) {
      const { status, body } = await reach(client, `profile-visitors?${query}`)
      expect([query, status, body]).toEqual([query, 400, { error: expect.any(String) }])
    }
    expect((await reach(client, 'subscribers?type=renewed')).body.error).toMatch(/total.*renew.*new/)
  })

  it('answers any window of the calendar', async () => {
    const client = await start()
    for (const path of ['profile-visitors', 'profile-visitors/chart', 'subscribers', 'subscribers/metrics']) {
      for (const window of [
        'start_date=0001-01-01',
        'start_date=9999-01-01&end_date=9999-12-31',
        'start_date=-90000000d&end_date=2026-01-01',
      ]) {
        expect([path, window, (await reach(client, `${path}?${window}`)).status]).toEqual([path, window, 200])
      }
    }
  })
})

describeMatrix('subscribers reached', (start, it) => {
  it('counts the subscriptions and renewals that there are', async () => {
    const client = await start('agency')
    const { db } = client.sandbox
    const account = client.account()
    const { data } = (await reach(client, 'subscribers/metrics?start_date=2026-07-01&end_date=2026-09-30')).body

    const isWithin = (time: string | null) => time !== null && time >= '2026-07-01' && time < '2026-10-01'
    const added = db.subscriptions.where((row) => row.accountId === account && isWithin(row.subscribedAt)).length
    const renewed = db.subscriptions
      .where({ accountId: account })
      .flatMap((row) => periodsOf(row).slice(0, -1))
      .filter(({ paidAt }) => isWithin(paidAt)).length
    expect(added).toBeGreaterThan(0)
    expect(renewed).toBeGreaterThan(0)
    expect(data).toEqual({ total_subscriptions: added + renewed, new_subscriptions: added, renewed_subscriptions: renewed })
  })

  it.each(['total', 'renew', 'new'])('charts %s with sums that fit', async (type) => {
    const client = await start('agency')
    for (const window of ['start_date=-30d', 'start_date=2025-01-01', '']) {
      const { data } = (await reach(client, `subscribers?type=${type}&${window}`)).body
      expect([window, sum(data.earnings), sum(data.subscribes)]).toEqual([window, data.total, data.subscribers])
    }
  })

  it('adds up renewals and new subscriptions to the total', async () => {
    const client = await start('agency')
    const read = async (type: string) => (await reach(client, `subscribers?type=${type}`)).body.data
    const [total, renew, added] = [await read('total'), await read('renew'), await read('new')]
    expect(total.subscribers).toBe(renew.subscribers + added.subscribers)
    expect(toCents(total.total)).toBe(toCents(renew.total) + toCents(added.total))
  })

  it('sees a renewal at once, and its money no longer once it is refunded', async () => {
    const client = await start()
    const { db } = client.sandbox
    const { fanId } = db.subscriptions.in('listed', client.account()).at(0)!
    const read = async () => (await reach(client, 'subscribers?type=renew&start_date=-1d')).body.data
    const before = await read()
    client.sandbox.act({ type: 'subscriber.renew', account_id: client.account(), fan_id: fanId, price: 9.99 })
    expect(await read()).toMatchObject({ subscribers: before.subscribers + 1, total: (toCents(before.total) + 999) / 100 })
    db.transactions.update(db.transactions.in('byFan', `${client.account()}:${fanId}`).at(0)!.id, { status: 'undo' })
    expect(await read()).toMatchObject({ subscribers: before.subscribers + 1, total: before.total })
    client.sandbox.act({ type: 'subscriber.renew', account_id: client.account(), fan_id: fanId, price: 0 })
    expect(await read()).toMatchObject({ subscribers: before.subscribers + 2, total: before.total })
  })

  it('compares the earnings with the window before', async () => {
    const client = await start('agency')
    const read = async (window: string) => (await reach(client, `subscribers?${window}`)).body.data
    const now = await read('start_date=2026-08-01&end_date=2026-08-30')
    const before = await read('start_date=2026-07-02&end_date=2026-07-31')
    expect(now.delta).toBeCloseTo(((now.total - before.total) / before.total) * 100, 1)
    expect(Date.parse(now.earnings[1].date) - Date.parse(now.earnings[0].date)).toBe(dayMs)
  })
})
