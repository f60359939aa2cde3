import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { findBusiestLink } from '../support/links.ts'
import { openClient } from '../support/client.ts'
import { readAllPages } from '../support/read-all-pages.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const unlimited = { type: 'limits.set', minute: 1_000_000, day: 1_000_000 } as const
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
    const { isBlocked } = await client.getData(`/v1/${client.account('jonah_reyes')}/fans/${fanId}`)
    expect(isBlocked, 'for another account').toBe(false)
    await client.delete(`users/${fanId}/block`)
    expect([await shown(), await has('subscribers'), await has('subscribers/blocked')]).toEqual([
      all(false),
      true,
      false,
    ])
  })
})

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
  expect(await newest()).toMatchObject({ type: 'subscribed', user: { id: fan_id }, isRead: false })
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
