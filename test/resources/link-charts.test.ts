import { describe, expect, it } from 'vitest'
import {
  findBusiestLink,
  listClaims,
  computeLinkHistory,
  kinds,
  computeLinkTotals,
} from '../support/links.ts'
import { later } from '../support/mass-messages.ts'
import { openClient } from '../support/client.ts'

const dayMs = 86_400_000
const sumCounts = (points: readonly { count: number }[]) =>
  points.reduce((sum, { count }) => sum + count, 0)
const change = (now: number, before: number) =>
  before === 0 ? (now > 0 ? 100 : 0) : Math.round(((now - before) / before) * 10_000) / 100

describe('the chart of a link', () => {
  it.each(kinds)(
    'counts the claims of %s links by day, and the change since the previous window',
    async (kind) => {
      const client = await openClient('agency')
      const link = findBusiestLink(client, kind, client.account())
      const history = computeLinkHistory(client.sandbox, kind, link.id)
      const read = (query = '') => client.getData(`${kind}-links/${link.id}/chart${query}`)
      const dates = history.claims.map(({ subscribedAt }) => subscribedAt.slice(0, 10))
      const days = [...new Set(dates)].map((date) => `${date}T00:00:00+00:00`).toSorted()
      const whole = await read()
      expect(whole.chart.map(({ date }: { date: string }) => date)).toEqual(days)
      expect([sumCounts(whole.chart), whole.total]).toEqual([dates.length, dates.length])
      expect(whole.gross).toBe(computeLinkTotals(history).revenue)
      const middle = Date.parse(days[Math.floor(days.length / 2)]!)
      const at = (distance: number) => new Date(middle + distance).toISOString()
      const [from, to] = [at(-40 * dayMs), at(40 * dayMs - 1)]
      const { subs, revenue } = computeLinkTotals(history, from, to)
      const earlier = computeLinkTotals(history, at(-120 * dayMs), at(-40 * dayMs - 1))
      const window = await read(`?start_date=${from.slice(0, 10)}&end_date=${to.slice(0, 10)}`)
      expect([sumCounts(window.chart), window.total, window.gross]).toEqual([subs, subs, revenue])
      expect(window.delta).toBe(change(subs, earlier.subs))
      expect(await read('?start_date=2010-01-01&end_date=2010-02-01')).toEqual({
        chart: [],
        total: 0,
        delta: 0,
        gross: 0,
      })
    },
  )
})

describe('the overview of links', () => {
  it.each([
    ['tracking', 'tracking'],
    ['trial', 'trials'],
  ] as const)(
    'counts the created %s links and the fans who joined, including those of ended links',
    async (kind, key) => {
      const client = await openClient('agency')
      const { trackingLinks, trialLinks } = client.db
      const own = { accountId: client.account() }
      const all = kind === 'tracking' ? trackingLinks.where(own) : trialLinks.where(own)
      const claims = all.flatMap(({ id }) => listClaims(client.sandbox, kind, id))
      const read = async (query = '') => {
        const { body } = await client.get(`${kind}-links/overview${query}`)
        expect(Object.keys(body.data)).toEqual([key])
        return body.data[key]
      }
      const from = later(client, -720 * dayMs).slice(0, 10)
      const overview = await read(`?start_date=${from}`)
      expect(overview).toMatchObject({
        hasStatistic: true,
        claims: { total: claims.length, delta: 100 },
        offers: { total: all.filter(({ createdAt }) => createdAt >= from).length },
      })
      expect(sumCounts(overview.chartData)).toBe(claims.length)
      expect(overview.chartData.map(({ date }: { date: string }) => date)).toEqual(
        [...new Set(claims.map(({ subscribedAt }) => `${subscribedAt.slice(0, 7)}-01`))].toSorted(),
      )
      const daysAgo = (days: number) => later(client, -days * dayMs).slice(0, 10)
      const [start90, end90] = [daysAgo(95), daysAgo(6)]
      const within = claims
        .map(({ subscribedAt }) => subscribedAt.slice(0, 10))
        .filter((date) => date >= start90 && date <= end90)
      const days = (await read(`?start_date=${start90}&end_date=${end90}`)).chartData
      expect(days).toEqual(
        [...new Set(within)]
          .toSorted()
          .map((date) => ({ date, count: within.filter((each) => each === date).length })),
      )
      expect(await read('?start_date=2010-01-01&end_date=2010-01-31')).toEqual({
        hasStatistic: false,
        offers: { total: 0, delta: 0 },
        claims: { total: 0, delta: 0 },
        chartData: [],
      })
    },
  )
})
