import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

const shown = (client: Client) =>
  client.db.chats.where({ accountId: client.account(), isHidden: false })
/** Opens a scenario, with the path of a chat's messages. */
async function openChat(scenario?: string) {
  const client = await openClient(scenario)
  const { id, fanId } = shown(client)[0]!
  return { client, id, fanId, path: `chats/${fanId}/messages` }
}
const photoOf = (client: Client) =>
  client.db.vaultMedia.find(
    (media) => media.accountId === client.account() && media.isReady && media.type === 'photo',
  )!

describe('POST chats/{user_id}/messages', () => {
  it('shows a sent message in the chat, last in the list, by its id and in the chat summary', async () => {
    const { client, id, fanId, path } = await openChat()
    const sent = await client.postData(path, { text: '<p>Good <b>morning</b></p>' })
    expect(sent).toMatchObject({
      text: '<p>Good <b>morning</b></p>',
      fromUser: { id: client.account() },
      price: 0,
      isFree: true,
      isNew: false,
      isOpened: false,
      isFromQueue: false,
      cancelSeconds: 86_400,
      media: [],
      isMediaReady: true,
    })
    expect((await client.getData(path)).list[0]).toEqual(sent)
    expect(await client.getData(`${path}/${sent.id}`)).toEqual(sent)
    expect((await client.getData('chats')).list[0]).toMatchObject({ id, lastMessage: sent })
    expect((await client.getData(`fm/fans/${fanId}/chat-summary`)).generated_at).toBe(
      client.db.messages.get(sent.id)!.createdAt,
    )
  })

  it('creates a chat with a fan without messages, and returns 404 for an unknown user', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const talked = new Set(client.db.chats.where({ accountId: account }).map(({ fanId }) => fanId))
    const { fanId } = client.db.subscriptions.find(
      (row) => row.accountId === account && !talked.has(row.fanId),
    )!
    expect(await client.getData(`chats/${fanId}/messages`)).toEqual({ list: [], hasMore: false })
    const data = await client.postData(`chats/${fanId}/messages`, { text: 'Welcome' })
    expect((await client.getData('chats')).list[0]).toMatchObject({
      withUser: { id: fanId },
      lastMessage: { id: data.id },
    })
    expect((await client.post('chats/1/messages', { text: 'Welcome' })).status).toBe(404)
  })

  it('sells media that are ready after transcoding and opened after payment', async () => {
    const client = await openClient()
    const { fanId } = shown(client)[0]!
    const photo = photoOf(client)
    const path = `chats/${fanId}/messages`
    const offer = { price: 12.5, lockedText: true, previews: [photo.id] }
    const sent = await client.postData(path, { text: 'New', mediaFiles: [photo.id], ...offer })
    expect(sent).toMatchObject({
      ...offer,
      isFree: false,
      mediaCount: 1,
      isMediaReady: false,
      media: [{ id: photo.id, isReady: false }],
      canPurchaseReason: 'not_opened',
    })
    client.sandbox.clock.advance('31s')
    const read = () => client.getData(`${path}/${sent.id}`)
    expect(await read()).toMatchObject({
      isMediaReady: true,
      media: [{ isReady: true }],
      isOpened: false,
      cancelSeconds: 86_369,
    })
    const { url } = (await read()).media[0].files.full
    expect((await client.get(url, { key: null })).status).toBe(200)
    const bought = { account_id: client.account(), message_id: sent.id as number }
    const { ids } = client.sandbox.act({ type: 'message.unlock', ...bought })
    expect(await read()).toMatchObject({ isOpened: true, canPurchaseReason: 'opened' })
    const [chat] = (await client.getData('chats')).list
    expect(chat).toMatchObject({ withUser: { id: fanId }, hasPurchasedFeed: true })
    client.db.transactions.update(ids.transaction, { status: 'undo' })
    expect(await read()).toMatchObject({ isOpened: false })
  })

  it('is opened when the fan replies, and references the original message until that is deleted', async () => {
    const { client, fanId, path } = await openChat()
    const first = await client.postData(path, { text: 'One' })
    const second = await client.postData(path, { text: 'Two', replyToMessageId: first.id })
    expect(second).toMatchObject({ replyToMessageId: first.id })
    client.sandbox.act({ type: 'message.from_fan', account_id: client.account(), fan_id: fanId })
    expect((await client.getData(`${path}/${first.id}`)).isOpened).toBe(true)
    await client.delete(`messages/${first.id}`)
    expect((await client.getData(`${path}/${second.id}`)).replyToMessageId).toBeNull()
  })

  it('rejects inconsistent fields', async () => {
    const { client, fanId, path } = await openChat('agency')
    const account = client.account()
    const { id } = photoOf(client)
    const foreign = client.db.vaultMedia.find((media) => media.accountId !== account)!.id
    const elsewhere = client.db.messages.find(
      (message) => message.accountId === account && message.fanId !== fanId,
    )!.id
    const bodies = [
      { text: '' },
      { text: ' \n' },
      { text: 'x', price: 5 },
      { text: 'x', price: 2.5, mediaFiles: [id] },
      { text: 'x', price: 201, mediaFiles: [id] },
      { text: 'x', price: -1, mediaFiles: [id] },
      { text: 'x', mediaFiles: [foreign] },
      { text: 'x', mediaFiles: [id], previews: [id + 1] },
      { text: 'x', replyToMessageId: elsewhere },
      { text: 'x', price: 3.335, mediaFiles: [id] },
      { text: 'x', mediaFiles: [id, id] },
      { text: 'x', mediaFiles: [id], previews: [id, id] },
      { text: 'x', rfTag: [-1] },
      { text: 'x', rfGuest: [2, 2] },
    ]
    const send = async (body: object) => [body, (await client.post(path, body)).status]
    for (const body of bodies) expect(await send(body)).toEqual([body, 400])
    for (const body of [
      { text: '', giphyId: 'abc' },
      { text: '', mediaFiles: [id] },
      { text: 'x', price: 3, mediaFiles: [id] },
      { text: 'x', price: 200, mediaFiles: [id] },
    ])
      expect(await send(body)).toEqual([body, 200])
  })
})

