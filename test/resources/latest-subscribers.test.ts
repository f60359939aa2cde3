import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { listPeriods } from '../../src/resources/subscribers/subscriptions.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { readAllIds } from '../support/read-all-pages.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const september = 'start_date=2026-09-01&end_date=2026-09-30'
const day = 86_400_000
const inDays = ({ sandbox }: Client, days: number) =>
  new Date(sandbox.clock.now() + days * day).toISOString()

/**
 * Returns the times of each fan's subscriptions and renewals in September, computed from the
 * records, newest first.
 */
function getEvents({ sandbox, account }: Client, { blocked }: { blocked: boolean }) {
  return sandbox.db.subscriptions
    .where((row) => row.accountId === account() && (blocked || !row.isBlocked))
    .flatMap((row) =>
      listPeriods(row).map(({ paidAt }, place, all) => ({
        row,
        kind: place === all.length - 1 ? 'new' : 'renewals',
        at: paidAt,
      })),
    )
    .filter(({ at }) => at.startsWith('2026-09'))
}

async function joined(client: Client, fields: object): Promise<{ fanId: number }> {
  client.sandbox.act({ type: 'subscriber.new', account_id: client.account(), ...fields })
  return getIndexedTables(client.db).subscriptions.in('byAccount', client.account()).at(0)!
}

async function getIds(client: Client, query: string): Promise<number[]> {
  return await readAllIds(client, `subscribers/latest?${query}`)
}

describe('GET subscribers/latest', () => {
  it('lists all fans who subscribed or renewed in a past window, regardless of later events', async () => {
    const client = await openClient('agency')
    const listed = getEvents(client, { blocked: false })
    for (const type of ['new', 'renewals', 'total']) {
      const expected = listed
        .filter(({ kind }) => type === 'total' || kind === type)
        .toSorted((a, b) => b.at.localeCompare(a.at) || b.row.id - a.row.id)
        .map(({ row }) => row.fanId)
      expect(expected.length).toBeGreaterThan(5)
      const ids = await getIds(client, `type=${type}&${september}&limit=7`)
      expect([type, ids]).toEqual([type, [...new Set(expected)]])
    }
  })

  it('agrees with the earnings overview, which also counts each renewal and blocked fans', async () => {
    const client = await openClient('agency')
    const events = getEvents(client, { blocked: true })
    const added = events.filter(({ kind }) => kind === 'new').length
    const { visitors } = await client.getData(`earnings/overview?by=visitors&${september}`)
    expect(visitors.subscriptions).toMatchObject({
      new: { total: added },
      renew: { total: events.length - added },
    })
    for (const { userId } of getIndexedTables(client.db)
      .userMarks.in('blocked', client.account())
      .slice())
      await client.delete(`users/${userId}/block`)
    expect(await getIds(client, `type=new&${september}&limit=100`)).toHaveLength(added)
  })

  it('keeps a fan in the window of a renewal after another renewal, paid or free', async () => {
    const client = await openClient()
    const { fanId } = await joined(client, { price: 5 })
    client.sandbox.clock.advance('2d')
    const first = client.sandbox.clock.iso()
    const fan = { account_id: client.account(), fan_id: fanId }
    client.sandbox.act({ type: 'subscriber.renew', ...fan, price: 0 })
    const window = `start_date=${first}&end_date=${first}`
    const counted = async () => {
      const data = await client.getData(`earnings/overview?by=visitors&${window}`)
      return [data.visitors.subscriptions.new.total, data.visitors.subscriptions.renew.total]
    }
    expect([await getIds(client, `type=renewals&${window}`), await counted()]).toEqual([
      [fanId],
      [0, 1],
    ])
    client.sandbox.clock.advance('40d')
    client.sandbox.act({ type: 'subscriber.renew', ...fan })
    client.sandbox.act({ type: 'subscriber.expire', ...fan })
    expect([
      await getIds(client, `type=renewals&${window}`),
      await getIds(client, `type=total&${window}`),
      await counted(),
    ]).toEqual([[fanId], [fanId], [0, 1]])
    expect((await getIds(client, 'start_date=-1d&type=renewals'))[0]).toBe(fanId)
    await client.post(`users/${fanId}/block`)
    expect(await getIds(client, `type=total&${window}`)).toEqual([])
    const { subscriptionEvents } = getIndexedTables(client.db)
    const kept = subscriptionEvents.all()
    subscriptionEvents.rebuild()
    expect(subscriptionEvents.all()).toEqual(kept)
  })
})

describe('the periods of a subscription', () => {
  it('have the time of their payment, even if it was in advance and the subscription was ended', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = await joined(client, { price: 5 })
    const [came, ends] = [
      toPlatformTime(client.sandbox.clock.iso()),
      toPlatformTime(inDays(client, 30)),
    ]
    client.sandbox.clock.advance('3d')
    const paid = toPlatformTime(client.sandbox.clock.iso())
    client.sandbox.act({ type: 'subscriber.renew', account_id: account, fan_id: fanId, price: 6 })
    const data = async () => (await client.getData(`fans/${fanId}`)).subscribedOnData
    expect(await data()).toMatchObject({
      renewedAt: paid,
      subscribes: [
        { action: 'renew', date: paid, startDate: ends, price: 6 },
        { action: 'subscribe', date: came, startDate: came },
      ],
    })
    client.sandbox.clock.advance('3d')
    const ended = toPlatformTime(client.sandbox.clock.iso())
    client.sandbox.act({ type: 'subscriber.expire', account_id: account, fan_id: fanId })
    expect(await data()).toMatchObject({
      renewedAt: paid,
      expiredAt: ended,
      subscribes: [
        { action: 'renew', date: paid, startDate: ended, expireDate: ended },
        { action: 'subscribe', date: came, expireDate: ended },
      ],
    })
    expect((await client.getData(`subscriptions/${fanId}/history`)).list).toHaveLength(2)
  })

  it('keep their cancellation time as time passes', async () => {
    const client = await openClient('agency')
    const { fanId, expiredAt } = client.db.subscriptions.find(
      (row) => row.accountId === client.account() && !row.isExpired && !row.isAutoprolong,
    )!
    const cancelled = async () =>
      (await client.getData(`fans/${fanId}`)).subscribedOnData.subscribes.map(
        ({ cancelDate }: { cancelDate: string | null }) => cancelDate,
      )
    const before = await cancelled()
    expect(before[0]).toBe(toPlatformTime(expiredAt))
    client.sandbox.clock.advance('1h')
    expect(await cancelled()).toEqual(before)
    client.sandbox.clock.advance('60d')
    expect(await cancelled()).toEqual(before)
  })

  it('have only one period for a trial that is longer than a month', async () => {
    const client = await openClient('agency')
    const link = client.db.trialLinks.find(
      (row) => row.accountId === client.account() && row.finishedAt === null,
    )!
    client.db.trialLinks.update(link.id, { subscribeDays: 90, subscribeCounts: 0 })
    const { fanId } = await joined(client, { trial_link_id: link.id })
    const { list } = await client.getData(`subscriptions/${fanId}/history`)
    expect(list).toEqual([
      {
        subscribeDate: toPlatformTime(client.sandbox.clock.iso()),
        expireDate: toPlatformTime(inDays(client, 90)),
        price: 0,
      },
    ])
  })
})
