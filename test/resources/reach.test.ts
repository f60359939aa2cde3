import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { deltaRule } from '../../src/api/lists/windows.ts'
import { toCents } from '../../src/lib/money.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { getCachedVisits } from '../../src/resources/reach/visit-sums.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { seedShippedScenario } from '../support/seeded-world.ts'

const kinds = ['total', 'guests', 'users', 'subscribers'] as const
const reach = (client: Client, path: string) => client.getData(`reach/${path}`)
const sum = (points: { count: number }[]) =>
  points.reduce((total, { count }) => total + toCents(count), 0) / 100
const week = 'start_date=2026-09-21&end_date=2026-09-27'

it('documents delta in the same words on every route: 0 if both windows are empty', () => {
  const rules = routes.flatMap(({ rules: all = [] }) =>
    all.filter((rule) => /\bdelta\b/.test(rule)),
  )
  expect(rules.length).toBeGreaterThan(5)
  expect(new Set(rules)).toEqual(new Set([deltaRule]))
  expect(deltaRule).toContain('0 if both values are 0')
})

describe('profile visitors', () => {
  it('counts visitors, with some of the numbers as strings', async () => {
    const data = await reach(await openClient(), `profile-visitors?${week}`)
    const { totals } = data.topCountries
    expect(data).toMatchObject({ isAvailable: true, hasStats: true })
    expect([totals.guests, totals.users]).toEqual([expect.any(String), expect.any(String)])
    expect(totals.total).toBe(Number(totals.guests) + Number(totals.users) + totals.subscribers)
    expect(data.total).toEqual({ current: String(totals.total), delta: expect.any(Number) })
    expect(data.topDurationUsers.totals.total).toBeGreaterThan(totals.total)
  })

  it('returns parts that sum to the whole', async () => {
    const client = await openClient()
    const query = `${week}&by=users`
    const whole = await reach(client, `profile-visitors?${query}&limit=4`)
    const { isAvailable, hasStats, topCountries, chart, total } = whole
    const shared = { isAvailable, hasStats }
    const countries = await reach(client, `profile-visitors/countries?${query}&limit=4`)
    expect(countries).toEqual({ ...shared, topCountries })
    const charted = await reach(client, `profile-visitors/chart?${query}`)
    expect(charted).toEqual({ ...shared, chart, total })
    expect(sum(chart.visitors)).toBe(Number(total.current))
    expect(total.current).toBe(topCountries.totals.users)
  })

  it.each(kinds)('ranks countries by %s, with the others in one row at the end', async (by) => {
    const client = await openClient('agency')
    const path = `profile-visitors/countries?by=${by}&limit=5`
    const { topCountries: data } = await reach(client, path)
    const rows = data.rows as { rank: number; viewsCount: Record<string, number> }[]
    expect(data.hasMore).toBe(true)
    expect(rows.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6])
    expect(rows.at(-1)).toMatchObject({ countryName: 'Others', countryCode: '' })
    const shown = rows.slice(0, 5).map(({ viewsCount }) => viewsCount[by])
    expect(shown).toEqual(shown.toSorted((a, b) => b! - a!))
    for (const kind of kinds)
      expect(rows.reduce((total, { viewsCount }) => total + viewsCount[kind]!, 0)).toBe(
        Number(data.totals[kind]),
      )
  })

  it('omits Others if every country is shown', async () => {
    const client = await openClient('agency')
    const { topCountries: data } = await reach(client, 'profile-visitors/countries?limit=100')
    expect(data.hasMore).toBe(false)
    expect(data.rows).not.toContainEqual(expect.objectContaining({ countryCode: '' }))
  })

  it('compares with the previous window of the same length', async () => {
    const client = await openClient('agency')
    const now = await reach(client, `profile-visitors?${week}`)
    const before = await reach(client, 'profile-visitors?start_date=2026-09-14&end_date=2026-09-20')
    const [current, former] = [Number(now.total.current), Number(before.total.current)]
    expect(now.total.delta).toBeCloseTo(((current - former) / former) * 100, 1)
  })

  it('charts hours, days or months, with the same sum for any split', async () => {
    const client = await openClient('agency')
    const chart = async (from: string, to: string) =>
      (await reach(client, `profile-visitors/chart?start_date=${from}&end_date=${to}`)).chart
        .visitors as { date: string; count: number }[]
    const hours = await chart('2026-09-21', '2026-09-21')
    const days = await chart('2026-09-21', '2026-09-24')
    const months = await chart('2026-01-01', '2026-08-31')
    expect([hours.length, days.length]).toEqual([24, 4])
    expect(sum(hours)).toBe(days[0]!.count)
    expect(months.map(({ date }) => date.slice(0, 10))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((month) => `2026-0${month}-01`),
    )
    expect(sum(await chart('2026-08-01', '2026-08-31'))).toBe(months.at(-1)!.count)
    for (const [from, to] of [
      ['2026-09-21', '2026-09-21'],
      ['2026-09-29 13:17:00', '2026-09-30 22:00:01'],
      ['2026-01-01', '2026-08-31'],
    ]) {
      const data = await reach(client, `profile-visitors?start_date=${from}&end_date=${to}`)
      expect([from, sum(data.chart.duration)]).toEqual([from, data.topDurationUsers.totals.total])
    }
  })

  it('counts today up to the current time, and more as the clock advances', async () => {
    const client = await openClient('agency')
    const today = async () =>
      Number((await reach(client, 'profile-visitors?start_date=2026-10-01')).total.current)
    const morning = await today()
    client.sandbox.clock.advance('12h')

    expect(morning).toBeGreaterThan(0)
    expect(await today()).toBeGreaterThan(2 * morning)
    const tomorrow = 'start_date=2026-10-02&end_date=2026-10-02'
    expect(await reach(client, `profile-visitors?${tomorrow}`)).toMatchObject({
      hasStats: false,
      total: { current: '0', delta: -100 },
      chart: { visitors: [], duration: [] },
    })
  })

  it('has no visitors before the account joined or without subscribers', async () => {
    const client = await openClient('agency')
    const nothing = { hasStats: false, total: { current: '0', delta: 0 } }
    const early = 'start_date=2010-01-01&end_date=2020-01-01'
    expect(await reach(client, `profile-visitors?${early}`)).toMatchObject({
      ...nothing,
      topCountries: { rows: [], totals: { total: 0, guests: '0' } },
    })
    expect(await reach(await openClient('empty'), 'profile-visitors')).toMatchObject(nothing)
  })

  it('reduces a limit above 100, and accepts 0 for the default only on the overview', async () => {
    const client = await openClient('agency')
    const countries = async (path: string) => (await reach(client, path)).topCountries
    expect(await countries('profile-visitors?limit=101')).toEqual(
      await countries('profile-visitors?limit=100'),
    )
    expect(await countries('profile-visitors/countries?limit=9999')).toEqual(
      await countries('profile-visitors?limit=100'),
    )
    expect(await countries('profile-visitors?limit=0')).toEqual(await countries('profile-visitors'))
    expect((await client.get('reach/profile-visitors/countries?limit=0')).status).toBe(400)
  })
})

it('keeps the visits of past days while the clock runs', async () => {
  const world = await seedShippedScenario('agency')
  const account = world.db.accounts.all()[0]!
  const span = { start: Date.parse(account.joinDate), end: world.clock.now() }
  // The weekday of each computed day is read once.
  const weekdays = vi.spyOn(Date.prototype, 'getUTCDay')
  onTestFinished(() => void weekdays.mockRestore())
  const countDays = () => {
    weekdays.mockClear()
    getCachedVisits(world, account, span)
    return weekdays.mock.calls.length
  }
  expect(countDays()).toBeGreaterThan(100)
  world.clock.advance(1)
  // Only the days of the join and of the clock are counted again.
  expect(countDays()).toBeLessThan(5)
})