describe('GET chats/{user_id}/messages', () => {
  it('pages in both directions from an id, even if the last message of a page was unsent', async () => {
    const { client, path } = await openChat()
    for (let turn = 0; turn < 6; turn += 1) await client.post(path, { text: `Message ${turn}` })
    const newest = await readAllIds(client, `${path}?limit=100`)
    const [first, last] = [newest[4], newest[1]]
    expect(await readAllIds(client, `${path}?limit=2&first_id=${last}`)).toEqual(newest.slice(1))
    expect(await readAllIds(client, `${path}?limit=2&order=asc&last_id=${first}`)).toEqual(
      newest.slice(0, 5).toReversed(),
    )
    const { body } = await client.get(`${path}?limit=2`)
    await client.delete(`messages/${newest[1]}`)
    const { list } = await client.getData(body._pagination.next_page)
    expect(idsOf(list)).toEqual(newest.slice(2, 4))
  })

  it('lists pinned messages and shows authors in full', async () => {
    const client = await openClient()
    const { fanId } = shown(client).find(({ pinnedCount }) => pinnedCount === 0)!
    const path = `chats/${fanId}/messages`
    const [message] = await readAllPages(client, path)
    await client.post(`messages/${message!.id}/pin`, { withUserId: fanId })
    expect(await readAllIds(client, `${path}?filter=pinned&limit=1`)).toEqual([message!.id])
    expect(client.db.chats.find({ accountId: client.account(), fanId })?.pinnedCount).toBe(1)
    const fromUser = expect.objectContaining({ id: fanId, username: expect.any(String) })
    const full = await readAllPages(client, `${path}?skip_users=none`)
    expect(full).toContainEqual(expect.objectContaining({ fromUser }))
  })

  it('rejects invalid input, and a cursor from another chat', async () => {
    const { client, fanId, path } = await openChat('agency')
    const account = client.account()
    const elsewhere = client.db.messages.find(
      (message) => message.accountId === account && message.fanId !== fanId,
    )!.id
    for (const query of [
      `id=${elsewhere}`,
      `first_id=${elsewhere}`,
      `order=asc&last_id=${elsewhere}`,
      'order=asc&first_id=1',
      'last_id=1',
    ])
      expect([query, (await client.get(`${path}?${query}`)).status]).toEqual([query, 400])
    expect((await client.get(`${path}/${elsewhere}`)).status).toBe(404)
  })
})

