import { createSandbox } from 'creator-api-sandbox'
import { describe, expect, it } from 'vitest'
import { expectNoViolations } from '../support/invariants.ts'
import { createFreshSandbox, openClient } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

describe('figures of one world', () => {
  it("separate unlocked streams from posts, in a fan's sums and in the statistics", async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { db } = client
    const post = db.posts.find(
      (each) => each.accountId === account && each.status === 'published' && each.price > 0,
    )
    client.sandbox.act({ type: 'subscriber.new', account_id: account, name: 'Stream Friend' })
    const { id: fanId } = db.fans.find(({ name }) => name === 'Stream Friend')!
    db.posts.update(post!.id, { isStream: true })
    const read = async () => {
      const { stream } = (await client.getData('payouts/earning-statistics')).list.total
      const { subscribedOnData } = (await client.getData('subscribers?limit=100')).list.find(
        (row: { id: number }) => row.id === fanId,
      ) ?? { subscribedOnData: {} }
      return { gross: stream.total_gross, ...subscribedOnData }
    }
    const before = await read()
    client.sandbox.act({
      type: 'post.unlock',
      account_id: account,
      post_id: post!.id,
      fan_id: fanId,
    })
    const after = await read()
    expect(after.gross - before.gross).toBeCloseTo(post!.price)
    if (before.streamsSumm !== undefined)
      expect([after.streamsSumm - before.streamsSumm, after.postsSumm - before.postsSumm]).toEqual([
        post!.price,
        0,
      ])
    expectNoViolations(client.sandbox)
  })

  it('rank unlocked streams as media, and not as posts', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { db } = client
    const post = db.posts.find(
      (each) => each.accountId === account && each.status === 'published' && each.price > 0,
    )!
    const { fanId } = db.subscriptions.find({ accountId: account, isBlocked: false })!
    for (const row of db.transactions.where({ accountId: account })) db.transactions.remove(row.id)
    db.posts.update(post.id, { isStream: true })
    client.sandbox.act({
      type: 'post.unlock',
      account_id: account,
      post_id: post.id,
      fan_id: fanId,
    })
    const read = (path: string) => client.getData(`${path}`)
    const top = async (by: string) =>
      (await read(`subscribers/top?by=${by}`)).list.map(
        (row: { spentTotal: number }) => row.spentTotal,
      )
    expect([await top('posts'), await top('media'), await top('total')]).toEqual([
      [],
      [post.price],
      [post.price],
    ])
    const gross = async (by: string) => (await read(`earnings/chart?by=${by}`)).gross
    expect([await gross('post'), await gross('stream'), await gross('total')]).toEqual([
      0,
      post.price,
      post.price,
    ])
    expectNoViolations(client.sandbox)
  })

  it('include a payment without a time only in sums and counts without a window', async () => {
    const client = await openClient('solo')
    const account = client.account()
    const { db } = client
    const read = (path: string) => client.getData(`${path}`)
    const { fanId } = db.subscriptions.find({ accountId: account, isBlocked: false })!
    const always = 'start_date=2004-01-01&end_date=now'
    const figures = async () => {
      const [stats] = (await client.postData(`/v1/fans/${fanId}/stats`, { account_ids: [account] }))
        .stats
      const { payoutAvailable, payoutPending } = await read('payouts/balances')
      return {
        spent: stats.total_spend,
        count: stats.purchase_count,
        ever: (await read('payouts/earning-statistics')).list.total.all.total_net,
        windowed: (await read(`earnings/overview?by=earnings&${always}`)).earning.total,
        listed: (await read(`earnings?${always}`)).list.length,
        payoutAvailable,
        payoutPending,
      }
    }
    const any = db.transactions.all()[0]!
    const own = {
      ...any,
      accountId: account,
      fanId,
      postId: null,
      messageId: null,
      storyId: null,
      category: 'tip' as const,
    }
    const before = await figures()
    db.transactions.insert({
      ...own,
      id: '900000000000001',
      transaction_created_at: null,
      amount: 10,
      net: 8,
      status: 'loading',
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
    db.transactions.update('900000000000001', { status: 'done' })
    expect(await figures()).toEqual({ ...held, payoutAvailable: cents(before.payoutAvailable + 8) })
    expectNoViolations(client.sandbox)
  })

  it('count a payment without an amount as 0 in lists, counts and filters, but in no sum', async () => {
    const client = await openClient('solo')
    const account = client.account()
    const { db } = client
    const chat = db.chats.find((each) => each.accountId === account && !each.isHidden)!
    for (const { id } of db.transactions.where({ accountId: account })) db.transactions.remove(id)
    const id = '900000000000001'
    const fields = {
      id,
      accountId: account,
      fanId: chat.fanId,
      transaction_created_at: client.sandbox.clock.iso(),
      currency: 'USD',
    }
    db.transactions.insert({ ...fields, amount: null, net: 0, category: 'tip', status: 'done' })
    const read = (path: string) => client.getData(`${path}`)
    const ids = (rows: { id: number }[]) => idsOf(rows)
    for (const by of ['total', 'currency', 'recent'])
      expect(ids((await read(`subscribers/top?by=${by}`)).list)).toEqual([chat.fanId])
    expect(ids((await read('chats?filter=who_tipped')).list)).toEqual([chat.id])
    expect((await read('earnings')).list).toMatchObject([{ id, amount: null }])
    const chart = await read('earnings/chart')
    expect([chart.gross, chart.chartCount.map(({ count }: { count: number }) => count)]).toEqual([
      0,
      [1],
    ])
    const { fans } = await client.postData('/v1/fans', { account_ids: [account] })
    expect(fans).toMatchObject([{ fan_id: String(chat.fanId), total_spend: 0, purchase_count: 1 }])
    expectNoViolations(client.sandbox)
  })
})

