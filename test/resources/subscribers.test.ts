import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

interface Period {
  subscribeDate: string
  expireDate: string
}

const activeOf = ({ sandbox, account }: Client) =>
  sandbox.db.subscriptions.where(
    (row) => row.accountId === account() && !row.isExpired && !row.isBlocked,
  )
const cents = (rows: { amount: number | null }[]) =>
  rows.reduce((sum, { amount }) => sum + Math.round((amount ?? 0) * 100), 0) / 100

describe('GET subscribers', () => {
  it('sorts by is_expired only with type=expired', async () => {
    const client = await openClient()
    expect((await client.get('subscribers?sort_by=is_expired')).status).toBe(400)
    expect((await client.get('subscribers?type=expired&sort_by=is_expired')).status).toBe(200)
  })

  it('moves a subscriber to the expired ones at the end of the subscription', async () => {
    const client = await openClient('agency')
    const first = activeOf(client).toSorted((a, b) => (a.expiredAt < b.expiredAt ? -1 : 1))[0]!
    const listed = async (type: string) =>
      idsOf(await readAllPages(client, `subscribers?type=${type}&limit=100`)).includes(first.fanId)
    expect([await listed('active'), await listed('expired')]).toEqual([true, false])
    client.sandbox.clock.set(first.expiredAt)
    expect([await listed('active'), await listed('expired')]).toEqual([false, true])
    expect(await client.getData(`fans/${first.fanId}`)).toMatchObject({
      subscribedOn: false,
      subscribedOnExpiredNow: true,
      isPendingAutoprolong: first.isAutoprolong,
      subscribedOnData: { status: 'expired' },
    })
  })
})

describe('the user object', () => {
  it("contains the fan's spending, in total and by kind", async () => {
    const client = await openClient('agency')
    const [top] = (await client.getData('subscribers/top?start_date=2020-01-01')).list
    const rows = client.db.transactions.where(
      (row) => row.accountId === client.account() && row.fanId === top.id && row.status !== 'undo',
    )
    const posts = rows.filter(({ category, isOnStream }) => category === 'unlock' && !isOnStream)
    const part = (...categories: (string | null)[]) =>
      cents(rows.filter(({ category }) => categories.includes(category)))
    expect((await client.getData(`fans/${top.id}`)).subscribedOnData).toMatchObject({
      totalSumm: cents(rows),
      tipsSumm: part('tip'),
      subscribesSumm: part('new_subscription', 'recurring_subscription'),
      messagesSumm: part('message'),
      postsSumm: cents(posts),
    })
  })

  it('is the same for claimers, subscribers, list members and fan details', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const link = client.db.trackingLinks.find(
      (each) => each.accountId === account && each.endDate === null,
    )!
    const { list, hasMore } = await client.getData(`tracking-links/${link.id}/claimers?limit=3`)
    expect(hasMore).toBe(false)
    for (const user of list) {
      const { subscribedAt } = client.db.subscriptions.find({ accountId: account, fanId: user.id })!
      expect(user.subscribedOnData.date).toBe(toPlatformTime(subscribedAt))
      expect(await client.getData(`fans/${user.id}`)).toEqual(user)
    }
  })

  it('exists for a user without a subscription, and returns 404 for an unknown id', async () => {
    const client = await openClient('agency')
    const [account, other] = [client.account(), client.account('theo_marsh')]
    const subscribed = client.db.subscriptions.where({ accountId: account })
    const known = new Set(subscribed.map(({ fanId }) => fanId))
    const stranger = client.db.subscriptions.find(
      ({ accountId, fanId }) => accountId === other && !known.has(fanId),
    )!
    const unknown = { subscribedOn: false, subscribedOnData: null, notice: '', displayName: '' }
    expect(await client.getData(`fans/${stranger.fanId}`)).toMatchObject(unknown)
    expect((await client.get('fans/1')).status).toBe(404)
  })
})

describe('GET subscriptions/{user_id}/history', () => {
  it('agrees with the dates and prices of the subscription', async () => {
    const client = await openClient('agency')
    const all = client.db.subscriptions.where(
      ({ accountId, isDeleted }) => accountId === client.account() && isDeleted !== true,
    )
    for (const row of all.slice(0, 40)) {
      const { list, hasMore } = await client.getData(`subscriptions/${row.fanId}/history`)
      const last = { expireDate: toPlatformTime(row.expiredAt), price: row.price }
      expect(hasMore).toBe(false)
      expect(list[0]).toMatchObject(last)
      expect(list.at(-1).subscribeDate).toBe(toPlatformTime(row.subscribedAt))
      const data = await client.getData(`fans/${row.fanId}`)
      const { subscribes, renewedAt } = data.subscribedOnData
      expect(subscribes).toMatchObject(
        list.map(({ subscribeDate: startDate, ...period }: Period) => ({ ...period, startDate })),
      )
      expect(renewedAt).toBe(list.length === 1 ? null : subscribes[0].date)
      const inOrder = list.flatMap((period: Period) => [period.expireDate, period.subscribeDate])
      expect(inOrder).toEqual(inOrder.toSorted().toReversed())
    }
    expect((await client.get('subscriptions/1/history')).status).toBe(404)
  })

  it('grows with each renewal, which makes an expired subscription active again', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { fanId } = client.db.subscriptions.find(
      (row) => row.accountId === account && row.isExpired && !row.isBlocked,
    )!
    const history = async () => (await client.getData(`subscriptions/${fanId}/history`)).list
    const before = await history()
    client.sandbox.act({ type: 'subscriber.renew', account_id: account, fan_id: fanId, price: 7 })
    const now = toPlatformTime(client.sandbox.clock.iso())
    const expireDate = toPlatformTime(client.sandbox.clock.now() + 30 * 86_400_000)
    expect(await history()).toEqual([{ subscribeDate: now, expireDate, price: 7 }, ...before])
    const [latest] = (await client.getData('subscribers/latest?type=renewals&limit=1')).list
    const subscribedOnData = { renewedAt: now, price: 7, lastActivity: now }
    expect(latest).toMatchObject({ id: fanId, subscribedOn: true, lastSeen: now, subscribedOnData })
    expect((await client.getData('subscribers?limit=1')).list[0].id).toBe(fanId)
    client.sandbox.clock.advance('31d')
    const ended = { subscribedOn: false, isPendingAutoprolong: true }
    expect(await client.getData(`fans/${fanId}`)).toMatchObject(ended)
  })

  it('shows gaps between subscriptions', async () => {
    const client = await openClient('agency')
    const away = client.db.subscriptions.find(
      ({ accountId, spans }) =>
        accountId === client.account() && spans.length > 1 && spans[1]!.from > spans[0]!.until,
    )!
    const { list } = await client.getData(`subscriptions/${away.fanId}/history`)
    const isAfterGap = ({ subscribeDate }: Period, place: number) =>
      subscribeDate > list[place + 1]?.expireDate
    expect(list.some(isAfterGap)).toBe(true)
  })
})