describe('GET chats/{user_id}/messages/search', () => {
  it('finds text in the plain text and pages by offset', async () => {
    const { client, path } = await openChat()
    for (const text of ['<b>Blue</b> lake', 'blue LAKE again', 'a lake'])
      await client.post(path, { text })
    expect(await readAllPages(client, `${path}/search?query=blue%20lake&limit=1`)).toMatchObject([
      { text: 'blue LAKE again' },
      { text: '<b>Blue</b> lake' },
    ])
  })
})

describe('DELETE messages/{message_id}', () => {
  it('unsends a message within 24 hours, in all routes', async () => {
    const { client, path } = await openChat()
    const [before] = await readAllPages(client, path)
    const early = await client.postData(path, { text: 'Early' })
    const late = await client.postData(path, { text: 'Late' })
    client.sandbox.clock.advance('23h 59m 59s')
    expect((await client.getData(`${path}/${early.id}`)).cancelSeconds).toBe(1)
    expect((await client.delete(`messages/${late.id}`)).body.data).toEqual({ success: true })
    expect((await client.get(`${path}/${late.id}`)).status).toBe(404)
    expect(idsOf((await client.getData('direct-messages')).items)).not.toContain(late.id)
    client.sandbox.clock.advance('1s')
    expect((await client.delete(`messages/${early.id}`)).status).toBe(403)
    expect((await client.getData(`${path}/${early.id}`)).cancelSeconds).toBe(0)
    expect(idsOf((await readAllPages(client, path)).slice(0, 2))).toEqual([early.id, before!.id])
  })

  it('does not unsend a message that the fan bought, until the payment is refunded', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client)[0]!
    const path = `chats/${fanId}/messages`
    const offer = { text: 'Pay', price: 5, mediaFiles: [photoOf(client).id] }
    const { id } = await client.postData(path, offer)
    const read = async () => (await client.getData(`${path}/${id}`)).cancelSeconds
    const unsend = () => client.delete(`messages/${id}`)
    const bought = { account_id: account, message_id: id as number }
    const { ids } = client.sandbox.act({ type: 'message.unlock', ...bought })
    expect([await read(), (await unsend()).status]).toEqual([0, 403])
    const refund = { account_id: account, transaction_id: ids.transaction, to: 'undo' } as const
    client.sandbox.act({ type: 'transaction.reverse', ...refund })
    expect([await read(), (await unsend()).status]).toEqual([86_400, 200])
  })

  it("makes the previous message the last one, and works only for the creator's messages", async () => {
    const { client, fanId, path } = await openChat()
    client.sandbox.act({ type: 'message.from_fan', account_id: client.account(), fan_id: fanId })
    const [fans] = await readAllPages(client, path)
    expect((await client.delete(`messages/${fans!.id}`)).status).toBe(403)
    const { id } = await client.postData(path, { text: 'Oops' })
    await client.delete(`messages/${id}`)
    expect((await client.getData('chats')).list[0].lastMessage.id).toBe(fans!.id)
  })
})

it.each([
  ['like', 'isLiked'],
  ['pin', 'isPinned'],
])('likes and pins %s sets %s and its opposite clears it', async (flag, field) => {
  const client = await openClient()
  const unmarked = { isFromFan: true, isLiked: false, isPinned: false }
  const message = client.db.messages.find({ accountId: client.account(), ...unmarked })!
  const body = { withUserId: message.fanId }
  const path = `messages/${message.id}/${flag}`
  const read = async () =>
    (await client.getData(`chats/${message.fanId}/messages/${message.id}`))[field]
  expect(await client.postData(path, body)).toEqual(body)
  expect(await read()).toBe(true)
  const wrong = { withUserId: message.fanId + 1 }
  expect((await client.post(path, wrong)).status).toBe(400)
  expect((await client.delete(path, wrong)).status).toBe(400)
  expect((await client.delete(path, body)).body.data).toEqual(body)
  expect(await read()).toBe(false)
})

it('attach-tags is visible in the message', async () => {
  const { client, path } = await openChat()
  const { id, releaseForms } = await client.postData(path, { text: 'With friends', rfTag: [7] })
  expect(releaseForms).toEqual([{ id: 7, type: 'tag' }])
  await client.post(`messages/${id}/attach-tags`, { rfTag: [], rfGuest: [9] })
  const shownForms = (await client.getData(`${path}/${id}`)).releaseForms
  expect(shownForms).toEqual([{ id: 9, type: 'guest' }])
})
