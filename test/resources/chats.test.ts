import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { readAllPages } from '../support/read-all-pages.ts'

const shown = (client: Client, account: number) =>
  client.sandbox.db.chats.where({ accountId: account, isHidden: false })
const fanWrites = (client: Client, account: number, fan: number, text = 'Hello there') =>
  client.sandbox.act({ type: 'message.from_fan', account_id: account, fan_id: fan, text })
const chatOf = async (client: Client, account: number, fan: number) =>
  (await readAllPages(client, `/v1/${account}/chats?limit=100`)).find(
    ({ withUser }) => (withUser as { id: number }).id === fan,
  )

describe('the last message of a chat', () => {
  it('is always the newest one, after adding older messages and after deleting it', async () => {
    const client = await openClient('agency')
    const { db } = client.sandbox
    // No message id exists between two adjacent ids.
    const chat = shown(client, client.account()).find(({ id, lastMessageId }) =>
      db.messages.where({ chatId: id }).every((message) => message.id !== lastMessageId - 1),
    )!
    const last = db.messages.get(chat.lastMessageId)!
    const older = new Date(Date.parse(last.createdAt) - 1).toISOString()
    const added = client.sandbox.make.message({
      chatId: chat.id,
      fanId: chat.fanId,
      accountId: chat.accountId,
      createdAt: older,
      text: 'Found late',
    })
    expect(db.chats.get(chat.id)).toMatchObject({
      lastMessageId: last.id,
      lastMessageAt: last.createdAt,
    })
    db.messages.remove(last.id)
    expect([db.chats.get(chat.id)?.lastMessageId, db.messages.get(added.id)?.createdAt]).toEqual([
      added.id,
      added.createdAt,
    ])
  })
})

describe('marking a chat as unread', () => {
  it('is rejected if the fan has written no message', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { id, fanId } = client.sandbox.db.chats.find(
      (chat) => chat.accountId === account && chat.unreadCount === 0,
    )!
    for (const message of client.sandbox.db.messages.where({ chatId: id, isFromFan: true }))
      client.sandbox.db.messages.remove(message.id)
    const { status, body } = await client.post(`/v1/${account}/chats/${fanId}/mark-as-unread`)
    expect([status, body]).toEqual([
      400,
      { error: expect.stringContaining('has no message from the user') },
    ])
    expect(client.sandbox.db.chats.get(id)?.unreadCount).toBe(0)
  })
})

