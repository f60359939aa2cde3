import { expect, it } from 'vitest'
import { openActions } from '../support/actions.ts'
import type { ActionClient } from '../support/actions.ts'
import { expectSameText } from '../support/expectations.ts'

const dayMs = 86_400_000

/** Returns a fan's payments, newest first. */
const paymentsOf = ({ read, account }: ActionClient, fanId: number) =>
  read(`fans/${fanId}/transactions`, 'POST', { account_ids: [account.id] }).then(
    ({ transactions }) => transactions,
  )
const statsOf = async ({ read, account }: ActionClient, fanId: number) =>
  (await read(`fans/${fanId}/stats`, 'POST', { account_ids: [account.id] })).stats[0]
const newestFan = ({ tables, account }: ActionClient) =>
  tables.subscriptions.in('byAccount', account.id).at(0)!
const activeFan = ({ tables, account }: ActionClient) =>
  tables.subscriptions.in('byActivity', `${account.id}:active`).at(3)!.fanId

it('subscribes a new fan, with name, first payment and notification', async () => {
  const world = await openActions()
  const text = await world.act({ type: 'subscriber.new', name: 'Ida Holm', username: 'ida.holm' })
  expect(text).toBe('Ida Holm subscribed to mara_lindqvist for $12.99')
  const { fanId, subscribedAt, expiredAt } = newestFan(world)
  expect(world.db.fans.get(fanId)).toMatchObject({
    name: 'Ida Holm',
    username: 'ida.holm',
    lastSeen: world.sandbox.clock.iso(),
  })
  expect(Date.parse(expiredAt) - Date.parse(subscribedAt)).toBe(30 * dayMs)
  const [payment] = await paymentsOf(world, fanId)
  expect(payment).toMatchObject({
    amount: 12.99,
    fee: 2.6,
    currency: 'USD',
    category: 'new_subscription',
    status: 'done',
    transaction_created_at: world.sandbox.clock.iso(),
  })
  expect(payment.net).toBeCloseTo(12.99 - payment.fee - payment.vat_amount, 10)
  const [newest] = (await world.read(':id/notifications?limit=1')).list
  expect(newest).toMatchObject({
    type: 'subscribed',
    subType: 'new_subscriber',
    isRead: false,
    user: { id: fanId },
    replacePairs: { '{PRICE}': '$12.99' },
  })
  expect(await world.refuse({ type: 'subscriber.new', fan_id: fanId })).toContain(
    'is already a fan of mara_lindqvist. Use subscriber.renew',
  )
  expect(await world.refuse({ type: 'subscriber.new', username: 'IDA.holm' })).toContain(
    'Choose another',
  )
})

it('accepts a user known to another account, and creates no payment for a price of 0', async () => {
  const world = await openActions()
  const other = world.db.accounts.find({ username: 'ines_kaya' })!
  const { fanId } = world.db.subscriptions.find(
    (row) =>
      row.accountId === other.id &&
      world.tables.subscriptions.in('byFan', `${world.account.id}:${row.fanId}`).size === 0,
  )!
  const before = world.db.transactions.size
  expect(await world.act({ type: 'subscriber.new', fan_id: fanId, price: 0 })).toContain('for free')
  expect(newestFan(world).fanId).toBe(fanId)
  expect(world.db.transactions.size).toBe(before)
})

it('by default, renews the subscription that ends next', async () => {
  const world = await openActions()
  const running = () =>
    world.db.subscriptions.where(
      ({ accountId, isExpired, isBlocked }) =>
        accountId === world.account.id && !isExpired && !isBlocked,
    )
  const before = running().toSorted((a, b) => a.expiredAt.localeCompare(b.expiredAt))
  for (const { id, expiredAt } of before.slice(0, 3)) {
    await world.act({ type: 'subscriber.renew' })
    const renewed = world.db.subscriptions.get(id)?.expiredAt ?? ''
    expect(Date.parse(renewed) - Date.parse(expiredAt)).toBe(30 * dayMs)
  }
})

it('renews after the remaining days, or from now on', async () => {
  const world = await openActions()
  await world.act({ type: 'subscriber.new' })
  const { fanId, expiredAt } = newestFan(world)
  world.sandbox.clock.advance('1h')
  await world.act({ type: 'subscriber.renew', fan_id: fanId, price: 10 })
  expect(Date.parse(newestFan(world).expiredAt) - Date.parse(expiredAt)).toBe(30 * dayMs)
  await world.act({ type: 'subscriber.expire', fan_id: fanId })
  expect(newestFan(world)).toMatchObject({ expiredAt: world.sandbox.clock.iso(), isExpired: true })
  expect(await world.refuse({ type: 'subscriber.expire', fan_id: fanId })).toContain(
    'the subscription ended',
  )
  world.sandbox.clock.advance('3d')
  await world.act({ type: 'subscriber.renew', fan_id: fanId })
  expect(Date.parse(newestFan(world).expiredAt)).toBe(world.sandbox.clock.now() + 30 * dayMs)
  expect(await paymentsOf(world, fanId)).toMatchObject([
    { category: 'recurring_subscription', amount: 10 },
    { category: 'recurring_subscription', amount: 10 },
    { category: 'new_subscription', amount: 12.99 },
  ])
})

