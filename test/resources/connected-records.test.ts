import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { findBusiestLink } from '../support/links.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { readAllPages } from '../support/read-all-pages.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const unlimited = { type: 'limits.set', minute: 1_000_000, day: 1_000_000 } as const
const cents = (dollars: number | null) => Math.round((dollars ?? 0) * 100)
const sum = (amounts: readonly (number | null)[]) =>
  amounts.reduce((total: number, amount) => total + cents(amount), 0)
describe('a fan who is blocked', () => {
  it('is marked on all user objects, moves from the subscribers to the blocked users, and back', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const link = findBusiestLink(client, 'tracking', account)
    client.sandbox.act([
      unlimited,
      {
        type: 'link.claim',
        account_id: account,
        tracking_link_id: link.id,
        name: 'Ida Holm',
        username: 'ida.holm',
      },
    ])
    const { fanId } = getIndexedTables(client.db).subscriptions.in('byAccount', account).at(0)!
    client.sandbox.act({ type: 'message.from_fan', account_id: account, fan_id: fanId })
    const list = (await client.postData('user-lists', { name: 'Some' })).id
    await client.post(`user-lists/${list}/users`, { ids: [fanId] })

    type Shown = { id: number; isBlocked: boolean }
    const read = (path: string) => client.getData(`${path}`)
    const objects = async (): Promise<Record<string, Shown>> => ({
      details: await read(`fans/${fanId}`),
      profile: await read('users/ida.holm'),
      claimer: (await read(`tracking-links/${link.id}/claimers`)).list[0],
      member: (await read(`user-lists/${list}/users`)).list[0],
      chat: (await read('chats?skip_users=none')).list[0].withUser,
      author: (await read(`chats/${fanId}/messages?skip_users=none`)).list[0].fromUser,
      notification: (await read('notifications?skip_users=none')).list[0].user,
    })
    const shown = async () =>
      Object.entries(await objects()).map(([name, { id, isBlocked }]) => [name, id, isBlocked])
    const all = (isBlocked: boolean) =>
      ['details', 'profile', 'claimer', 'member', 'chat', 'author', 'notification'].map((name) => [
        name,
        fanId,
        isBlocked,
      ])
    const has = async (path: string) =>
      (await readAllPages(client, `${path}?limit=100`)).some(({ id }) => id === fanId)

    expect([await shown(), await has('subscribers'), await has('subscribers/blocked')]).toEqual([
      all(false),
      true,
      false,
    ])
    await client.post(`users/${fanId}/block`)
    expect([await shown(), await has('subscribers'), await has('subscribers/blocked')]).toEqual([
      all(true),
      false,
      true,
    ])
    await client.delete(`users/${fanId}/block`)
    expect([await shown(), await has('subscribers'), await has('subscribers/blocked')]).toEqual([
      all(false),
      true,
      false,
    ])
  })
})

/**
 * Windows that both the fan routes and the reports accept: wide, with partial days, of a single
 * day, relative, and empty.
 */
const windows = [
  ['-99999999d', 'now'],
  ['2026-01-01', '2026-06-30'],
  ['2026-07-10 08:15:00', '2026-09-20 17:40:00'],
  ['2026-09-30', '2026-09-30'],
  ['-30d', 'now'],
  ['2003-01-01', '2003-12-31'],
] as const

describe('all amounts of money', () => {
  it('are based on the same transactions and agree to the cent, in any window', async () => {
    const client = await openClient('solo')
    const account = client.account()
    client.sandbox.act(unlimited)

    await expectEqualPayments(client)
    client.sandbox.act([
      { type: 'subscriber.new', account_id: account, price: 12.99 },
      { type: 'subscriber.renew', account_id: account },
      { type: 'tip', account_id: account, amount: 33.33, on: 'chat' },
      { type: 'post.publish', account_id: account, text: 'New', price: 7.77 },
      { type: 'post.unlock', account_id: account },
      { type: 'tip', account_id: account, amount: 5, on: 'post', status: 'loading' },
      { type: 'transaction.reverse', account_id: account },
      { type: 'transaction.reverse', account_id: account, to: 'undo' },
      { type: 'clock.advance', by: '8d' },
    ])
    await expectEqualPayments(client)
  })
})

/**
 * Adds up the payments that the fan routes return for each fan, and compares all other reports with
 * these totals.
 */