describe('GET chats', () => {
  it('lists every visible chat once, sorted by the latest message', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const recent = await readAllPages(client, `/v1/${account}/chats?limit=7`)
    const times = recent.map(({ lastMessage }) => (lastMessage as { createdAt: string }).createdAt)
    expect(recent.map(({ id }) => id).toSorted()).toEqual(
      shown(client, account)
        .map(({ id }) => id)
        .toSorted(),
    )
    expect(times).toEqual(times.toSorted().toReversed())
    expect(
      (await readAllPages(client, `/v1/${account}/chats?limit=7&order=old`)).map(({ id }) => id),
    ).toEqual(recent.map(({ id }) => id).toReversed())
  })

  it('shows users as short references or in full', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { data } = (await client.get(`/v1/${account}/chats?limit=3`)).body
    expect(data.list[0].withUser).toEqual({ id: expect.any(Number), _view: 's' })
    const full = (await client.get(`/v1/${account}/chats?limit=3&skip_users=none`)).body.data
    expect(full.list[0].withUser).toMatchObject({
      id: data.list[0].withUser.id,
      username: expect.any(String),
      name: expect.any(String),
    })
  })

  it('filters by unread, pinned, priority and tipped', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const all = await readAllPages(client, `/v1/${account}/chats?limit=100`)
    const byFilter = async (filter: string) =>
      (await readAllPages(client, `/v1/${account}/chats?filter=${filter}&limit=2`)).map(
        ({ id }) => id,
      )
    const tippers = new Set(
      client.sandbox.db.transactions
        .where(
          (row) => row.accountId === account && row.category === 'tip' && row.status !== 'undo',
        )
        .map(({ fanId }) => fanId),
    )
    const ids = (keep: (chat: (typeof all)[number]) => boolean) =>
      all.filter(keep).map(({ id }) => id)
    expect(await byFilter('unread')).toEqual(
      ids(({ unreadMessagesCount }) => (unreadMessagesCount as number) > 0),
    )
    expect(await byFilter('pinned')).toEqual(
      ids(({ countPinnedMessages }) => (countPinnedMessages as number) > 0),
    )
    expect(await byFilter('who_tipped')).toEqual(
      ids(({ withUser }) => tippers.has((withUser as { id: number }).id)),
    )
    expect(await byFilter('unread')).toEqual(expect.arrayContaining(await byFilter('priority')))
    for (const filter of ['unread', 'pinned', 'who_tipped'])
      expect((await byFilter(filter)).length).toBeGreaterThan(0)
  })

  it("finds chats by the fan's name or username, and not by text", async () => {
    const client = await openClient('agency')
    const account = client.account()
    const chat = shown(client, account)[5]!
    const { username } = client.sandbox.db.fans.get(chat.fanId)!
    expect(
      (
        await readAllPages(
          client,
          `/v1/${account}/chats?query=${encodeURIComponent(username.toUpperCase())}`,
        )
      ).map(({ id }) => id),
    ).toContain(chat.id)
    fanWrites(client, account, chat.fanId, 'A purple elephant')
    expect(
      (await readAllPages(client, `/v1/${account}/chats?query=purple%20elephant`)).map(
        ({ id }) => id,
      ),
    ).toEqual([])
    expect((await client.get(`/v1/${account}/chats?query=no-such-text`)).body.data).toEqual({
      list: [],
      hasMore: false,
    })
  })

  it('filters by the members of a user list from GET lists', async () => {
    const client = await openClient('agency')
    const account = client.account()
    // Excludes creators, whose posts would be added to the list.
    const members = shown(client, account)
      .filter(({ fanId }) => client.sandbox.db.fans.get(fanId)?.subscribePrice === 0)
      .slice(3, 6)
    const list = (await client.post(`/v1/${account}/user-lists`, { name: 'Chatty' })).body.data
    await client.post(`/v1/${account}/user-lists/${list.id}/users`, {
      ids: members.map(({ fanId }) => fanId),
    })
    expect(await readAllPages(client, `/v1/${account}/lists`)).toContainEqual({
      id: list.id,
      type: 'custom',
      name: 'Chatty',
      postsCount: 0,
    })
    const found = await readAllPages(client, `/v1/${account}/chats?list_id=${list.id}&limit=2`)
    expect(found.map(({ id }) => id).toSorted()).toEqual(members.map(({ id }) => id).toSorted())
    expect((await client.get(`/v1/${account}/chats?list_id=${list.id}&filter=unread`)).status).toBe(
      400,
    )
    expect((await client.get(`/v1/${account}/chats?list_id=1`)).status).toBe(404)
  })

  it('rejects invalid input', async () => {
    const client = await openClient()
    const account = client.account()
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'offset=-1',
      'order=newest',
      'skip_users=some',
      'filter=muted',
      'list_id=fans',
    ]) {
      expect([query, (await client.get(`/v1/${account}/chats?${query}`)).status]).toEqual([
        query,
        400,
      ])
    }
  })
})

describe('a hidden chat', () => {
  it('is not listed until the fan writes, even if the creator sends messages', async () => {
    const client = await openClient()
    const account = client.account()
    const { id, fanId } = shown(client, account)[0]!
    await client.post(`/v1/${account}/chats/${id}/hide`)
    expect(await chatOf(client, account, fanId)).toBeUndefined()
    await client.post(`/v1/${account}/chats/${fanId}/messages`, { text: 'Still there?' })
    expect(await chatOf(client, account, fanId)).toBeUndefined()
    fanWrites(client, account, fanId)
    expect(await chatOf(client, account, fanId)).toMatchObject({
      id,
      lastMessage: { text: '<p>Hello there</p>', isNew: true },
    })
  })
})

it('shows a hidden chat again for a made message of the fan, unless it is older than the last read one', async () => {
  const { sandbox, account: idOf } = await openClient()
  const [accountId, { db, make }] = [idOf(), sandbox]
  const { id, fanId } = db.chats.find({ accountId, unreadCount: 0, isHidden: false })!
  db.chats.update(id, { isHidden: true })
  make.message({ accountId, fanId, isFromFan: true, at: '-400d' })
  expect(db.chats.get(id)).toMatchObject({ isHidden: true, unreadCount: 0 })
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
  const read = () => {
    const { unreadCount, hasUnreadTips } = db.chats.get(id)!
    return [unreadCount, hasUnreadTips]
  }
  expect(read()).toEqual([3, true])
  db.messages.remove(tip!.id)
  expect(read()).toEqual([2, false])
  db.messages.update(text!.id, { isTip: true })
  expect(read()).toEqual([2, true])
  db.messages.update(text!.id, { isFromFan: false })
  expect(read()).toEqual([1, false])
  db.messages.remove(other!.id)
  expect(read()).toEqual([0, false])
  expectNoViolations(sandbox)
})

