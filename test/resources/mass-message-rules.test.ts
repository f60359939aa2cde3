import { describe, expect, it, vi } from 'vitest'
import { Sandbox } from '../../src/sandbox/sandbox.ts'
import { toPlatformTime } from '../../src/lib/time.ts'
import {
  deliveriesOf,
  fansOf,
  hour,
  later,
  mediaOf,
  queueIds,
  read,
  send,
} from '../support/mass-messages.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

const put = (client: Client, id: number, body: object) =>
  client.put(`mass-messages/queue/${id}`, body)
const makeList = async (client: Client, ids: readonly number[]) => {
  const { id } = await client.postData('user-lists', { name: `List of ${ids.length}` })
  if (ids.length > 0) await client.post(`user-lists/${id}/users`, { ids })
  return id as number
}
const dropList = (client: Client, id: number) => client.delete(`user-lists/${id}`)

describe('the recipients of a mass message', () => {
  it('are only fans of the account, even if its lists contain others', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { db } = client
    const isFan = (fanId: number) =>
      db.subscriptions.find({ accountId: account, fanId }) !== undefined
    const strangers = idsOf(db.fans.all())
      .filter((id) => !isFan(id))
      .slice(0, 2)
    const [fan = 0] = fansOf(client)
    const list = await makeList(client, [...strangers, fan])
    const { id, total } = await send(client, { userLists: [list, 'following'] })
    const reached = deliveriesOf(client, id).map(({ fanId }) => fanId)
    expect([reached.includes(fan), reached.every(isFan)]).toEqual([true, true])
    expect(reached).toHaveLength(total)
    for (const stranger of strangers)
      expect((await client.get(`chats/${stranger}/messages`)).status).toBe(404)
  })

  it('stay excluded if the excluding list is deleted, unless the exclusions are replaced', async () => {
    const client = await openClient('agency')
    const fans = fansOf(client).slice(0, 4)
    const list = await makeList(client, fans.slice(0, 2))
    const waiting = { userIds: fans, excludedLists: [list], scheduledDate: later(client, hour) }
    const [kept, edited] = [await send(client, waiting), await send(client, waiting)]
    await dropList(client, list)
    expect((await put(client, edited.id, { excludedLists: [] })).status).toBe(200)
    client.sandbox.clock.advance('1h')
    expect(deliveriesOf(client, kept.id).map(({ fanId }) => fanId)).toEqual(fans.slice(2))
    expect(deliveriesOf(client, edited.id)).toHaveLength(4)
  })
})

describe('PUT mass-messages/queue/{queue_id}', () => {
  it('validates only given fields; deleted lists and media do not prevent a new time or text', async () => {
    const client = await openClient('agency')
    const [fan = 0] = fansOf(client)
    const [media = 0, other = 0] = idsOf(
      client.db.vaultMedia.where({ accountId: client.account(), isReady: true }),
    )
    const list = await makeList(client, [fan])
    const { id } = await send(client, {
      userLists: [list, 'fans'],
      mediaFiles: [media, other],
      price: 5,
      scheduledDate: later(client, hour),
    })
    await dropList(client, list)
    await client.delete(`vault/media/${media}`)
    const scheduledDate = later(client, 2 * hour)
    const edit = async (body: object) => (await put(client, id, body)).body.data.queue
    expect((await edit({ scheduledDate })).date).toBe(toPlatformTime(scheduledDate))
    expect((await edit({ text: 'New words' })).text).toBe('New words')
    for (const [body, field] of [
      [{ mediaFiles: [] }, 'mediaFiles'],
      [{ userLists: [list] }, 'userLists'],
      [{ userLists: [] }, 'userLists'],
      [{ mediaFiles: [media] }, 'mediaFiles'],
    ] as const) {
      const answer = await put(client, id, body)
      expect([body, answer.status, answer.body.error]).toEqual([
        body,
        400,
        expect.stringContaining(`Body field ${field}`),
      ])
    }
  })
})

describe('a queued mass message', () => {
  it.each(['media', 'list of recipients'])(
    'is cancelled if its last %s is deleted',
    async (lost) => {
      const client = await openClient()
      const [fan = 0] = fansOf(client)
      const list = await makeList(client, [fan])
      const media = mediaOf(client)
      const { id } = await send(client, {
        userLists: [list],
        mediaFiles: [media],
        price: 5,
        scheduledDate: later(client, hour),
      })
      if (lost === 'media') await client.delete(`vault/media/${media}`)
      else await dropList(client, list)
      expect(await queueIds(client)).not.toContain(id)
      expect((await put(client, id, { text: 'New' })).status).toBe(403)
      expect(await read(client, id)).toMatchObject({ isCanceled: true, hasError: true })
      expect(client.db.massMessages.get(id)).toMatchObject({
        cancelReason: lost === 'media' ? 'media_deleted' : 'recipients_deleted',
      })
      client.sandbox.clock.advance('1h')
      expect(deliveriesOf(client, id)).toEqual([])
    },
  )

  it('transcodes the media that an edit adds, as a new message does', async () => {
    const client = await openClient()
    const [first = 0, second = 0] = idsOf(
      client.db.vaultMedia.where({ accountId: client.account(), isReady: true }),
    )
    const isReady = (id: number) => client.db.vaultMedia.get(id)?.isReady
    const { id } = await send(client, {
      userLists: ['fans'],
      mediaFiles: [first],
      scheduledDate: later(client, hour),
    })
    client.sandbox.clock.advance('30m')
    await put(client, id, { mediaFiles: [first, second] })
    expect([isReady(first), isReady(second)]).toEqual([true, false])
  })
})