async function expectEqualPayments(client: Client): Promise<void> {
  const { db } = client
  const fanIds = [
    ...new Set(db.transactions.where({ accountId: client.account() }).map(({ fanId }) => fanId)),
  ]
  const purchasesOf = async (fanId: number, filter: object) =>
    (
      await client.postData(`/v1/fans/${fanId}/transactions`, {
        account_ids: [client.account()],
        limit: 100,
        ...filter,
      })
    ).transactions as {
      amount: number | null
      net: number
      category: string | null
      status: string
    }[]
  const kept = ['done', 'pending_return', 'loading']

  for (const [from, to] of windows) {
    const window = `start_date=${encodeURIComponent(from)}&end_date=${encodeURIComponent(to)}`
    const read = (path: string) =>
      client.getData(`${path}${path.includes('?') ? '&' : '?'}${window}`)
    const byFan = new Map<number, Awaited<ReturnType<typeof purchasesOf>>>()
    let counted = 0
    for (const fanId of fanIds) {
      byFan.set(fanId, await purchasesOf(fanId, { from, to, statuses: kept }))
      counted += (
        await client.postData(`/v1/fans/${fanId}/transactions/counts`, {
          account_ids: [client.account()],
          from,
          to,
        })
      ).all
    }
    const rows = [...byFan.values()].flat()
    const [gross, net] = [sum(rows.map(({ amount }) => amount)), sum(rows.map((row) => row.net))]

    const { earning } = await read('earnings/overview')
    const chart = await read('earnings/chart')
    expect([
      from,
      cents(earning.gross),
      cents(earning.total),
      cents(chart.gross),
      sum(chart.chartAmount.map(({ count }: { count: number }) => count)),
    ]).toEqual([from, gross, net, gross, net])
    const earnings = await readAllPages(client, `earnings?limit=100&${window}`)
    expect([from, earnings.length]).toEqual([from, counted])

    const top = await readAllPages(
      client,
      `subscribers/top?by=currency&${window.replace(/T([\d%A]+)Z/, '%20$1')}`,
    )
    for (const { id, spentTotal } of top)
      expect([from, id, cents(spentTotal as number)]).toEqual([
        from,
        id,
        sum(byFan.get(id)!.map(({ amount }) => amount)),
      ])
    expect([from, sum(top.map(({ spentTotal }) => spentTotal as number))]).toEqual([from, gross])

    const best = await read('highlights/fan')
    const most = (isTip: boolean) =>
      Math.max(
        0,
        ...[...byFan.values()].map((own) =>
          sum(
            own
              .filter(({ category }) => (category === 'tip') === isTip)
              .map(({ amount }) => amount),
          ),
        ),
      )
    expect([
      from,
      cents(best.purchases?.stats.purchasedSumm ?? 0),
      cents(best.tips?.stats.tipSum ?? 0),
    ]).toEqual([from, most(false), most(true)])
  }

  const rows = new Map<number, Awaited<ReturnType<typeof purchasesOf>>>()
  for (const fanId of fanIds) rows.set(fanId, await purchasesOf(fanId, { statuses: kept }))
  const { fans } = (await client.postData('/v1/fans', {
    account_ids: [client.account()],
    limit: 100,
  })) as {
    fans: { fan_id: string; total_spend: number; purchase_count: number }[]
  }
  for (const [fanId, own] of rows) {
    const [stats] = (
      await client.postData(`/v1/fans/${fanId}/stats`, { account_ids: [client.account()] })
    ).stats
    const told = [sum(own.map(({ amount }) => amount)), own.length]
    expect([fanId, cents(stats.total_spend), stats.purchase_count]).toEqual([fanId, ...told])
    const row = fans.find((fan) => fan.fan_id === String(fanId))
    expect([fanId, cents(row?.total_spend ?? 0), row?.purchase_count ?? 0]).toEqual([
      fanId,
      ...told,
    ])
  }

  const balances = await client.getData('payouts/balances')
  const paid = (await readAllPages(client, 'payouts/requests'))
    .filter(({ state }) => state !== 'rejected')
    .map(({ amount }) => amount as number)
  expect(cents(balances.payoutAvailable) + cents(balances.payoutPending) + sum(paid)).toBe(
    sum([...rows.values()].flat().map(({ net }) => net)),
  )
}

it('notifications are created when fans subscribe, tip, buy, comment, like and write', async () => {
  const client = await openClient('agency')
  const account = client.account()
  const newest = async () => (await client.getData('notifications?limit=1')).list[0]
  const unread = async (tab: string) => (await client.getData('notifications/counts'))[tab]
  const by = { account_id: account }
  client.sandbox.act([
    { type: 'subscriber.new', ...by },
    { type: 'post.publish', ...by, text: 'New', price: 8 },
  ])
  const fan_id = getIndexedTables(client.db).subscriptions.in('byAccount', account).at(0)!.fanId
  const { id: post_id } = getIndexedTables(client.db).posts.in('published', account).at(0)!
  expect(await newest()).toMatchObject({
    type: 'subscribed',
    user: { id: fan_id },
    isRead: false,
  })
  const deeds = [
    ['subscribed', { type: 'subscriber.renew', ...by, fan_id }],
    ['tip', { type: 'tip', ...by, fan_id, amount: 5 }],
    ['purchases', { type: 'post.unlock', ...by, fan_id, post_id }],
    ['commented', { type: 'post.comment', ...by, fan_id, post_id, text: 'Fine' }],
    ['favorited', { type: 'post.like', ...by, fan_id, post_id }],
    ['message', { type: 'message.from_fan', ...by, fan_id }],
  ] as const
  for (const [tab, deed] of deeds) {
    const before = [await unread(tab), await unread('all')]
    client.sandbox.act(deed)
    expect(await newest()).toMatchObject({
      type: tab,
      user: { id: fan_id },
      isRead: false,
      createdAt: toPlatformTime(client.sandbox.clock.iso()),
    })
    expect([await unread(tab), await unread('all')]).toEqual(before.map((count) => count + 1))
  }
})
