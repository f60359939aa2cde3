import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { readAllPages } from '../support/read-all-pages.ts'

const shown = (client: Client, account: number) =>
  client.sandbox.db.chats.where({ accountId: account, isHidden: false })
const photoOf = (client: Client, account: number) =>
  client.sandbox.db.vaultMedia.find(
    (media) => media.accountId === account && media.isReady && media.type === 'photo',
  )!

describe('POST chats/{user_id}/messages', () => {
  it('shows a sent message in the chat, last in the list, by its id and in the chat summary', async () => {
    const client = await openClient()
    const account = client.account()
    const { id, fanId } = shown(client, account)[0]!
    const path = `/v1/${account}/chats/${fanId}/messages`
    const sent = (await client.post(path, { text: '<p>Good <b>morning</b></p>' })).body.data
    expect(sent).toMatchObject({
      text: '<p>Good <b>morning</b></p>',
      fromUser: { id: account },
      price: 0,
      isFree: true,
      isNew: false,
      isOpened: false,
      isFromQueue: false,
      cancelSeconds: 86_400,
      media: [],
      isMediaReady: true,
    })
    expect((await client.get(path)).body.data.list[0]).toEqual(sent)
    expect((await client.get(`${path}/${sent.id}`)).body.data).toEqual(sent)
    expect((await client.get(`/v1/${account}/chats`)).body.data.list[0]).toMatchObject({
      id,
      lastMessage: sent,
    })
    expect(
      (await client.get(`/v1/${account}/fm/fans/${fanId}/chat-summary`)).body.data.generated_at,
    ).toBe(client.sandbox.db.messages.get(sent.id)!.createdAt)
  })

  it('creates a chat with a fan without messages, and returns 404 for an unknown user', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const talked = new Set(
      client.sandbox.db.chats.where({ accountId: account }).map(({ fanId }) => fanId),
    )
    const { fanId } = client.sandbox.db.subscriptions.find(
      (row) => row.accountId === account && !talked.has(row.fanId),
    )!
    expect((await client.get(`/v1/${account}/chats/${fanId}/messages`)).body.data).toEqual({
      list: [],
      hasMore: false,
    })
    const { data } = (
      await client.post(`/v1/${account}/chats/${fanId}/messages`, { text: 'Welcome' })
    ).body
    expect((await client.get(`/v1/${account}/chats`)).body.data.list[0]).toMatchObject({
      withUser: { id: fanId },
      lastMessage: { id: data.id },
    })
    expect((await client.post(`/v1/${account}/chats/1/messages`, { text: 'Welcome' })).status).toBe(
      404,
    )
  })

  it('sells media that are ready after transcoding and opened after payment', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    const photo = photoOf(client, account)
    const path = `/v1/${account}/chats/${fanId}/messages`
    const sent = (
      await client.post(path, {
        text: 'New',
        price: 12.5,
        lockedText: true,
        mediaFiles: [photo.id],
        previews: [photo.id],
      })
    ).body.data
    expect(sent).toMatchObject({
      price: 12.5,
      isFree: false,
      lockedText: true,
      previews: [photo.id],
      mediaCount: 1,
      isMediaReady: false,
      media: [{ id: photo.id, isReady: false }],
      canPurchaseReason: 'not_opened',
    })
    client.sandbox.clock.advance('31s')
    const read = async () => (await client.get(`${path}/${sent.id}`)).body.data
    expect(await read()).toMatchObject({
      isMediaReady: true,
      media: [{ isReady: true }],
      isOpened: false,
      cancelSeconds: 86_369,
    })
    const { url } = (await read()).media[0].files.full
    expect((await client.get(url, { key: null })).status).toBe(200)
    client.sandbox.act({ type: 'message.unlock', account_id: account, message_id: sent.id })
    expect(await read()).toMatchObject({ isOpened: true, canPurchaseReason: 'opened' })
    expect((await client.get(`/v1/${account}/chats`)).body.data.list[0]).toMatchObject({
      withUser: { id: fanId },
      hasPurchasedFeed: true,
    })
    const payment = client.sandbox.db.transactions.find({ messageId: sent.id })!
    client.sandbox.db.transactions.update(payment.id, { status: 'undo' })
    expect(await read()).toMatchObject({ isOpened: false })
  })

  it('is opened when the fan replies, and references the original message until that is deleted', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    const path = `/v1/${account}/chats/${fanId}/messages`
    const first = (await client.post(path, { text: 'One' })).body.data
    const second = (await client.post(path, { text: 'Two', replyToMessageId: first.id })).body.data
    expect(second).toMatchObject({ replyToMessageId: first.id })
    client.sandbox.act({ type: 'message.from_fan', account_id: account, fan_id: fanId })
    expect((await client.get(`${path}/${first.id}`)).body.data.isOpened).toBe(true)
    await client.send('DELETE', `/v1/${account}/messages/${first.id}`)
    expect((await client.get(`${path}/${second.id}`)).body.data.replyToMessageId).toBeNull()
  })

  it('rejects inconsistent fields', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    const { id } = photoOf(client, account)
    const foreign = client.sandbox.db.vaultMedia.find((media) => media.accountId !== account)!.id
    const elsewhere = client.sandbox.db.messages.find(
      (message) => message.accountId === account && message.fanId !== fanId,
    )!.id
    const bodies = [
      {},
      { text: 5 },
      { text: '' },
      { text: ' \n' },
      { text: 'x'.repeat(10_001) },
      { text: 'x', price: 5 },
      { text: 'x', price: 2.5, mediaFiles: [id] },
      { text: 'x', price: 201, mediaFiles: [id] },
      { text: 'x', price: -1, mediaFiles: [id] },
      { text: 'x', mediaFiles: [foreign] },
      { text: 'x', mediaFiles: [`${id}`] },
      { text: 'x', mediaFiles: [id], previews: [id + 1] },
      { text: 'x', giphyId: '' },
      { text: 'x', lockedText: 'yes' },
      { text: 'x', replyToMessageId: elsewhere },
      { text: 'x', rfTag: null },
    ]
    for (const body of bodies)
      expect([
        body,
        (await client.post(`/v1/${account}/chats/${fanId}/messages`, body)).status,
      ]).toEqual([body, 400])
    for (const body of [
      { text: '', giphyId: 'abc' },
      { text: '', mediaFiles: [id] },
      { text: 'x', price: 3, mediaFiles: [id] },
      { text: 'x', price: 200, mediaFiles: [id] },
    ]) {
      expect([
        body,
        (await client.post(`/v1/${account}/chats/${fanId}/messages`, body)).status,
      ]).toEqual([body, 200])
    }
  })
})

