import type { Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectNoViolations } from '../support/invariants.ts'
import {
  listClaims,
  computeLinkHistory,
  kinds,
  listLinks,
  computeLinkTotals,
} from '../support/links.ts'
import { createFreshSandbox } from '../support/client.ts'
import { createUnlimitedSandbox, readAsOwner } from '../support/owner-requests.ts'
import { getRunOptions } from '../support/run-options.ts'

interface Bucket {
  timestamp: string
  subs: number
  revenue: number
  spenders: number
  cumulative_subs: number
  cumulative_revenue: number
}
interface Stats {
  summary: Record<
    | 'subs_total'
    | 'revenue_total'
    | 'spenders_total'
    | 'cumulative_subs_total'
    | 'cumulative_revenue_total',
    number
  >
  daily_metrics: Bucket[]
  monthly_metrics: Bucket[]
}

const dayMs = 86_400_000
const cents = (dollars: number) => Math.round(dollars * 100)
const nextBucket = {
  daily_metrics: (start: string) => Date.parse(start) + dayMs,
  monthly_metrics: (start: string) =>
    new Date(start).setUTCMonth(new Date(start).getUTCMonth() + 1),
}

const accountsOf = ({ db }: Sandbox) => db.accounts.where({ organisation: 1, connected: true })

describe.each(kinds)('the statistics of %s links', (kind) => {
  it('follow any window, with cumulative figures from the start to its end (§9.3)', async () => {
    const sandbox = await createUnlimitedSandbox('agency')
    const links = accountsOf(sandbox).flatMap(({ id }) => listLinks(sandbox, kind, id))
    const histories = new Map(links.map(({ id }) => [id, computeLinkHistory(sandbox, kind, id)]))
    const day = fc
      .integer({ min: 0, max: 760 })
      .map((days) => new Date(sandbox.clock.now() - days * dayMs).toISOString().slice(0, 10))
    const time = fc
      .integer({ min: 0, max: 760 * dayMs })
      .map((ms) => new Date(sandbox.clock.now() - ms).toISOString())
    const edge = fc.option(fc.oneof(day, time), { nil: undefined })
    const edges = fc.oneof(
      fc.tuple(edge, edge),
      time.map((at) => [at, new Date(Date.parse(at) + 1000).toISOString()]),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...links), edges, async (link, [one, other]) => {
        const [from, to] =
          one !== undefined && other !== undefined && one > other ? [other, one] : [one, other]
        fc.pre(from === undefined || to === undefined || Date.parse(from) <= Date.parse(to))
        const [start, end] = [
          from === undefined ? '' : new Date(from).toISOString(),
          to === undefined ? '9' : to.length === 10 ? `${to}T23:59:59.999Z` : to,
        ]
        const query = new URLSearchParams({
          ...(from === undefined ? {} : { date_start: from }),
          ...(to === undefined ? {} : { date_end: to }),
        })
        const { summary, ...metrics }: Stats = await readAsOwner(
          sandbox,
          `/v1/${link.accountId}/${kind}-links/${link.id}/stats?${query}`,
        )
        const history = histories.get(link.id)!
        const [within, sofar] = [
          computeLinkTotals(history, start, end),
          computeLinkTotals(history, '', end),
        ]
        expect(summary).toMatchObject({
          subs_total: within.subs,
          revenue_total: within.revenue,
          spenders_total: within.spenders,
          cumulative_subs_total: sofar.subs,
          cumulative_revenue_total: sofar.revenue,
        })
        expect(Object.keys(summary)).not.toContain('clicks_total')
        for (const name of ['daily_metrics', 'monthly_metrics'] as const) {
          const buckets = metrics[name]
          expect(buckets.map(({ timestamp }) => timestamp)).toEqual(
            [...new Set(buckets.map(({ timestamp }) => timestamp))].toSorted(),
          )
          expect([
            buckets.reduce((sum, { subs }) => sum + subs, 0),
            buckets.reduce((sum, { revenue }) => sum + cents(revenue), 0),
          ]).toEqual([within.subs, cents(within.revenue)])
          for (const bucket of buckets) {
            expect(bucket.subs + bucket.spenders).toBeGreaterThan(0)
            const last = new Date(nextBucket[name](bucket.timestamp) - 1).toISOString()
            const upTo = last < end ? last : end
            const inside = computeLinkTotals(
              history,
              bucket.timestamp > start ? bucket.timestamp : start,
              upTo,
            )
            const until = computeLinkTotals(history, '', upTo)
            expect(bucket).toEqual({
              timestamp: bucket.timestamp,
              ...inside,
              cumulative_subs: until.subs,
              cumulative_revenue: until.revenue,
            })
            expect(bucket.timestamp).toMatch(
              name === 'daily_metrics' ? /T00:00:00\.000Z$/ : /-01T00:00:00\.000Z$/,
            )
          }
        }
        if (from !== undefined || to !== undefined) return
        expect(summary.subs_total).toBe(summary.cumulative_subs_total)
        if (metrics.daily_metrics.length > 0)
          expect(metrics.daily_metrics.at(-1)!.cumulative_revenue).toBe(
            summary.cumulative_revenue_total,
          )
      }),
      getRunOptions(20, 500),
    )
  })

  it('match a full scan of the records after any writes', async () => {
    const sandbox = await createUnlimitedSandbox('solo')
    const { db } = sandbox
    const account = accountsOf(sandbox)[0]!.id
    const column = kind === 'tracking' ? 'trackingLinkId' : 'trialLinkId'
    const fans = db.subscriptions.where({ accountId: account })
    const payments = db.transactions.where({ accountId: account })
    const links = listLinks(sandbox, kind, account)
    const change = fc.oneof(
      fc.record({ claim: fc.constantFrom(...fans), link: fc.constantFrom(...links, undefined) }),
      fc.record({
        payment: fc.constantFrom(...payments),
        status: fc.constantFrom('done' as const, 'undo' as const),
        amount: fc.integer({ min: 500, max: 9999 }),
        fan: fc.constantFrom(...fans),
      }),
      fc.record({ removed: fc.constantFrom(...payments) }),
      fc.record({ moved: fc.constantFrom(...fans), days: fc.integer({ min: 1, max: 700 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        await sandbox.reset()
        for (const step of changes) {
          if ('claim' in step)
            db.subscriptions.update(step.claim.id, { [column]: step.link?.id ?? null })
          else if ('removed' in step) db.transactions.remove(step.removed.id)
          else if ('moved' in step)
            db.subscriptions.update(step.moved.id, {
              subscribedAt: new Date(sandbox.clock.now() - step.days * dayMs).toISOString(),
            })
          else if (db.transactions.get(step.payment.id) !== undefined)
            db.transactions.update(step.payment.id, {
              status: step.status,
              amount: step.amount / 100,
              net: step.amount / 125,
              fanId: step.fan.fanId,
            })
        }
        for (const { id } of links) {
          const { subs, revenue, spenders } = computeLinkTotals(
            computeLinkHistory(sandbox, kind, id),
          )
          expect(db.linkMetrics.get(`${kind}:${id}`)).toMatchObject({
            subs,
            cents: cents(revenue),
            spenders,
          })
          const { summary }: Stats = await readAsOwner(
            sandbox,
            `/v1/${account}/${kind}-links/${id}/stats?date_end=now`,
          )
          expect(summary).toMatchObject({
            subs_total: subs,
            cumulative_revenue_total: revenue,
            spenders_total: spenders,
          })
        }
        expectNoViolations(sandbox)
      }),
      getRunOptions(6, 200),
    )
  })

  it('are seeded for links with and without claimers, and for none before the link was created', async () => {
    for (const scenario of ['agency', 'boundaries']) {
      const sandbox = await createFreshSandbox(scenario)
      const links =
        kind === 'tracking' ? sandbox.db.trackingLinks.all() : sandbox.db.trialLinks.all()
      const sizes = links.map(({ id }) => listClaims(sandbox, kind, id).length)
      expect([Math.min(...sizes), Math.max(...sizes) > 7]).toEqual([0, true])
      for (const link of links) {
        const times = listClaims(sandbox, kind, link.id).map(({ subscribedAt }) => subscribedAt)
        expect([link.id, times.filter((time) => time < link.createdAt)]).toEqual([link.id, []])
        if (!('finishedAt' in link)) continue
        expect([
          link.id,
          times.filter((time) => link.finishedAt !== null && time > link.finishedAt),
        ]).toEqual([link.id, []])
        expect(link.finishedAt === null || link.finishedAt <= sandbox.clock.iso()).toBe(true)
        if (link.subscribeCounts > 0)
          expect(times.length < link.subscribeCounts || link.finishedAt !== null).toBe(true)
      }
    }
  })
})