it('exclude payments without a time from the pending balance, because no list shows them', async () => {
  const sandbox = await createFreshSandbox('solo')
  const row = sandbox.db.transactions.find(
    ({ status, amount }) => status === 'done' && amount !== null,
  )!
  sandbox.db.transactions.update(row.id, { transaction_created_at: null, status: 'loading' })
  expectNoViolations(sandbox)
})

it('count the payer of an unknown amount as a payer, and the tipper of one as a tipper', async () => {
  const sandbox = await createFreshSandbox('agency')
  const chat = sandbox.db.chats.find(({ hasTipped }) => !hasTipped)!
  for (const { id } of sandbox.db.transactions.where({
    accountId: chat.accountId,
    fanId: chat.fanId,
  }))
    sandbox.db.transactions.remove(id)
  expect(sandbox.db.chats.get(chat.id)).toMatchObject({ hasSpent: false, hasTipped: false })
  const any = sandbox.db.transactions.all()[0]!
  const fields = {
    accountId: chat.accountId,
    fanId: chat.fanId,
    postId: null,
    messageId: null,
    storyId: null,
    isOnStream: false,
  }
  sandbox.db.transactions.insert({
    ...any,
    ...fields,
    id: '900000000000001',
    category: 'tip',
    status: 'done',
    amount: null,
  })
  expect(sandbox.db.chats.get(chat.id)).toMatchObject({ hasSpent: true, hasTipped: true })
  expectNoViolations(sandbox)
})

it('put the media of hand-written records into the built-in lists', async () => {
  const sandbox = createSandbox({ scenario: 'launch-day' })
  await sandbox.ready
  const { db } = sandbox
  const post = db.posts.find(({ mediaFiles }) => mediaFiles.length > 0)!
  const list = db.vaultLists.find(
    ({ accountId, type }) => accountId === post.accountId && type === 'posts',
  )!
  expect(post.mediaFiles.map((id) => db.vaultMedia.get(id)?.listIds.includes(list.id))).toEqual(
    post.mediaFiles.map(() => true),
  )
})

it('derive figures of hand-written posts and messages from hand-written payments', async () => {
  const account = 100_200_300
  const base = await createFreshSandbox('solo')
  const post = base.db.posts.find(({ price, mediaFiles }) => price === 0 && mediaFiles.length > 0)!
  const message = base.db.messages.find(
    ({ isFromFan, purchasedAt }) => !isFromFan && purchasedAt === null,
  )!
  const paid = {
    accountId: account,
    fanId: message.fanId,
    transaction_created_at: base.clock.iso(),
    amount: 9,
    net: 7.2,
    currency: 'USD',
  }
  const records = {
    posts: [{ ...post, price: 9 }],
    messages: [{ ...message, price: 9 }],
    transactions: [
      { ...paid, id: '900000000000001', category: 'unlock', status: 'done', postId: post.id },
      {
        ...paid,
        id: '900000000000002',
        category: 'message',
        status: 'done',
        messageId: message.id,
      },
    ],
  }
  const sandbox = await createFreshSandbox('solo')
  await sandbox.control.loadScenario({
    yaml: JSON.stringify({ extends: 'solo', name: 'mine', records }),
  })
  expect(sandbox.db.posts.get(post.id)).toMatchObject({
    purchasedCount: 1,
    purchasedSumm: 9,
    hasStats: true,
  })
  expect(sandbox.db.messages.get(message.id)).toMatchObject({
    isOpened: true,
    purchasedAt: paid.transaction_created_at,
  })
  expectNoViolations(sandbox)
})
