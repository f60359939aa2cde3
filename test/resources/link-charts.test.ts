import { describe, expect, it } from 'vitest'
import {
  findBusiestLink,
  listClaims,
  computeLinkHistory,
  kinds,
  computeLinkTotals,
} from '../support/links.ts'
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
      const days = [
        ...new Set(
          history.claims.map(({ subscribedAt }) => `${subscribedAt.slice(0, 10)}T00:00:00+00:00`),
        ),
      ].toSorted()
      const whole = await read()
      expect(whole.chart.map(({ date }: { date: string }) => date)).toEqual(days)
      expect([sumCounts(whole.chart), whole.total]).toEqual([
        history.claims.length,
        history.claims.length,
      ])
      expect(whole.gross).toBe(computeLinkTotals(history).revenue)
      const middle = Date.parse(days[Math.floor(days.length / 2)]!)
      const [from, to, before] = [
        middle - 40 * dayMs,
        middle + 40 * dayMs - 1,
        middle - 120 * dayMs,
      ].map((at) => new Date(at).toISOString()) as [string, string, string]
      const [within, earlier] = [
        computeLinkTotals(history, from, to),
        computeLinkTotals(history, before, new Date(Date.parse(from) - 1).toISOString()),
      ]
      const window = await read(`?start_date=${from.slice(0, 10)}&end_date=${to.slice(0, 10)}`)
      expect([sumCounts(window.chart), window.total, window.gross]).toEqual([
        within.subs,
        within.subs,
        within.revenue,
      ])
      expect(window.delta).toBe(change(within.subs, earlier.subs))
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
      const account = client.account()
      const { db } = client
      const all =
        kind === 'tracking'
          ? db.trackingLinks.where({ accountId: account })
          : db.trialLinks.where({ accountId: account })
      const claims = all.flatMap(({ id }) => listClaims(client.sandbox, kind, id))
      const read = async (query = '') => {
        const { body } = await client.get(`${kind}-links/overview${query}`)
        expect(Object.keys(body.data)).toEqual([key])
        return body.data[key]
      }
      const from = new Date(client.sandbox.clock.now() - 720 * dayMs).toISOString().slice(0, 10)
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
      const [start90, end90] = [0, 89].map((days) =>
        new Date(client.sandbox.clock.now() - (95 - days) * dayMs).toISOString().slice(0, 10),
      ) as [string, string]
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