it('claims a tracking link, which gets the subscriber, clicks and revenue', async () => {
  const world = await openActions()
  const link = world.db.trackingLinks.find({ accountId: world.account.id, endDate: null })!
  const before = await world.read(`:id/tracking-links/${link.id}`)
  await world.act({ type: 'link.claim', tracking_link_id: link.id, clicks: 8 })
  await world.act({ type: 'tip', fan_id: newestFan(world).fanId, amount: 20 })
  const after = await world.read(`:id/tracking-links/${link.id}`)
  expect(after.countSubscribers).toBe(before.countSubscribers + 1)
  expect(after.countTransitions).toBe(before.countTransitions + 8)
  expect(after.revenue.total).toBeCloseTo(before.revenue.total + 12.99 + 20, 10)
})

it('claims a trial link, which is free for its number of days, until its limit is reached', async () => {
  const world = await openActions()
  const made = world.db.trialLinks.find(
    (link) => link.accountId === world.account.id && link.finishedAt === null,
  )!
  world.db.trialLinks.update(made.id, {
    subscribeCounts: world.tables.subscriptions.in('byTrialLink', made.id).size + 1,
  })
  expect(await world.act({ type: 'link.claim', trial_link_id: made.id, name: 'Bo' })).toBe(
    `Bo subscribed to mara_lindqvist for a free trial through ${made.trialLinkName}`,
  )
  const { fanId, expiredAt } = newestFan(world)
  expect(Date.parse(expiredAt)).toBe(world.sandbox.clock.now() + made.subscribeDays * dayMs)
  expect(await paymentsOf(world, fanId)).toEqual([])
  expect((await world.read(':id/notifications?limit=1')).list[0]).toMatchObject({
    subType: 'new_subscriber_trial',
  })
  expect(await world.refuse({ type: 'link.claim', trial_link_id: made.id })).toContain(
    'that link is finished',
  )
})

it('tips on a post, which changes its figures, its chart and the stats of the fan', async () => {
  const world = await openActions()
  const fan_id = activeFan(world)
  const post = world.tables.posts.in('published', world.account.id).at(4)!
  const before = await statsOf(world, fan_id)
  await world.act({ type: 'tip', fan_id, post_id: post.id, amount: 33 })
  const stats = await world.read(`:id/posts/${post.id}/stats`)
  expect(stats.tipSum).toBe(Math.round(post.tipSum + 33))
  expect(stats.tipChart.at(-1)).toMatchObject({
    date: `${world.sandbox.clock.iso().slice(0, 10)}T00:00:00+00:00`,
  })
  const after = await statsOf(world, fan_id)
  expect(after.total_spend).toBeCloseTo(before.total_spend + 33, 10)
  expect(after.purchase_count).toBe(before.purchase_count + 1)
  expect((await world.read(':id/notifications?type=tip&limit=1')).list[0]).toMatchObject({
    user: { id: fan_id },
    replacePairs: { '{AMOUNT}': '$33.00' },
  })
})

it('tips in the chat, which gets an unread message about the tip', async () => {
  const world = await openActions()
  const fan_id = activeFan(world)
  expect(
    await world.act({ type: 'tip', fan_id, amount: 15, text: 'For the <new> camera' }),
  ).toContain('tipped $15.00 in the chat')
  const [message] = (await world.read(`:id/chats/${fan_id}/messages?limit=1`)).list
  expect(message).toMatchObject({ text: '<p>For the &lt;new&gt; camera</p>', isTip: true })
  expect(world.db.transactions.find({ messageId: message.id })).toMatchObject({
    amount: 15,
    category: 'tip',
    fanId: fan_id,
  })
  const [chat] = (await world.read(':id/chats?limit=1')).list
  expect(chat.withUser.id).toBe(fan_id)
})

it('unlocks a paid post once for each fan', async () => {
  const world = await openActions()
  const fan_id = activeFan(world)
  await world.act({ type: 'post.publish', text: 'The full set', price: 12 })
  const post = world.newestPost()
  await world.act({ type: 'post.unlock', post_id: post.id, fan_id })
  expect(world.db.posts.get(post.id)).toMatchObject({
    purchasedCount: 1,
    purchasedSumm: 12,
    lookCount: 1,
    hasStats: true,
  })
  expect(await world.refuse({ type: 'post.unlock', post_id: post.id, fan_id })).toContain(
    'has already unlocked post',
  )
  const free = world.db.posts.find(
    (each) =>
      each.accountId === world.account.id && each.status === 'published' && each.price === 0,
  )!
  expect(await world.refuse({ type: 'post.unlock', post_id: free.id })).toContain(
    'not a published post with a price',
  )
})

it('unlocks a paid message once', async () => {
  const world = await openActions()
  await world.act({ type: 'message.unlock' })
  const { messageId, amount } = world.tables.transactions.in('byAccount', world.account.id).at(0)!
  expect(world.db.messages.get(messageId!)).toMatchObject({
    price: amount,
    isOpened: true,
    purchasedAt: world.sandbox.clock.iso(),
  })
  expect(await world.refuse({ type: 'message.unlock', message_id: messageId })).toContain(
    'already unlocked',
  )
})

