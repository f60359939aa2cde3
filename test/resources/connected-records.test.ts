import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { findBusiestLink } from '../support/links.ts'
import { openClient } from '../support/client.ts'
import { readAllIds } from '../support/read-all-pages.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const unlimited = { type: 'limits.set', minute: 1_000_000, day: 1_000_000 } as const
describe('a fan who is blocked', () => {
  it('is marked on all user objects, moves from the subscribers to the blocked users, and back', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const link = findBusiestLink(client, 'tracking', account)
    const claimer = { name: 'Ida Holm', username: 'ida.holm', tracking_link_id: link.id }
    client.sandbox.act([unlimited, { type: 'link.claim', account_id: account, ...claimer }])
    const { fanId } = getIndexedTables(client.db).subscriptions.in('byAccount', account).at(0)!
    client.sandbox.act({ type: 'message.from_fan', account_id: account, fan_id: fanId })
    const list = (await client.postData('user-lists', { name: 'Some' })).id
    await client.post(`user-lists/${list}/users`, { ids: [fanId] })

    const read = async (path: string) => await client.getData(path)
    const users = async () => [
      await read(`fans/${fanId}`),
      await read('users/ida.holm'),
      (await read(`tracking-links/${link.id}/claimers`)).list[0],
      (await read(`user-lists/${list}/users`)).list[0],
      (await read('chats?skip_users=none')).list[0].withUser,
      (await read(`chats/${fanId}/messages?skip_users=none`)).list[0].fromUser,
      (await read('notifications?skip_users=none')).list[0].user,
    ]
    const expectBlocked = async (isBlocked: boolean) => {
      for (const user of await users()) expect(user).toMatchObject({ id: fanId, isBlocked })
      const [active, blocked] = [
        await readAllIds(client, 'subscribers?limit=100'),
        await readAllIds(client, 'subscribers/blocked?limit=100'),
      ]
      expect([active.includes(fanId), blocked.includes(fanId)]).toEqual([!isBlocked, isBlocked])
    }
    await expectBlocked(false)
    await client.post(`users/${fanId}/block`)
    await expectBlocked(true)
    const { isBlocked } = await client.getData(`/v1/${client.account('jonah_reyes')}/fans/${fanId}`)
    expect(isBlocked, 'for another account').toBe(false)
    await client.delete(`users/${fanId}/block`)
    await expectBlocked(false)
  })
})

it('notifications are created when fans subscribe, tip, buy, comment, like and write', async () => {
  const client = await openClient('agency')
  const account = client.account()
  const newest = async () => (await client.getData('notifications?limit=1')).list[0]
  const by = { account_id: account }
  client.sandbox.act([
    { type: 'subscriber.new', ...by },
    { type: 'post.publish', ...by, text: 'New', price: 8 },
  ])
  const fan_id = getIndexedTables(client.db).subscriptions.in('byAccount', account).at(0)!.fanId
  const { id: post_id } = getIndexedTables(client.db).posts.in('published', account).at(0)!
  const deeds = [
    ['subscribed', { type: 'subscriber.renew', ...by, fan_id }],
    ['tip', { type: 'tip', ...by, fan_id, amount: 5 }],
    ['purchases', { type: 'post.unlock', ...by, fan_id, post_id }],
    ['commented', { type: 'post.comment', ...by, fan_id, post_id, text: 'Fine' }],
    ['favorited', { type: 'post.like', ...by, fan_id, post_id }],
    ['message', { type: 'message.from_fan', ...by, fan_id }],
  ] as const
  for (const [tab, deed] of deeds) {
    client.sandbox.act(deed)
    expect(await newest()).toMatchObject({
      type: tab,
      user: { id: fan_id },
      isRead: false,
      createdAt: toPlatformTime(client.sandbox.clock.iso()),
    })
  }
})
