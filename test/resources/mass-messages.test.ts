import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import {
  unlockMassMessage,
  buyersOf,
  deliveriesOf,
  fansOf,
  hour,
  later,
  mediaOf,
  queueIds,
  read,
  send,
  statsOf,
} from '../support/mass-messages.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

const recipientsOf = (client: Client, id: number) =>
  deliveriesOf(client, id)
    .map(({ fanId }) => fanId)
    .toSorted()

describe('POST mass-messages', () => {
  it('sends immediately without a date, as a message in the chat of each fan', async () => {
    const client = await openClient('agency')
    const [one = 0, two = 0] = fansOf(client).toReversed()
    const content = { text: '<b>Hi</b>', price: 9, lockedText: true }
    const mediaFiles = [mediaOf(client)]
    const item = await send(client, { ...content, mediaFiles, userIds: [one, two, one] })
    expect(item).toMatchObject({
      date: toPlatformTime(client.sandbox.clock.iso()),
      isDone: true,
      isCanceled: false,
      hasError: false,
      canUnsend: true,
      unsendSeconds: 86_400,
      total: 2,
      pending: 0,
    })
    expect(recipientsOf(client, item.id)).toEqual([one, two].toSorted())
    const { list } = await client.getData(`chats/${one}/messages`)
    const ofQueue = { isFromQueue: true, queueId: item.id, canUnsendQueue: true }
    expect(list[0]).toMatchObject({ ...content, ...ofQueue, isFree: false })
    expect(await queueIds(client)).not.toContain(item.id)
  })

  it('reaches the members of its lists and its users once, without excluded and blocked fans', async () => {
    const client = await openClient('agency')
    const fans = fansOf(client).slice(0, 8)
    const makeList = async (name: string, ids: number[]) => {
      const { id } = await client.postData('user-lists', { name })
      await client.post(`user-lists/${id}/users`, { ids })
      return id as number
    }
    const some = await makeList('Some', fans.slice(0, 5))
    const others = await makeList('Others', fans.slice(3, 6))
    const never = await makeList('Never', fans.slice(1, 2))
    await client.post(`users/${fans[0]}/block`, {})
    const { id, total } = await send(client, {
      userLists: [some, others],
      userIds: [fans[7], fans[4]],
      excludedLists: [never],
    })
    expect(recipientsOf(client, id)).toEqual([2, 3, 4, 5, 7].map((place) => fans[place]).toSorted())
    expect(total).toBe(5)
  })

  it('reaches the members of a built-in list at the time of sending', async () => {
    const client = await openClient('agency')
    const { usersCount } = await client.getData('user-lists/fans')
    expect((await send(client, { userLists: ['fans'] })).total).toBe(usersCount)
    const withoutFans = { userLists: ['fans', 'recent'], excludedLists: ['fans'] }
    expect((await send(client, withoutFans)).total).toBe(0)
  })

  it('rejects inconsistent fields without sending', async () => {
    const client = await openClient('agency')
    const [fan = 0] = fansOf(client)
    const isForeign = ({ accountId }: { accountId: number }) => accountId !== client.account()
    const foreignMedia = client.db.vaultMedia.find(isForeign)!.id
    const before = client.db.messages.size
    const base = { text: 'Hi', userIds: [fan] }
    for (const body of [
      { text: 'Hi' },
      { text: '', userIds: [fan] },
      { text: ' ', userIds: [fan] },
      { ...base, scheduledDate: '2027-06-01' },
      { ...base, price: 2.5, mediaFiles: [mediaOf(client)] },
      { ...base, price: 201, mediaFiles: [mediaOf(client)] },
      { ...base, price: 5 },
      { ...base, mediaFiles: [foreignMedia] },
      { ...base, previews: [mediaOf(client)] },
      { ...base, userIds: [1] },
      { ...base, userLists: [1] },
      { ...base, excludedLists: [1] },
      { ...base, scheduledDate: 'tomorrow' },
      { ...base, scheduledDate: client.sandbox.clock.iso() },
      { ...base, scheduledDate: '2020-01-01T00:00:00Z' },
    ])
      expect([body, (await client.post('mass-messages', body)).status]).toEqual([body, 400])
    expect(client.db.messages.size).toBe(before)
  })
})