describe('the body of a mass message', () => {
  it('rejects fractions of a cent, duplicate media and unknown lists, and says what is allowed', async () => {
    const client = await openClient('agency')
    const [fan = 0] = fansOf(client)
    const media = mediaOf(client)
    const { id } = await send(client, { userIds: [fan], scheduledDate: later(client, hour) })
    const base = { text: 'Hi', userIds: [fan] }
    for (const [body, text] of [
      [{ price: 3.335, mediaFiles: [media] }, 'at most two decimals'],
      [{ mediaFiles: [media, media] }, 'must not contain duplicate ids'],
      [
        { userLists: ['everybody'] },
        'an integer or one of fans, following, friends, muted, recent, tagged',
      ],
      [{ excludedLists: [1.5] }, 'an integer or one of'],
    ] as const) {
      for (const answer of [
        await client.post('mass-messages', { ...base, ...body }),
        await put(client, id, body),
      ]) {
        expect([body, answer.status, answer.body.error]).toEqual([
          body,
          400,
          expect.stringContaining(text),
        ])
      }
    }
    for (const price of [3.33, 4.1, 19.99, 199.99]) {
      const { status } = await client.post('mass-messages', { ...base, price, mediaFiles: [media] })
      expect([price, status]).toEqual([price, 200])
    }
  })
})

describe('the media of a mass message', () => {
  it('become ready in the response and in all chats at the same time', async () => {
    const client = await openClient('agency')
    const [fan = 0] = fansOf(client)
    const paid = { userIds: [fan], mediaFiles: [mediaOf(client)] }
    const isDelivered = async () =>
      (await client.getData(`chats/${fan}/messages?limit=1`)).list[0].isMediaReady
    const sent = await client.postData('mass-messages', { text: 'Now', ...paid })
    expect([sent.isReady, await isDelivered()]).toEqual([false, false])
    const { id } = await send(client, { ...paid, scheduledDate: later(client, hour) })
    const isReady = async () =>
      (await client.getData('mass-messages/queue')).list.find(
        (item: { id: number }) => item.id === id,
      ).isReady
    expect(await isReady()).toBe(false)
    client.sandbox.act({ type: 'media.ready', account_id: client.account() })
    expect(await isDelivered()).toBe(true)
    expect(await isReady()).toBe(true)
    client.sandbox.clock.advance('1h')
    expect(await isDelivered()).toBe(true)
  })
})

describe('the list of mass messages', () => {
  it('in the queue has only one page', async () => {
    const client = await openClient('agency')
    const { data, _pagination } = (await client.get('mass-messages/queue')).body
    expect([data.hasMore, _pagination]).toEqual([false, undefined])
  })
})

it('is added to all chats in one write of each table, and removed in the same way', async () => {
  const client = await openClient('agency')
  const { db } = Sandbox.runtimeOf(client.sandbox).world
  const versions = new Set<object>()
  db.chats.onChange(() => void versions.add(db.chats.version))
  db.messages.onChange(() => void versions.add(db.messages.version))
  const chats = db.chats.where({ accountId: client.account() })
  const before = new Map(chats.map((chat) => [chat.id, chat]))

  const userIds = chats.filter(({ lastMessageId }) => lastMessageId > 0).map(({ fanId }) => fanId)
  const lookUps = vi.spyOn(db.messages, 'in')
  const { id, total } = await send(client, { userIds })
  // The newest message of a chat is the copy, so the messages of the chat are not read.
  expect(lookUps.mock.calls.filter(([index]) => index === 'byChat')).toEqual([])
  const copies = deliveriesOf(client, id)
  expect([copies.length, copies.length > 100]).toEqual([total, true])
  for (const copy of copies)
    expect(db.chats.get(copy.chatId)).toEqual({
      ...before.get(copy.chatId),
      lastMessageId: copy.id,
      lastMessageAt: copy.createdAt,
    })
  expect(versions.size).toBe(2)

  await client.delete(`mass-messages/queue/${id}`)
  for (const { chatId } of copies) expect(db.chats.get(chatId)).toEqual(before.get(chatId))
  expect(versions.size).toBe(4)
  expect(client.sandbox.check()).toMatchObject({ holds: true })
})