describe('subscribers: counts, top, following', () => {
  it('returns counts that match the rows of the lists', async () => {
    const client = await openClient('agency')
    const { subscribers, subscriptions } = await client.getData('subscribers/counts')
    const size = async (path: string) => (await readAllPages(client, path)).length
    expect(subscribers).toMatchObject({
      active: await size('subscribers?limit=100'),
      expired: await size('subscribers?type=expired&limit=100'),
      blocked: await size('subscribers/blocked'),
      restricted: await size('subscribers/restricted'),
      muted: await size('user-lists/muted/users'),
      all: client.db.subscriptions.where(
        ({ accountId, isDeleted }) => accountId === client.account() && isDeleted !== true,
      ).length,
    })
    expect(subscribers).toMatchObject({ blocked: 4, restricted: 2 })
    expect([subscriptions.active, subscriptions.all]).toEqual([
      await size('subscribers/following'),
      17,
    ])
    for (const user of await readAllPages(client, 'subscribers/following'))
      expect(user).toMatchObject({ subscribedBy: true, isPerformer: true })
  })

  it('ranks spenders by their payments in the window, to the cent', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const blocked = new Set(await readAllIds(client, 'subscribers/blocked'))
    const all = client.db.transactions.where(
      ({ accountId, fanId, status, amount }) =>
        accountId === account &&
        !blocked.has(fanId) &&
        client.db.fans.get(fanId)?.isDeleted !== true &&
        status !== 'undo' &&
        amount !== 0,
    )
    for (const [by, wanted] of [
      ['total', null],
      ['currency', null],
      ['recent', null],
      ['messages', ['message']],
      ['posts', ['unlock']],
      ['media', ['message', 'unlock']],
    ] as const) {
      const rows = await readAllPages(
        client,
        `subscribers/top?by=${by}&start_date=2026-07-01&end_date=2026-08-31`,
      )
      expect(rows.length).toBeGreaterThan(4)
      expect(new Set(idsOf(rows)).size).toBe(rows.length)
      const paid = all.filter(
        ({ transaction_created_at: at, category, isOnStream }) =>
          (by === 'total' || /^2026-0[78]/.test(at ?? '')) &&
          (wanted === null || wanted.some((each) => each === category)) &&
          (by !== 'posts' || !isOnStream),
      )
      expect(new Set(idsOf(rows))).toEqual(new Set(paid.map(({ fanId }) => fanId)))
      for (const { id, spentTotal } of rows)
        expect([by, id, spentTotal]).toEqual([
          by,
          id,
          cents(paid.filter(({ fanId }) => fanId === id)),
        ])
      const sums = rows.map(({ spentTotal }) => Number(spentTotal))
      if (by !== 'recent') expect(sums).toEqual(sums.toSorted((a, b) => b - a))
    }
    expect((await client.get('subscribers/top?offset=5')).status).toBe(400)
  })
})

describe('GET users/{username} and GET me', () => {
  it('finds a fan, a followed creator and an account by name, case-insensitive', async () => {
    const client = await openClient('agency')
    const { userId } = client.db.follows.find({ accountId: client.account(), isAutoprolong: true })!
    const { username } = client.db.fans.get(userId)!
    const creator = { id: userId, username, subscribedBy: true, subscribersCount: null }
    expect(await client.getData(`users/${username.toUpperCase()}`)).toMatchObject(creator)
    const about = 'Guitars, takes and mistakes.'
    const sister = { id: client.account('jonah_reyes'), about, isPerformer: true }
    expect(await client.getData('users/jonah_reyes')).toMatchObject(sister)
    expect((await client.get('users/nobody_at_all')).status).toBe(404)
  })

  it('shows the account with its unread counts', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const data = await client.getData('me')
    const unread = client.db.chats.where(
      (chat) => chat.accountId === account && chat.unreadCount > 0 && !chat.isHidden,
    ).length
    expect(data).toMatchObject({
      id: account,
      username: 'mara_lindqvist',
      isAuth: true,
      subscribersCount: activeOf(client).length,
      chatMessagesCount: unread,
      hasNewAlerts: data.notificationsCount > 0,
    })
    expect(data.email).toContain('mara_lindqvist@')
  })
})