describe('GET chats/{user_id}/messages', () => {
  it(
    'pages in both directions from first_id or last_id, even if the last message of a page was ' +
      'unsent',
    async () => {
      const client = await openClient()
      const account = client.account()
      const { id, fanId } = shown(client, account)[0]!
      const path = `/v1/${account}/chats/${fanId}/messages`
      for (let turn = 0; turn < 6; turn += 1) await client.post(path, { text: `Message ${turn}` })
      const newest = (await readAllPages(client, `${path}?limit=100`)).map((message) => message.id)
      expect(newest).toHaveLength(client.sandbox.db.messages.where({ chatId: id }).length)
      expect((await readAllPages(client, `${path}?limit=2`)).map((message) => message.id)).toEqual(
        newest,
      )
      expect(
        (await readAllPages(client, `${path}?limit=2&order=asc`)).map((message) => message.id),
      ).toEqual(newest.toReversed())
      const [first, last] = [newest[4], newest[1]]
      expect(
        (await readAllPages(client, `${path}?limit=2&first_id=${last}`)).map(
          (message) => message.id,
        ),
      ).toEqual(newest.slice(1))
      expect(
        (await readAllPages(client, `${path}?limit=2&order=asc&last_id=${first}`)).map(
          (message) => message.id,
        ),
      ).toEqual(newest.slice(0, 5).toReversed())
      const { body } = await client.get(`${path}?limit=2`)
      await client.send('DELETE', `/v1/${account}/messages/${newest[1]}`)
      expect(
        (await client.get(body._pagination.next_page)).body.data.list.map(
          (message: { id: number }) => message.id,
        ),
      ).toEqual(newest.slice(2, 4))
    },
  )

  it('lists pinned messages and shows authors in full', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client, account).find(({ pinnedCount }) => pinnedCount === 0)!
    const path = `/v1/${account}/chats/${fanId}/messages`
    const [message] = await readAllPages(client, path)
    await client.post(`/v1/${account}/messages/${message!.id}/pin`, { withUserId: fanId })
    expect(
      (await readAllPages(client, `${path}?filter=pinned&limit=1`)).map(({ id }) => id),
    ).toEqual([message!.id])
    const full = await readAllPages(client, `${path}?skip_users=none`)
    expect(full.find(({ fromUser }) => (fromUser as { id: number }).id === fanId)).toMatchObject({
      fromUser: { username: expect.any(String) },
    })
  })

  it('rejects invalid input, and a cursor from another chat', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    const elsewhere = client.sandbox.db.messages.find(
      (message) => message.accountId === account && message.fanId !== fanId,
    )!.id
    const own = client.sandbox.db.messages.find(
      (message) => message.accountId === account && message.fanId === fanId,
    )!.id
    for (const query of [
      'limit=0',
      'limit=101',
      'order=up',
      'skip_users=x',
      'filter=liked',
      'id=x',
      `id=${elsewhere}`,
      `first_id=${elsewhere}`,
      `order=asc&last_id=${elsewhere}`,
      'order=asc&first_id=1',
      'last_id=1',
    ]) {
      expect([
        query,
        (await client.get(`/v1/${account}/chats/${fanId}/messages?${query}`)).status,
      ]).toEqual([query, 400])
    }
    expect((await client.get(`/v1/${account}/chats/${fanId}/messages/${elsewhere}`)).status).toBe(
      404,
    )
    expect(
      (await client.send('DELETE', `/v1/${account}/chats/${fanId}/messages/${own}`)).status,
    ).toBe(404) // no such route
    expect((await client.get(`/v1/${account}/chats/${fanId}/messages/${own}`)).status).toBe(200)
  })
})

