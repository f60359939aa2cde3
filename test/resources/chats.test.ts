import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

type Chat = ReturnType<Client['db']['chats']['all']>[number]

const shown = (client: Client) =>
  client.db.chats.where({ accountId: client.account(), isHidden: false })
const fanWrites = (client: Client, fan: number, text = 'Hello there') =>
  client.sandbox.act({ type: 'message.from_fan', account_id: client.account(), fan_id: fan, text })
const chatOf = async (client: Client, fan: number) =>
  (await readAllPages(client, 'chats?limit=100')).find(
    ({ withUser }) => (withUser as { id: number }).id === fan,
  )

it('marking a chat as unread is rejected if the fan has written no message', async () => {
  const client = await openClient('agency')
  const { id, fanId } = client.db.chats.find(
    (chat) => chat.accountId === client.account() && chat.unreadCount === 0,
  )!
  for (const message of client.db.messages.where({ chatId: id, isFromFan: true }))
    client.db.messages.remove(message.id)
  const { status, body } = await client.post(`chats/${fanId}/mark-as-unread`)
  expect(status).toBe(400)
  expect(body.error).toContain('has no message from the user')
  expect(client.db.chats.get(id)?.unreadCount).toBe(0)
})

describe('GET chats', () => {
  it('is sorted by the latest message, and shows users as short references or in full', async () => {
    const client = await openClient('agency')
    const recent = await readAllPages(client, 'chats?limit=7')
    const times = recent.map(({ lastMessage }) => (lastMessage as { createdAt: string }).createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(await readAllIds(client, 'chats?limit=7&order=old')).toEqual(idsOf(recent).toReversed())
    const { id } = recent[0]!['withUser'] as { id: number }
    expect(recent[0]!['withUser']).toEqual({ id, _view: 's' })
    const full = await client.getData('chats?limit=3&skip_users=none')
    const { username, name } = client.db.fans.get(id)!
    expect(full.list[0].withUser).toMatchObject({ id, username, name })
  })

  it.each<[string, (chat: Chat) => boolean]>([
    ['unread', ({ unreadCount }) => unreadCount > 0],
    ['pinned', ({ pinnedCount }) => pinnedCount > 0],
    ['priority', ({ unreadCount, hasSpent }) => unreadCount > 0 && hasSpent],
    ['who_tipped', ({ hasTipped }) => hasTipped],
  ])('filters by %s', async (filter, isListed) => {
    const client = await openClient('agency')
    const all = await readAllIds(client, 'chats?limit=100')
    const expected = all.filter((id) => isListed(client.db.chats.get(id)!))
    expect(expected.length).toBeGreaterThan(0)
    expect(await readAllIds(client, `chats?filter=${filter}&limit=2`)).toEqual(expected)
  })

  it("finds chats by the fan's name or username, and not by text", async () => {
    const client = await openClient('agency')
    const chat = shown(client)[5]!
    const { username } = client.db.fans.get(chat.fanId)!
    expect(
      await readAllIds(client, `chats?query=${encodeURIComponent(username.toUpperCase())}`),
    ).toContain(chat.id)
    fanWrites(client, chat.fanId, 'A purple elephant')
    expect(await readAllIds(client, 'chats?query=purple%20elephant')).toEqual([])
    expect(await client.getData('chats?query=no-such-text')).toEqual({ list: [], hasMore: false })
  })

  it('filters by the members of a user list from GET lists', async () => {
    const client = await openClient('agency')
    // Excludes creators, whose posts would be added to the list.
    const members = shown(client)
      .filter(({ fanId }) => client.db.fans.get(fanId)?.subscribePrice === 0)
      .slice(3, 6)
    const list = await client.postData('user-lists', { name: 'Chatty' })
    await client.post(`user-lists/${list.id}/users`, { ids: members.map(({ fanId }) => fanId) })
    expect(await readAllPages(client, 'lists')).toContainEqual({
      id: list.id,
      type: 'custom',
      name: 'Chatty',
      postsCount: 0,
    })
    const found = await readAllPages(client, `chats?list_id=${list.id}&limit=2`)
    expect(idsOf(found).toSorted()).toEqual(idsOf(members).toSorted())
    expect((await client.get(`chats?list_id=${list.id}&filter=unread`)).status).toBe(400)
    expect((await client.get('chats?list_id=1')).status).toBe(404)
  })
})

describe('a hidden chat', () => {
  it('is not listed until the fan writes, even if the creator sends messages', async () => {
    const client = await openClient()
    const { id, fanId } = shown(client)[0]!
    const before = await readAllIds(client, `chats/${fanId}/messages`)
    await client.post(`chats/${id}/hide`)
    expect(await readAllIds(client, `chats/${fanId}/messages`)).toEqual(before)
    expect(await chatOf(client, fanId)).toBeUndefined()
    await client.post(`chats/${fanId}/messages`, { text: 'Still there?' })
    expect(await chatOf(client, fanId)).toBeUndefined()
    fanWrites(client, fanId)
    expect(await chatOf(client, fanId)).toMatchObject({
      id,
      lastMessage: { text: '<p>Hello there</p>', isNew: true },
    })
    expect((await client.post(`chats/${fanId}/hide`)).status, 'the id of the fan').toBe(404)
  })
})

it('shows a hidden chat again for a made message of the fan, unless it is older than the last read one', async () => {
  const { sandbox, account: idOf } = await openClient()
  const [accountId, { db, make }] = [idOf(), sandbox]
  const { id, fanId } = db.chats.find({ accountId, unreadCount: 0, isHidden: false })!
  db.chats.update(id, { isHidden: true })
  const { lastMessageId } = db.chats.get(id)!
  make.message({ accountId, fanId, isFromFan: true, at: '-400d' })
  expect(db.chats.get(id)).toMatchObject({ isHidden: true, unreadCount: 0, lastMessageId })
  make.message({ accountId, fanId, isFromFan: true })
  expect(db.chats.get(id)).toMatchObject({ isHidden: false, unreadCount: 1 })
  expect(db.fans.get(fanId)?.lastSeen).toBe(sandbox.clock.iso())
})

it('counts unread messages and tips of a chat down when they are removed or changed', async () => {
  const { sandbox, account: idOf } = await openClient()
  const [accountId, { db, make }] = [idOf(), sandbox]
  const { id, fanId } = db.chats.find({ accountId, unreadCount: 0, hasUnreadTips: false })!
  const [tip, text, other] = [true, false, false].map((isTip) =>
    make.message({ accountId, fanId, isFromFan: true, isTip }),
  )
  const expectUnread = (unreadCount: number, hasUnreadTips: boolean) =>
    expect(db.chats.get(id)).toMatchObject({ unreadCount, hasUnreadTips })
  expectUnread(3, true)
  db.messages.remove(tip!.id)
  expectUnread(2, false)
  db.messages.update(text!.id, { isTip: true })
  expectUnread(2, true)
  db.messages.update(text!.id, { isFromFan: false })
  expectUnread(1, false)
  db.messages.remove(other!.id)
  expectUnread(0, false)
  expectNoViolations(sandbox)
})

describe('the state of a chat', () => {
  it("counts the fan's messages until they are read", async () => {
    const client = await openClient()
    const { fanId } = shown(client)[0]!
    const path = `chats/${fanId}`
    await client.post(`${path}/mark-as-read`)
    fanWrites(client, fanId, 'One')
    const tip = { type: 'tip', account_id: client.account(), fan_id: fanId, on: 'chat' } as const
    client.sandbox.act({ ...tip, amount: 20 })
    expect(await chatOf(client, fanId)).toMatchObject({
      unreadMessagesCount: 2,
      hasUnreadTips: true,
      lastMessage: { isTip: true, isNew: true, text: '<p>I sent you a $20.00 tip ♥</p>' },
    })
    expect(await client.postData(`${path}/mark-as-read`)).toEqual({ success: true })
    expect(await chatOf(client, fanId)).toMatchObject({
      unreadMessagesCount: 0,
      hasUnreadTips: false,
      lastReadMessageId: client.db.chats.find({ fanId })!.lastMessageId,
      lastMessage: { isNew: false },
    })
    await client.post(`${path}/mark-as-unread`)
    expect(await chatOf(client, fanId)).toMatchObject({
      unreadMessagesCount: 1,
      hasUnreadTips: true,
      lastMessage: { isNew: true },
    })
  })

  it('can be marked as read for all chats', async () => {
    const client = await openClient('agency')
    expect(await client.postData('chats/mark-as-read')).toEqual({ success: true })
    expect((await client.getData('chats?filter=unread')).list).toEqual([])
  })

  it('is lost when the chat is deleted, and the next message creates a new chat', async () => {
    const client = await openClient()
    const { id, fanId } = shown(client)[0]!
    expect((await client.delete(`chats/${fanId}`)).body.data).toEqual({ success: true })
    expect(await chatOf(client, fanId)).toBeUndefined()
    expect((await client.delete(`chats/${fanId}`)).status).toBe(404)
    expect(client.db.messages.where({ chatId: id })).toEqual([])
    expect(await client.getData(`chats/${fanId}/messages`)).toEqual({ list: [], hasMore: false })
    fanWrites(client, fanId)
    expect(await chatOf(client, fanId)).toMatchObject({ unreadMessagesCount: 1 })
    expect((await chatOf(client, fanId))?.id).not.toBe(id)
  })

  it.each(['blocked', 'closed'])(
    'shows that the fan is %s, which prevents messages',
    async (how) => {
      const client = await openClient()
      const fanId = (await client.getData('chats?limit=1')).list[0].withUser.id as number
      const path = `chats/${fanId}`
      expect(await client.postData(`${path}/typing`)).toEqual({ success: true })
      if (how === 'blocked') await client.post(`users/${fanId}/block`)
      else client.db.fans.update(fanId, { isActive: false })
      const [chat] = (await client.getData('chats?limit=1&skip_users=none')).list
      expect(chat).toMatchObject({
        canSendMessage: false,
        canNotSendReason: how,
        withUser: { id: fanId, isActive: how === 'blocked', canReceiveChatMessage: false },
      })
      expect((await client.post(`${path}/messages`, { text: 'Hi' })).status).toBe(403)
      expect((await client.post(`${path}/typing`)).status).toBe(403)
      const { total } = await client.postData('mass-messages', { text: 'Hi', userIds: [fanId] })
      expect(total).toBe(0)
    },
  )

  it('is not found with the id of the chat', async () => {
    const client = await openClient()
    const { id } = shown(client)[0]!
    for (const [method, rest] of [
      ['DELETE', ''],
      ['POST', '/mute'],
      ['DELETE', '/mute'],
      ['POST', '/mark-as-read'],
      ['POST', '/mark-as-unread'],
      ['POST', '/typing'],
      ['GET', '/media'],
      ['GET', '/messages'],
      ['GET', '/messages/search?query=a'],
      ['GET', '/messages/1'],
    ] as const) {
      expect((await client.send(method, `chats/${id}${rest}`)).status, rest).toBe(404)
    }
  })
})

describe('GET chats/{user_id}/media', () => {
  it('pages the messages with media by last_id, and filters them', async () => {
    const client = await openClient('empty')
    const { make } = client.sandbox
    const account = client.account()
    const { fanId: fan } = make.subscription({ fanId: make.fan().id })
    const path = `chats/${fan}/media`
    const chat = make.chat({ fanId: fan })
    const sent = (['photo', 'video', 'photo', 'video'] as const).map((type, turn) =>
      make.message({
        chatId: chat.id,
        price: turn === 3 ? 5 : 0,
        mediaFiles: [make.vaultMedia({ type }).id],
      }),
    )
    make.message({ chatId: chat.id })
    const [last, , second, first] = idsOf(sent).toReversed()
    const read = (query: string) => readAllIds(client, `${path}?limit=1&${query}`)
    const all = idsOf(sent).toReversed()
    expect(await read('')).toEqual(all)
    expect((await client.getData(`${path}?limit=50&last_id=${second}`)).nextLastId).toBeNull()
    expect((await client.getData(`${path}?limit=1`)).nextLastId).toBe(last)
    expect(await read(`last_id=${second}`)).toEqual([first])
    expect(await read('type=videos')).toEqual([last, second])
    client.sandbox.act({ type: 'message.unlock', account_id: account, message_id: last })
    expect(await read('purchased=true')).toEqual([last])
    // The buyer has an effect only with purchased=true.
    for (const query of ['opened=false', 'purchased=false', `from_user=${account}`])
      expect(await read(query), query).toEqual(all)
    expect(await read(`purchased=true&from_user=${fan}`)).toEqual([last])
    expect(await read(`purchased=true&from_user=${account}`)).toEqual([])
  })
})