it("sends a message of a fan, who reads the creator's answer", async () => {
  const world = await openActions()
  const fan_id = activeFan(world)
  expect(await world.act({ type: 'message.from_fan', fan_id, text: 'Hello & good night' })).toMatch(
    / wrote to mara_lindqvist: Hello & good night$/,
  )
  const sent = await world.read(`:id/chats/${fan_id}/messages`, 'POST', { text: 'Good night!' })
  const isOpened = () => world.db.messages.get(sent.id)?.isOpened
  expect(isOpened()).toBe(false)
  expect(await world.act({ type: 'message.read', fan_id })).toMatch(
    / read 1 message of mara_lindqvist$/,
  )
  expect(isOpened()).toBe(true)
  expect(await world.act({ type: 'message.read', fan_id })).toMatch(
    / read 0 messages of mara_lindqvist$/,
  )
})

it('settles payments and reverses them, one step per call', async () => {
  const world = await openActions()
  const fan_id = activeFan(world)
  await world.act({ type: 'tip', fan_id, amount: 50, status: 'loading' })
  const { id: transaction_id } = world.db.transactions.find({
    fanId: fan_id,
    amount: 50,
    status: 'loading',
  })!
  const status = () => world.db.transactions.get(transaction_id)?.status
  const spent = async () => (await statsOf(world, fan_id)).total_spend
  const before = await spent()
  expect(await world.refuse({ type: 'transaction.reverse', transaction_id })).toContain(
    'its status is loading: only done can become pending_return',
  )
  await world.act({ type: 'transaction.settle', transaction_id })
  expect(status()).toBe('done')
  await world.act({ type: 'transaction.reverse', transaction_id })
  expect(status()).toBe('pending_return')
  await world.act({ type: 'transaction.reverse', transaction_id })
  expect(status()).toBe('undo')
  expect(await spent()).toBeCloseTo(before - 50, 10)
  expect(await world.refuse({ type: 'transaction.reverse', transaction_id })).toContain(
    'its status is undo',
  )
  await world.act({ type: 'transaction.reverse', to: 'undo' })
})

it('never selects a blocked fan, and rejects one that is given', async () => {
  const world = await openActions('solo')
  const running = world.tables.subscriptions.in('byActivity', `${world.account.id}:active`).slice()
  for (const { fanId } of running) await world.read(`:id/users/${fanId}/block`, 'POST')
  expect(await world.refuse({ type: 'tip' })).toContain(
    'mara_solo has no fan with a running subscription: add one with subscriber.new',
  )
  expect(await world.refuse({ type: 'tip', fan_id: running[0]!.fanId })).toContain(
    'has blocked that fan',
  )
  await world.act({ type: 'subscriber.new' })
  await world.act({ type: 'tip' })
  expect(world.tables.transactions.in('byAccount', world.account.id).at(0)?.fanId).toBe(
    newestFan(world).fanId,
  )
})

it.each([
  [{ type: 'subscriber.new', fan_id: 5 }, 'there is no such user'],
  [{ type: 'subscriber.new', fan_id: 5, name: 'Bo' }, 'name and username are for a new user'],
  [
    { type: 'subscriber.new', tracking_link_id: 1, trial_link_id: 1 },
    'only one of tracking_link_id and trial_link_id',
  ],
  [{ type: 'subscriber.new', price: 5, trial_link_id: 1 }, 'a trial is free'],
  [
    { type: 'subscriber.renew', fan_id: 5 },
    'fan_id is 5, but there is no such fan of mara_solo. There are ',
  ],
  [{ type: 'link.claim', tracking_link_id: 5 }, 'no such tracking link of mara_solo'],
  [{ type: 'link.claim', trial_link_id: 5 }, 'no such trial link of mara_solo'],
  [{ type: 'tip', amount: 4.99 }, 'it must be at least 5'],
  [{ type: 'tip', amount: 5.005 }, 'at most two decimals'],
  [{ type: 'tip', on: 'chat', post_id: 1 }, 'post_id is allowed only with on: post'],
  [{ type: 'tip', on: 'post', text: 'Hi' }, 'text is allowed only with on: chat'],
  [{ type: 'tip', post_id: 5 }, 'no such published post of mara_solo. There are '],
  [{ type: 'message.unlock', message_id: 5 }, 'no such message of mara_solo'],
  [{ type: 'transaction.settle', transaction_id: '5' }, 'no such transaction of mara_solo'],
  [{ type: 'transaction.reverse', to: 'done' }, 'it must be one of pending_return, undo'],
])('rejects %j and changes nothing', async (action, text) => {
  const world = await openActions('solo')
  const before = JSON.stringify(world.sandbox.snapshot())
  expect(await world.refuse(action)).toContain(text)
  expectSameText(JSON.stringify(world.sandbox.snapshot()), before, 'the snapshot')
})