describe('the queue of mass messages', () => {
  it('contains scheduled messages, soonest first, until their time', async () => {
    const client = await openClient('agency')
    const [fan = 0] = fansOf(client)
    const before = await queueIds(client)
    const [second, first] = [
      await send(client, { userIds: [fan], scheduledDate: later(client, 3 * hour) }),
      await send(client, { userIds: [fan], scheduledDate: later(client, 2 * hour) }),
    ]
    expect(first).toMatchObject({ isDone: false, total: -1 })
    expect(await queueIds(client)).toEqual([first.id, second.id, ...before])
    expect(deliveriesOf(client, first.id)).toEqual([])
    client.sandbox.clock.advance('2h')
    expect(await queueIds(client)).toEqual([second.id, ...before])
    const [message] = deliveriesOf(client, first.id)
    expect(message).toMatchObject({ fanId: fan, isFromFan: false })
    expect(toPlatformTime(message!.createdAt)).toBe(first.date)
    expect(await statsOf(client, first.id)).toMatchObject({ date: first.date, sentCount: 1 })
  })

  it('reads its lists at the time of sending, and skips deleted lists and blocked fans', async () => {
    const client = await openClient('agency')
    const [one = 0, two = 0, three = 0] = fansOf(client)
    const { id: list } = await client.postData('user-lists', { name: 'Later' })
    const { id: gone } = await client.postData('user-lists', { name: 'Gone' })
    const item = await send(client, {
      userLists: [list, gone],
      userIds: [three],
      scheduledDate: later(client, hour),
    })
    await client.post(`user-lists/${list}/users`, { ids: [one, two] })
    await client.delete(`user-lists/${gone}`)
    await client.post(`users/${two}/block`, {})
    client.sandbox.clock.advance('1h')
    expect(recipientsOf(client, item.id)).toEqual([one, three].toSorted())
  })

  it('allows editing and rescheduling, without changing omitted fields', async () => {
    const client = await openClient('agency')
    const [one = 0, two = 0] = fansOf(client)
    const media = mediaOf(client)
    const { id, date } = await send(client, {
      text: '<p>One</p>',
      userIds: [one],
      mediaFiles: [media],
      price: 5,
      scheduledDate: later(client, hour),
    })
    const put = (body: object) => client.put(`mass-messages/queue/${id}`, body)
    const scheduledDate = later(client, 5 * hour)
    const shown = { id, date: toPlatformTime(scheduledDate), sentCount: 0, viewedCount: 0 }
    const { success, queue } = (await put({ scheduledDate })).body.data
    expect(success).toBe(true)
    expect(queue).toMatchObject({
      ...shown,
      text: '<p>One</p>',
      textCropped: 'One',
      isFree: false,
      mediaTypes: [client.db.vaultMedia.get(media)!.type],
    })
    const changes = { text: 'Two', mediaFiles: [], price: 0, userIds: [two] }
    const changed = { ...shown, text: 'Two', isFree: true, mediaTypes: null }
    expect((await put(changes)).body.data.queue).toMatchObject(changed)
    client.sandbox.clock.set(date)
    expect(deliveriesOf(client, id)).toEqual([])
    client.sandbox.clock.advance('4h')
    expect(deliveriesOf(client, id).map(({ fanId, text }) => [fanId, text])).toEqual([[two, 'Two']])
  })

  it('rejects an inconsistent edit without changes', async () => {
    const client = await openClient('agency')
    const [fan = 0] = fansOf(client)
    const { id } = await send(client, { userIds: [fan], scheduledDate: later(client, hour) })
    const before = client.db.massMessages.get(id)
    const path = `mass-messages/queue/${id}`
    for (const body of [
      { text: '' },
      { price: 5 },
      { userIds: [] },
      { userLists: [1] },
      { scheduledDate: client.sandbox.clock.iso() },
      { scheduledDate: null },
    ])
      expect([body, (await client.put(path, body)).status]).toEqual([body, 400])
    expect(client.db.massMessages.get(id)).toBe(before)
  })

  it('rejects edits of sent or cancelled messages', async () => {
    const client = await openClient('agency')
    const [fan = 0] = fansOf(client)
    const sent = await send(client, { userIds: [fan] })
    const cancelled = await send(client, { userIds: [fan], scheduledDate: later(client, hour) })
    await client.delete(`mass-messages/queue/${cancelled.id}`)
    for (const { id } of [sent, cancelled])
      expect((await client.put(`mass-messages/queue/${id}`, { text: 'Late' })).status).toBe(403)
    expect((await client.put('mass-messages/queue/1', { text: 'Late' })).status).toBe(404)
  })

  it('never sends a cancelled message, shows it as cancelled, and cancels it only once', async () => {
    const client = await openClient('agency')
    const [fan = 0] = fansOf(client)
    const { id } = await send(client, { userIds: [fan], scheduledDate: later(client, hour) })
    const cancel = () => client.delete(`mass-messages/queue/${id}`)
    expect((await cancel()).body.data).toEqual({ success: true })
    expect(await queueIds(client)).not.toContain(id)
    expect(await read(client, id)).toMatchObject({
      isCanceled: true,
      canUnsend: false,
      unsendSeconds: 0,
    })
    client.sandbox.clock.advance('2h')
    expect([deliveriesOf(client, id), await statsOf(client, id)]).toEqual([[], undefined])
    expect((await cancel()).status).toBe(403)
  })

  it('unsends a message sent within a day, but not for its buyers', async () => {
    const client = await openClient('agency')
    const [one = 0, two = 0] = fansOf(client)
    const paid = { userIds: [one, two], mediaFiles: [mediaOf(client)], price: 5 }
    const [early, late] = [await send(client, paid), await send(client, paid)]
    unlockMassMessage(client, early.id, two)
    client.sandbox.clock.advance('10h')
    expect(await read(client, early.id)).toMatchObject({
      canUnsend: true,
      unsendSeconds: 14 * 3600,
    })
    expect((await client.delete(`mass-messages/queue/${early.id}`)).status).toBe(200)
    expect(deliveriesOf(client, early.id).map(({ fanId }) => fanId)).toEqual([two])
    expect(await statsOf(client, early.id)).toMatchObject({ sentCount: 2 })
    expect(await buyersOf(client, early.id)).toEqual([two])
    const ofBuyer = `chats/${two}/messages`
    expect((await client.getData(ofBuyer)).list).toMatchObject([
      { queueId: late.id, canUnsendQueue: true, unsendSecondsQueue: 14 * 3600 },
      { queueId: early.id, canUnsendQueue: false, unsendSecondsQueue: 0, cancelSeconds: 0 },
      ...Array.from({ length: 8 }, () => expect.anything()),
    ])
    client.sandbox.clock.advance('15h')
    expect(await read(client, late.id)).toMatchObject({
      canUnsend: false,
      unsendSeconds: 0,
      isCanceled: false,
    })
    expect((await client.delete(`mass-messages/queue/${late.id}`)).status).toBe(403)
  })
})
