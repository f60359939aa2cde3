import { createSandbox } from 'creator-api-sandbox'
import { describe, expect, it } from 'vitest'
import { expectNoViolations } from '../support/invariants.ts'
import { createFreshSandbox, openClient } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

describe('figures of one world', () => {
  it('separate unlocked streams from posts, in sums, statistics and rankings', async () => {
    const client = await openClient('empty')
    const { make } = client.sandbox
    const { id: post_id } = make.post({ isStream: true, price: 12 })
    const { fanId: fan_id } = make.subscription({ fanId: make.fan().id })
    client.sandbox.act({ type: 'post.unlock', account_id: client.account(), post_id, fan_id })
    const { stream } = (await client.getData('payouts/earning-statistics')).list.total
    expect(stream.total_gross).toBe(12)
    const { subscribedOnData } = (await client.getData('subscribers')).list[0]
    expect(subscribedOnData).toMatchObject({ streamsSumm: 12, postsSumm: 0 })
    const ranked = async (by: string) =>
      (await client.getData(`subscribers/top?by=${by}`)).list.map(
        ({ spentTotal }: { spentTotal: number }) => spentTotal,
      )
    expect(await ranked('posts')).toEqual([])
    expect([await ranked('media'), await ranked('total')]).toEqual([[12], [12]])
    const gross = async (by: string) => (await client.getData(`earnings/chart?by=${by}`)).gross
    expect([await gross('post'), await gross('stream'), await gross('total')]).toEqual([0, 12, 12])
    expectNoViolations(client.sandbox)
  })

  it('include a payment without a time only in sums and counts without a window', async () => {
    const client = await openClient('solo')
    const account = client.account()
    const { db, make } = client.sandbox
    const { fanId } = db.subscriptions.find({ accountId: account, isBlocked: false })!
    const always = 'start_date=2004-01-01&end_date=now'
    const figures = async () => {
      const [stats] = (await client.postData(`/v1/fans/${fanId}/stats`, { account_ids: [account] }))
        .stats
      const { payoutAvailable, payoutPending } = await client.getData('payouts/balances')
      return {
        spent: stats.total_spend,
        count: stats.purchase_count,
        ever: (await client.getData('payouts/earning-statistics')).list.total.all.total_net,
        windowed: (await client.getData(`earnings/overview?by=earnings&${always}`)).earning.total,
        listed: (await client.getData(`earnings?${always}`)).list.length,
        payoutAvailable,
        payoutPending,
      }
    }
    const before = await figures()
    const { id } = make.transaction({
      fanId,
      category: 'tip',
      amount: 10,
      net: 8,
      status: 'loading',
      transaction_created_at: null,
    })
    const cents = (dollars: number) => Math.round(dollars * 100) / 100
    const held = {
      ...before,
      spent: cents(before.spent + 10),
      count: before.count + 1,
      ever: cents(before.ever + 8),
    }
    expect(await figures()).toEqual(held)
    expectNoViolations(client.sandbox)
    db.transactions.update(id, { status: 'done' })
    expect(await figures()).toEqual({ ...held, payoutAvailable: cents(before.payoutAvailable + 8) })
    expectNoViolations(client.sandbox)
  })

  it('count a payment without an amount as 0 in lists, counts and filters, but in no sum', async () => {
    const client = await openClient('solo')
    const account = client.account()
    const { db, make } = client.sandbox
    const chat = db.chats.find((each) => each.accountId === account && !each.isHidden)!
    for (const { id } of db.transactions.where({ accountId: account })) db.transactions.remove(id)
    expect(db.chats.get(chat.id)).toMatchObject({ hasSpent: false, hasTipped: false })
    const { fanId } = chat
    const { id } = make.transaction({ fanId, category: 'tip', amount: null, net: 8 })
    expect(db.chats.get(chat.id)).toMatchObject({ hasSpent: true, hasTipped: true })
    const list = async (path: string) => (await client.getData(path)).list
    for (const by of ['total', 'currency', 'recent'])
      expect(idsOf(await list(`subscribers/top?by=${by}`))).toEqual([fanId])
    expect(idsOf(await list('chats?filter=who_tipped'))).toEqual([chat.id])
    expect(await list('earnings')).toMatchObject([{ id, amount: null }])
    const chart = await client.getData('earnings/chart')
    expect(chart).toMatchObject({ total: 0, gross: 0, chartCount: [{ count: 1 }] })
    const { fans } = await client.postData('/v1/fans', { account_ids: [account] })
    expect(fans).toMatchObject([{ fan_id: String(fanId), total_spend: 0, purchase_count: 1 }])
    expectNoViolations(client.sandbox)
  })
})

it('put the media of hand-written records into the built-in lists', async () => {
  const sandbox = createSandbox({ scenario: 'launch-day' })
  await sandbox.ready
  const { db } = sandbox
  const post = db.posts.find(({ mediaFiles }) => mediaFiles.length > 0)!
  const list = db.vaultLists.find({ accountId: post.accountId, type: 'posts' })!
  for (const id of post.mediaFiles) expect(db.vaultMedia.get(id)?.listIds).toContain(list.id)
})

it('derive figures of hand-written posts and messages from hand-written payments', async () => {
  const sandbox = await createFreshSandbox('solo')
  const { posts, messages } = sandbox.db
  const post = posts.find(({ price, mediaFiles }) => price === 0 && mediaFiles.length > 0)!
  const message = messages.find(({ isFromFan, purchasedAt }) => !isFromFan && purchasedAt === null)!
  const { fanId } = message
  const [paidAt, paid] = [sandbox.clock.iso(), { status: 'done', amount: 9, fanId }]
  const records = {
    posts: [{ ...post, price: 9 }],
    messages: [{ ...message, price: 9 }],
    transactions: [
      { ...paid, category: 'unlock', postId: post.id },
      { ...paid, category: 'message', messageId: message.id },
    ],
  }
  await sandbox.control.loadScenario({
    yaml: JSON.stringify({ extends: 'solo', name: 'mine', records }),
  })
  expect(sandbox.db.posts.get(post.id)).toMatchObject({
    purchasedCount: 1,
    purchasedSumm: 9,
    hasStats: true,
  })
  expect(sandbox.db.messages.get(message.id)).toMatchObject({ isOpened: true, purchasedAt: paidAt })
  expectNoViolations(sandbox)
})