describe('GET chats/{user_id}/messages/search', () => {
  it('finds text in the plain text and pages by offset', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    const path = `/v1/${account}/chats/${fanId}/messages`
    for (const text of ['<b>Blue</b> lake', 'blue LAKE again', 'a lake'])
      await client.post(path, { text })
    expect(
      (await readAllPages(client, `${path}/search?query=blue%20lake&limit=1`)).map(
        ({ text }) => text,
      ),
    ).toEqual(['blue LAKE again', '<b>Blue</b> lake'])
    for (const query of ['', 'query=', 'query=a&limit=0', 'query=a&offset=-1'])
      expect([query, (await client.get(`${path}/search?${query}`)).status]).toEqual([query, 400])
  })
})

describe('DELETE messages/{message_id}', () => {
  it('unsends a message within 24 hours, in all routes', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    const path = `/v1/${account}/chats/${fanId}/messages`
    const [before] = await readAllPages(client, path)
    const [early, late] = [
      (await client.post(path, { text: 'Early' })).body.data,
      (await client.post(path, { text: 'Late' })).body.data,
    ]
    client.sandbox.clock.advance('23h 59m 59s')
    expect((await client.get(`${path}/${early.id}`)).body.data.cancelSeconds).toBe(1)
    expect((await client.send('DELETE', `/v1/${account}/messages/${late.id}`)).body.data).toEqual({
      success: true,
    })
    expect((await client.get(`${path}/${late.id}`)).status).toBe(404)
    expect(
      (await client.get(`/v1/${account}/direct-messages`)).body.data.items.map(
        ({ id }: { id: number }) => id,
      ),
    ).not.toContain(late.id)
    client.sandbox.clock.advance('1s')
    expect((await client.send('DELETE', `/v1/${account}/messages/${early.id}`)).status).toBe(403)
    expect((await client.get(`${path}/${early.id}`)).body.data.cancelSeconds).toBe(0)
    expect((await readAllPages(client, path)).slice(0, 2).map(({ id }) => id)).toEqual([
      early.id,
      before!.id,
    ])
  })

  it('does not unsend a message that the fan bought, until the payment is refunded', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    const path = `/v1/${account}/chats/${fanId}/messages`
    const media = client.sandbox.db.vaultMedia.find({ accountId: account, isReady: true })!
    const { id } = (await client.post(path, { text: 'Pay', price: 5, mediaFiles: [media.id] })).body
      .data
    const read = async () => (await client.get(`${path}/${id}`)).body.data.cancelSeconds
    const unsend = async () => await client.send('DELETE', `/v1/${account}/messages/${id}`)
    client.sandbox.act({ type: 'message.unlock', account_id: account, message_id: id })
    expect([await read(), (await unsend()).status]).toEqual([0, 403])
    client.sandbox.act({
      type: 'transaction.reverse',
      account_id: account,
      transaction_id: client.sandbox.db.transactions.find({ messageId: id })!.id,
      to: 'undo',
    })
    expect([await read(), (await unsend()).status]).toEqual([86_400, 200])
  })

  it("makes the previous message the last one, and works only for the creator's messages", async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    const path = `/v1/${account}/chats/${fanId}/messages`
    client.sandbox.act({ type: 'message.from_fan', account_id: account, fan_id: fanId, text: 'Hi' })
    const [fans] = await readAllPages(client, path)
    expect((await client.send('DELETE', `/v1/${account}/messages/${fans!.id}`)).status).toBe(403)
    const { id } = (await client.post(path, { text: 'Oops' })).body.data
    await client.send('DELETE', `/v1/${account}/messages/${id}`)
    expect((await client.get(`/v1/${account}/chats`)).body.data.list[0].lastMessage.id).toBe(
      fans!.id,
    )
  })
})