describe('the state of a chat', () => {
  it("counts the fan's messages until they are read", async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    const path = `/v1/${account}/chats/${fanId}`
    await client.post(`${path}/mark-as-read`)
    fanWrites(client, account, fanId, 'One')
    client.sandbox.act({ type: 'tip', account_id: account, fan_id: fanId, amount: 20, on: 'chat' })
    expect(await chatOf(client, account, fanId)).toMatchObject({
      unreadMessagesCount: 2,
      hasUnreadTips: true,
      lastMessage: { isTip: true, isNew: true, text: '<p>I sent you a $20.00 tip ♥</p>' },
    })
    expect((await client.post(`${path}/mark-as-read`)).body.data).toEqual({ success: true })
    const { lastMessage } = (await chatOf(client, account, fanId)) as unknown as {
      lastMessage: { id: number }
    }
    expect(await chatOf(client, account, fanId)).toMatchObject({
      unreadMessagesCount: 0,
      hasUnreadTips: false,
      lastReadMessageId: lastMessage.id,
      lastMessage: { isNew: false },
    })
    await client.post(`${path}/mark-as-unread`)
    expect(await chatOf(client, account, fanId)).toMatchObject({
      unreadMessagesCount: 1,
      hasUnreadTips: true,
      lastMessage: { isNew: true },
    })
  })

  it('agrees with its messages in seeded data', async () => {
    const client = await openClient('agency')
    const account = client.account()
    for (const chat of (await readAllPages(client, `/v1/${account}/chats?limit=100`)).slice(
      0,
      25,
    )) {
      const messages = await readAllPages(
        client,
        `/v1/${account}/chats/${(chat.withUser as { id: number }).id}/messages?limit=100`,
      )
      expect(messages.filter(({ isNew }) => isNew)).toHaveLength(chat.unreadMessagesCount as number)
      expect(messages.filter(({ isPinned }) => isPinned)).toHaveLength(
        chat.countPinnedMessages as number,
      )
      expect(chat.lastMessage).toEqual(messages[0])
    }
  })

  it('can be marked as read for all chats', async () => {
    const client = await openClient('agency')
    const account = client.account()
    expect((await client.post(`/v1/${account}/chats/mark-as-read`)).body.data).toEqual({
      success: true,
    })
    expect((await client.get(`/v1/${account}/chats?filter=unread`)).body.data.list).toEqual([])
  })

  it('stays muted until it is unmuted', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client, account).find(({ isMuted }) => !isMuted)!
    await client.post(`/v1/${account}/chats/${fanId}/mute`)
    expect(await chatOf(client, account, fanId)).toMatchObject({ isMutedNotifications: true })
    expect((await client.send('DELETE', `/v1/${account}/chats/${fanId}/mute`)).body.data).toEqual({
      success: true,
    })
    expect(await chatOf(client, account, fanId)).toMatchObject({ isMutedNotifications: false })
  })

  it('is lost when the chat is deleted, and the next message creates a new chat', async () => {
    const client = await openClient()
    const account = client.account()
    const { id, fanId } = shown(client, account)[0]!
    expect((await client.send('DELETE', `/v1/${account}/chats/${fanId}`)).body.data).toEqual({
      success: true,
    })
    expect(await chatOf(client, account, fanId)).toBeUndefined()
    expect((await client.send('DELETE', `/v1/${account}/chats/${fanId}`)).status).toBe(404)
    expect(client.sandbox.db.messages.where({ chatId: id })).toEqual([])
    expect((await client.get(`/v1/${account}/chats/${fanId}/messages`)).body.data).toEqual({
      list: [],
      hasMore: false,
    })
    fanWrites(client, account, fanId)
    expect(await chatOf(client, account, fanId)).toMatchObject({ unreadMessagesCount: 1 })
    expect((await chatOf(client, account, fanId))?.id).not.toBe(id)
  })

  it('shows that the fan is blocked, which prevents messages', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    expect((await client.post(`/v1/${account}/chats/${fanId}/typing`)).body.data).toEqual({
      success: true,
    })
    await client.post(`/v1/${account}/users/${fanId}/block`)
    expect(await chatOf(client, account, fanId)).toMatchObject({
      canSendMessage: false,
      canNotSendReason: 'blocked',
    })
    expect(
      (await client.post(`/v1/${account}/chats/${fanId}/messages`, { text: 'Hi' })).status,
    ).toBe(403)
    expect((await client.post(`/v1/${account}/chats/${fanId}/typing`)).status).toBe(403)
  })

  it('shows that the fan has closed their profile, which prevents messages', async () => {
    const client = await openClient()
    const account = client.account()
    const { withUser } = (await client.get(`/v1/${account}/chats?limit=1`)).body.data.list[0]
    const fanId = withUser.id as number
    client.sandbox.db.fans.update(fanId, { isActive: false })
    expect(await chatOf(client, account, fanId)).toMatchObject({
      canSendMessage: false,
      canNotSendReason: 'closed',
    })
    const path = `/v1/${account}/chats/${fanId}`
    expect((await client.post(`${path}/messages`, { text: 'Hi' })).status).toBe(403)
    expect((await client.post(`${path}/typing`)).status).toBe(403)
    const sent = await client.post(`/v1/${account}/mass-messages`, { text: 'Hi', userIds: [fanId] })
    expect(sent.body.data.total).toBe(0)
    const { body } = await client.get(`/v1/${account}/chats?limit=1&skip_users=none`)
    expect(body.data.list[0].withUser).toMatchObject({
      id: fanId,
      isActive: false,
      canReceiveChatMessage: false,
    })
  })

  it('is not found with the id of the chat', async () => {
    const client = await openClient()
    const account = client.account()
    const { id } = shown(client, account)[0]!
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
      expect([
        rest,
        (await client.send(method, `/v1/${account}/chats/${id}${rest}`)).status,
      ]).toEqual([rest, 404])
    }
  })
})

