import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { openClient } from '../support/client.ts'
import { readAllPages } from '../support/read-all-pages.ts'

const cents = (dollars: number) => Math.round(dollars * 100)

describe('referrals', () => {
  it('are paged once each, newest first, and sum to the summary', async () => {
    const client = await openClient('boundaries')
    const sizes: number[] = []
    for (const { id } of client.db.accounts.all()) {
      const rows = await readAllPages(client, `/v1/${id}/referrals`)
      sizes.push(rows.length)
      expect(rows.map(({ createdAt }) => createdAt)).toEqual(
        client.db.referrals
          .where({ accountId: id })
          .map(({ createdAt }) => toPlatformTime(createdAt))
          .toSorted()
          .toReversed(),
      )
      const summary = await client.getData(`/v1/${id}/referrals/summary`)
      expect([summary.total_referrals, cents(summary.total_earned)]).toEqual([
        rows.length,
        rows.reduce((sum, { earned }) => sum + cents(earned as number), 0),
      ])
    }
    expect([...new Set(sizes)]).toEqual([0, 1, 9, 10, 11, 20])
  })

  it('sum to their payouts without rejected ones, and to the chart of payouts', async () => {
    const client = await openClient('agency')
    const readAll = () => readAllPages(client, 'referrals/payouts', { last: null })
    const payouts = await readAll()
    const kept = payouts.filter(({ state }) => state !== 'rejected')
    const { total_earned } = await client.getData('referrals/summary')
    expect(kept.reduce((sum, { amount }) => sum + cents(amount as number), 0)).toBe(
      cents(total_earned),
    )
    const chart = await client.getData('referrals/payouts/chart')
    expect(chart).toMatchObject({ total: total_earned, gross: total_earned })
    const sum = (points: { count: number }[]) =>
      points.reduce((total, { count }) => total + cents(count), 0)
    expect(sum(chart.chartAmount)).toBe(cents(total_earned))
    expect(sum(chart.chartCount)).toBe(cents(kept.length))
    const open = payouts.find(({ state }) => state === 'pending')
    client.sandbox.clock.advance('10d')
    const later = (await readAll()).find((row) => row['invoiceId'] === open?.['invoiceId'])
    expect(later).toMatchObject({ state: 'paid' })
  })

  it('have payouts that are fixed to the time of the first page by its marker', async () => {
    const client = await openClient('agency')
    const whole = await readAllPages(client, 'referrals/payouts', { last: null })
    const first = (await client.get('referrals/payouts')).body
    client.sandbox.make.referralPayout({ accountId: client.account(), invoiceId: 'INV-new' })
    const rest = await readAllPages(client, first._pagination.next_page, { last: null })
    expect([...first.data.list, ...rest]).toEqual(whole)
    expect((await client.getData('referrals/payouts')).list[0].invoiceId).toBe('INV-new')
  })
})
