import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { readAllPages } from '../support/read-all-pages.ts'

const balances = (client: Client) => client.getData('payouts/balances')
const request = (client: Client, amount: number) => client.post('payouts/requests', { amount })
const newest = async (client: Client) => (await client.getData('payouts/requests')).list[0]
const round = (dollars: number) => Math.round(dollars * 100) / 100
/** Sums payments. Payments without an amount do not increase the balance. */
const sumNet = (rows: readonly { amount: number | null; net: number }[]) =>
  round(rows.reduce((sum, { amount, net }) => sum + (amount === null ? 0 : net), 0))

describe('payouts', () => {
  it('reduce the available balance, and are approved and paid over time', async () => {
    const client = await openClient('agency')
    const before = await balances(client)
    expect(before).toMatchObject({
      currency: 'USD',
      withdrawalPeriod: 'manual',
      manualPayoutPendingDays: 7,
      minPayoutSumm: 20,
    })
    expect((await request(client, 25.5)).body.data).toEqual({
      list: [{ state: 'pending', rejectReason: null }],
    })
    expect(await balances(client)).toEqual({
      ...before,
      payoutAvailable: round(before.payoutAvailable - 25.5),
    })
    expect(await newest(client)).toMatchObject({
      amount: 25.5,
      state: 'pending',
      invoiceId: expect.any(String),
    })
    client.sandbox.clock.advance('3d')
    expect((await newest(client)).state).toBe('approved')
    client.sandbox.clock.advance('2d')
    expect((await newest(client)).state).toBe('paid')
  })

  it('are rejected below the minimum, above the maximum and above the available balance', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { payoutAvailable, minPayoutSumm } = await balances(client)
    for (const amount of [minPayoutSumm - 0.01, round(payoutAvailable + 0.01), 20.005, 1e9])
      expect([amount, (await request(client, amount)).status]).toEqual([amount, 400])
    expect((await request(client, payoutAvailable)).status).toBe(200)
    expect((await balances(client)).payoutAvailable).toBe(0)
    expect(await client.getData('payouts/eligibility')).toEqual({
      canReceiveManualPayout: false,
      isVerifiedReason: false,
      needUpdateBanking: false,
    })
    const all = { accountId: account, amount: payoutAvailable }
    const refused = client.db.payouts.find({ ...all, state: 'pending' })!
    client.db.payouts.update(refused.id, { state: 'rejected', rejectReason: 'No.' })
    expect((await balances(client)).payoutAvailable).toBe(payoutAvailable)
    client.sandbox.clock.advance('30d')
    expect(client.db.payouts.get(refused.id)?.state).toBe('rejected')
  })

  it('use only earnings that have waited a week and are not held', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const before = await balances(client)
    const { make } = client.sandbox
    const payment = { accountId: account, fanId: make.fan().id, net: 80, amount: 100 }
    for (const status of ['done', 'loading', 'undo'] as const)
      make.transaction({ ...payment, category: 'tip', status })
    expect((await balances(client)).payoutPending).toBe(round(before.payoutPending + 160))
    client.sandbox.clock.advance('7d')
    const held = client.db.transactions
      .where({ accountId: account })
      .filter(({ status }) => status === 'loading' || status === 'pending_return')
    const later = await balances(client)
    expect(later.payoutPending).toBe(sumNet(held))
    expect(round(later.payoutAvailable + later.payoutPending)).toBe(
      round(before.payoutAvailable + before.payoutPending + 160),
    )
  })

  it('are paged once each, and newer ones do not shift later pages', async () => {
    const client = await openClient('boundaries')
    for (const { id } of client.db.accounts.all()) {
      const own = client.db.payouts.where({ accountId: id }).map(({ invoiceId }) => invoiceId)
      const rows = await readAllPages(client, `/v1/${id}/payouts/requests`)
      expect(rows.map(({ invoiceId }) => invoiceId)).toEqual(own.toReversed())
    }
    const agency = await openClient('agency')
    const whole = await readAllPages(agency, 'payouts/requests')
    const first = (await agency.get('payouts/requests')).body
    expect(first.data.marker).toEqual(expect.any(Number))
    for (const amount of [20, 21]) expect((await request(agency, amount)).status).toBe(200)
    const rest = await readAllPages(agency, first._pagination.next_page)
    expect([...first.data.list, ...rest]).toEqual(whole)
    const { list } = await agency.getData('payouts/requests')
    expect(list.slice(0, 2)).toMatchObject([{ amount: 21 }, { amount: 20 }])
    const september = 'payouts/requests?start_date=2026-09-01&end_date=2026-09-30'
    for (const { createdAt } of (await agency.getData(september)).list)
      expect(createdAt).toMatch(/^2026-09/)
  })

  it('have the time of their request, including two within a second at the end of a day', async () => {
    const client = await openClient('agency')
    const { sandbox } = client
    sandbox.clock.set('2026-10-01T23:59:59.500Z')
    for (const amount of [20, 21, 22]) expect((await request(client, amount)).status).toBe(200)
    const { body } = await client.get('payouts/requests?start_date=2026-10-01&end_date=now')
    const createdAt = toPlatformTime(sandbox.clock.iso())
    expect(body.data.list).toMatchObject([22, 21, 20].map((amount) => ({ amount, createdAt })))
    const { marker } = body.data
    for (const amount of [23, 24]) expect((await request(client, amount)).status).toBe(200)
    expect((await client.getData(`payouts/requests?marker=${marker}`)).list.slice(0, 3)).toEqual(
      body.data.list,
    )
    expect(await newest(client)).toMatchObject({ amount: 24, createdAt })
  })

  it('are owed after a chargeback of money that was paid out, until that amount is earned again', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { sandbox } = client
    const tip = () => {
      const { ids } = sandbox.act({ type: 'tip', account_id: account, amount: 500, on: 'profile' })
      return sandbox.db.transactions.get(ids.transaction)!
    }
    const { id, net } = tip()
    sandbox.clock.advance('8d')
    const { payoutAvailable } = await balances(client)
    expect((await request(client, payoutAvailable)).status).toBe(200)
    const reversed = { account_id: account, transaction_id: id, to: 'undo' } as const
    sandbox.act({ type: 'transaction.reverse', ...reversed })
    expect((await balances(client)).payoutAvailable).toBe(0)
    expect((await client.getData('payouts/eligibility')).canReceiveManualPayout).toBe(false)
    expect((await request(client, 20)).status).toBe(400)
    tip()
    tip()
    const pendingAtFirst = (await balances(client)).payoutPending
    sandbox.clock.advance('8d')
    const after = await balances(client)
    expect(round(after.payoutAvailable + after.payoutPending)).toBe(round(pendingAtFirst - net))
  })

  it('are created automatically according to the frequency', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const set = (frequency: unknown) => client.patch('payouts/payout-frequency', { frequency })
    expect((await set('weekly')).body.data).toEqual({ success: true })
    const before = await balances(client)
    expect(before.withdrawalPeriod).toBe('weekly')
    expect(before.withdrawalPeriodOptions.map(({ code }: { code: string }) => code)).toEqual([
      'manual',
      'weekly',
      'monthly',
    ])
    client.sandbox.clock.advance('7d')
    expect(await newest(client)).toMatchObject({ createdAt: '2026-10-05T00:00:00+00:00' })
    const { length } = client.db.payouts.where({ accountId: account })
    await set('manual')
    client.sandbox.clock.advance('60d')
    expect(client.db.payouts.where({ accountId: account })).toHaveLength(length)
  })

  it('are not made, manually or automatically, while no payout system is selected', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { sandbox } = client
    sandbox.db.payoutSettings.put({ id: account, frequency: 'manual', system: null })
    const { length } = sandbox.db.payouts.where({ accountId: account })
    const eligibility = () => client.getData('payouts/eligibility')
    expect(await eligibility()).toMatchObject({
      canReceiveManualPayout: false,
      needUpdateBanking: true,
    })
    expect((await request(client, 20)).status).toBe(403)
    expect((await request(client, 19)).status).toBe(400)
    await client.patch('payouts/payout-frequency', { frequency: 'weekly' })
    sandbox.clock.advance('7d')
    expect(sandbox.db.payouts.where({ accountId: account })).toHaveLength(length)
    sandbox.db.payoutSettings.update(account, { system: 'sepa' })
    expect(await eligibility()).toMatchObject({ canReceiveManualPayout: true })
    sandbox.clock.advance('7d')
    expect(sandbox.db.payouts.where({ accountId: account })).toHaveLength(length + 1)
  })

  it('are made automatically if the settings name only a frequency', async () => {
    const client = await openClient('everything')
    const account = client.account('everything')
    expect(await client.getData(`/v1/${account}/payouts/eligibility`)).toMatchObject({
      needUpdateBanking: false,
    })
  })

  it('have earnings by month, and payout systems', async () => {
    const client = await openClient('agency')
    const { months, total } = (await client.getData('payouts/earning-statistics')).list
    const rows = client.db.transactions.where(
      ({ accountId, status }) => accountId === client.account() && status !== 'undo',
    )
    expect(total.all.total_net).toBe(sumNet(rows))
    for (const [month, { total_net, tips }] of Object.entries<{
      total_net: number
      tips: { total_net: number }[]
    }>(months)) {
      const own = rows.filter(({ transaction_created_at: time }) => time?.startsWith(month))
      expect([month, total_net, round(tips.reduce((sum, day) => sum + day.total_net, 0))]).toEqual([
        month,
        sumNet(own),
        sumNet(own.filter(({ category }) => category === 'tip')),
      ])
    }
    const systems = (await client.getData('payouts/systems')).list
    expect(systems.filter(({ isSelected }: { isSelected: boolean }) => isSelected)).toHaveLength(1)
  })
})