describe('GET chats/{user_id}/media', () => {
  it('pages the messages with media by last_id, and filters them', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    const path = `/v1/${account}/chats/${fanId}`
    const media = client.sandbox.db.vaultMedia.where(
      (each) => each.accountId === account && each.isReady,
    )
    const [photo, video] = [
      media.find(({ type }) => type === 'photo')!,
      media.find(({ type }) => type === 'video')!,
    ]
    for (let turn = 0; turn < 4; turn += 1)
      await client.post(`${path}/messages`, {
        text: 'Look',
        price: turn === 3 ? 5 : 0,
        mediaFiles: [turn % 2 === 0 ? photo.id : video.id],
      })
    const all = await readAllPages(client, `${path}/media?limit=1`)
    const stored = client.sandbox.db.messages.where(
      (message) =>
        message.fanId === fanId && message.accountId === account && message.mediaFiles.length > 0,
    )
    expect(all.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).toReversed())
    expect(
      (await client.get(`${path}/media?limit=50&last_id=${all.at(-2)!.id}`)).body.data.nextLastId,
    ).toBeNull()
    expect((await client.get(`${path}/media?limit=1`)).body.data.nextLastId).toBe(all[0]?.id)
    const videos = await readAllPages(client, `${path}/media?type=videos&limit=1`)
    expect(videos.length).toBeGreaterThanOrEqual(2)
    for (const { media: files } of videos)
      expect((files as { type: string }[]).map(({ type }) => type)).toContain('video')
    client.sandbox.act({ type: 'message.unlock', account_id: account, message_id: all[0]!.id })
    expect(
      (await readAllPages(client, `${path}/media?purchased=true`)).map(({ id }) => id),
    ).toContain(all[0]?.id)
    expect(
      (await readAllPages(client, `${path}/media?purchased=true&from_user=${fanId}`)).map(
        ({ id }) => id,
      ),
    ).toContain(all[0]?.id)
    expect(await readAllPages(client, `${path}/media?purchased=true&from_user=${account}`)).toEqual(
      [],
    )
    for (const query of [
      'opened=false',
      'purchased=false',
      `from_user=${account}`,
      `from_user=${fanId}`,
    ])
      expect([
        query,
        (await readAllPages(client, `${path}/media?${query}`)).map(({ id }) => id),
      ]).toEqual([query, all.map(({ id }) => id)])
    for (const query of ['limit=51', 'type=gifs', 'opened=maybe', 'last_id=x'])
      expect([query, (await client.get(`${path}/media?${query}`)).status]).toEqual([query, 400])
  })
})

describe('the chat list with a length near the page size', () => {
  it('has each chat once, without a page after the last one', async () => {
    const client = await openClient('boundaries')
    for (const { id, connected } of client.sandbox.db.accounts.where({ organisation: 1 })) {
      if (!connected) continue
      for (const order of ['recent', 'old']) {
        const ids = (await readAllPages(client, `/v1/${id}/chats?order=${order}`)).map(
          (chat) => chat.id,
        )
        expect(ids.toSorted()).toEqual(
          shown(client, id)
            .map((chat) => chat.id)
            .toSorted(),
        )
      }
    }
  })
})