describe('likes and pins', () => {
  it.each([
    ['like', 'isLiked'],
    ['pin', 'isPinned'],
  ])('%s sets %s and its opposite clears it', async (flag, field) => {
    const client = await openClient()
    const account = client.account()
    const message = client.sandbox.db.messages.find(
      (each) => each.accountId === account && each.isFromFan && !each.isLiked && !each.isPinned,
    )!
    const path = `/v1/${account}/messages/${message.id}/${flag}`
    const read = async () =>
      (await client.get(`/v1/${account}/chats/${message.fanId}/messages/${message.id}`)).body.data[
        field
      ]
    expect((await client.post(path, { withUserId: message.fanId })).body.data).toEqual({
      withUserId: message.fanId,
    })
    expect(await read()).toBe(true)
    for (const body of [
      {},
      { withUserId: message.fanId + 1 },
      { withUserId: String(message.fanId) },
    ]) {
      expect((await client.post(path, body)).status).toBe(400)
      expect((await client.send('DELETE', path, { body })).status).toBe(400)
    }
    expect(
      (await client.send('DELETE', path, { body: { withUserId: message.fanId } })).body.data,
    ).toEqual({ withUserId: message.fanId })
    expect(await read()).toBe(false)
    expect(
      (await client.post(`/v1/${account}/messages/1/${flag}`, { withUserId: message.fanId }))
        .status,
    ).toBe(404)
  })
})

describe('attach-tags', () => {
  it('is visible in the message', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = shown(client, account)[0]!
    const { data } = (
      await client.post(`/v1/${account}/chats/${fanId}/messages`, {
        text: 'With friends',
        rfTag: [7],
      })
    ).body
    expect(data.releaseForms).toEqual([{ id: 7, type: 'tag' }])
    await client.post(`/v1/${account}/messages/${data.id}/attach-tags`, { rfTag: [], rfGuest: [9] })
    expect(
      (await client.get(`/v1/${account}/chats/${fanId}/messages/${data.id}`)).body.data
        .releaseForms,
    ).toEqual([{ id: 9, type: 'guest' }])
  })
})
