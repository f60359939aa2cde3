import { describe, expect, it } from 'vitest'
import {
  unlockMassMessage,
  buyersOf,
  deliveriesOf,
  fansOf,
  mediaOf,
  send,
  statsOf,
} from '../support/mass-messages.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

const cancel = (client: Client, id: number) => client.delete(`mass-messages/queue/${id}`)
const undo = ({ sandbox }: Client, id: string) =>
  sandbox.db.transactions.update(id, { status: 'undo' })
const boughtIn = async (client: Client, group: 'mass-messages' | 'direct-messages', name: string) =>
  (await client.getData(`${group}/chart`))[name].total

/** Sends a paid mass message to 'count' of the account's fans. */
async function sell(client: Client, count: number) {
  const fans = fansOf(client).slice(0, count)
  const { id } = await send(client, { userIds: fans, mediaFiles: [mediaOf(client)], price: 7 })
  return { id, fans }
}

describe('the purchases of a mass message', () => {
  it('are kept if a chat or a bought message is deleted (§4 known behaviour 2)', async () => {
    const client = await openClient('agency')
    const { id, fans } = await sell(client, 4)
    for (const fan of fans.slice(0, 3)) {
      client.sandbox.clock.advance('1m')
      unlockMassMessage(client, id, fan)
    }
    const figures = async () => [
      await buyersOf(client, id),
      await statsOf(client, id),
      await boughtIn(client, 'mass-messages', 'group_messages_purchases'),
    ]
    const before = await figures()
    expect(before[0]).toEqual([fans[2], fans[1], fans[0]])
    await client.delete(`chats/${fans[1]}`)
    client.db.messages.remove(deliveriesOf(client, id).find(({ fanId }) => fanId === fans[2])!.id)
    expect(deliveriesOf(client, id)).toHaveLength(2)
    expect(await figures()).toEqual(before)
    await client.sandbox.control.restore(structuredClone(client.sandbox.snapshot()))
    expect(await figures()).toEqual(before)
    undo(client, client.db.messagePurchases.find({ queueId: id, fanId: fans[1]! })!.id)
    expect(await buyersOf(client, id)).toEqual([fans[2], fans[0]])
    expect(await statsOf(client, id)).toMatchObject({ viewedCount: 3 })
  })

  it('list a buyer first after a refund and a new purchase', async () => {
    const client = await openClient('agency')
    const { id, fans } = await sell(client, 3)
    const [payment] = fans.map((fan) => unlockMassMessage(client, id, fan))
    undo(client, payment!.id)
    expect(await buyersOf(client, id)).toEqual([fans[2], fans[1]])
    client.sandbox.clock.advance('1m')
    unlockMassMessage(client, id, fans[0]!)
    expect(await buyersOf(client, id)).toEqual([fans[0], fans[2], fans[1]])
  })

  it('are paged as of the first page, even after new purchases and refunds (§4 known behaviour 2)', async () => {
    const client = await openClient('agency')
    const { id, fans } = await sell(client, 6)
    const payments = fans.slice(0, 5).map((fan) => unlockMassMessage(client, id, fan))
    const { data, _pagination } = (await client.get(`mass-messages/${id}/buyers?limit=2`)).body
    expect(data.list).toEqual([{ id: fans[4] }, { id: fans[3] }])
    for (const place of [4, 2]) undo(client, payments[place]!.id)
    for (const place of [4, 5]) unlockMassMessage(client, id, fans[place]!)
    const second = (await client.get(_pagination.next_page)).body
    expect(second.data.list).toEqual([{ id: fans[2] }, { id: fans[1] }])
    expect(await client.getData(second._pagination.next_page)).toMatchObject({
      list: [{ id: fans[0] }],
      hasMore: false,
    })
    expect(await buyersOf(client, id)).toEqual([fans[5], fans[4], fans[3], fans[1], fans[0]])
  })

  it('keep a cancelled message only for fans with a valid payment', async () => {
    const client = await openClient('agency')
    const { id, fans } = await sell(client, 3)
    const [payment] = fans.slice(0, 2).map((fan) => unlockMassMessage(client, id, fan))
    undo(client, payment!.id)
    expect((await cancel(client, id)).status).toBe(200)
    expect(deliveriesOf(client, id).map(({ fanId }) => fanId)).toEqual([fans[1]])
    expect(await statsOf(client, id)).toMatchObject({ viewedCount: 2 })
  })
})

describe('the views of a mass message', () => {
  it('count readers who did not buy it, and are not reduced by refunds or cancelling', async () => {
    const client = await openClient('agency')
    const { id, fans } = await sell(client, 4)
    const read = (fan: number) =>
      client.sandbox.act({ type: 'message.read', account_id: client.account(), fan_id: fan })
    read(fans[0]!)
    expect(await statsOf(client, id)).toMatchObject({ viewedCount: 1 })
    expect(await buyersOf(client, id)).toEqual([])
    const copy = deliveriesOf(client, id).find(({ fanId }) => fanId === fans[0])
    expect(copy?.isOpened).toBe(false)
    undo(client, unlockMassMessage(client, id, fans[1]!).id)
    read(fans[0]!)
    expect(await statsOf(client, id)).toMatchObject({ viewedCount: 2 })
    expect(await buyersOf(client, id)).toEqual([])
    const views = async () =>
      (await client.getData('earnings/overview?by=messages')).massMessages.views
    const before = await views()
    await cancel(client, id)
    expect(deliveriesOf(client, id)).toEqual([])
    expect(await statsOf(client, id)).toMatchObject({ viewedCount: 2, sentCount: 4 })
    expect(await views()).toEqual(before)
  })
})

describe('a paid message to one fan', () => {
  it('stays viewed after a refund, and stays in the chart after its chat is deleted', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const [one = 0, two = 0] = fansOf(client)
    const total = () => boughtIn(client, 'direct-messages', 'direct_messages_purchases')
    const before = await total()
    const offer = { text: 'For sale', price: 10, mediaFiles: [mediaOf(client)] }
    const sellTo = async (fan: number) => {
      const { id: message_id } = await client.postData(`chats/${fan}/messages`, offer)
      return client.sandbox.act({ type: 'message.unlock', account_id: account, message_id }).ids
    }
    await sellTo(one)
    const bought = await sellTo(two)
    await client.delete(`chats/${one}`)
    expect(await total()).toBe(before + 20)
    undo(client, bought.transaction)
    expect(await total()).toBe(before + 10)
    expect((await client.getData('direct-messages?limit=1')).items[0]).toMatchObject({
      id: bought.message,
      viewedCount: 1,
    })
  })
})
