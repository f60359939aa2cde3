import { beforeEach, describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { idsOf } from '../support/read-all-pages.ts'

/** Returns the ids of a list. */
const readIds = async (client: Client, path: string): Promise<number[]> =>
  idsOf((await client.getData(path)).list)

describe('rows that are written on a frozen clock', () => {
  let client: Client
  let accountId: number
  /** The order in which the fans act: it is the order of neither their ids nor their reverse. */
  let order: number[]
  let latestFirst: number[]
  beforeEach(async () => {
    client = await openClient('empty')
    accountId = client.account()
    const { clock, make } = client.sandbox
    const [one, two, three] = make.fan.many(3)
    order = idsOf([two!, three!, one!])
    for (const fanId of order.toSorted()) make.subscription({ accountId, fanId, at: '-10d' })
    clock.advance('1h')
    latestFirst = order.toReversed()
  })

  it('members of a user list: the latest added first', async () => {
    const lists = 'user-lists'
    const { id } = await client.postData(lists, { name: 'List' })
    for (const fan of order) await client.post(`${lists}/${id}/users`, { ids: [fan] })
    expect(await readIds(client, `user-lists/${id}/users`)).toEqual(latestFirst)
    await client.delete(`${lists}/${id}/users`)
    await client.post(`${lists}/${id}/users`, { ids: order })
    expect(await readIds(client, `user-lists/${id}/users`)).toEqual(latestFirst)
  })

  it('user lists with sort_by=recent: the latest changed last, or first with desc', async () => {
    const lists = 'user-lists'
    const ids: number[] = []
    for (const name of ['A', 'B', 'C']) ids.push((await client.postData(lists, { name })).id)
    const [a, b, c] = ids as [number, number, number]
    await client.post(`${lists}/${b}/users`, { ids: [order[0]] })
    await client.patch(`${lists}/${a}`, { name: 'Z' })
    expect(await readIds(client, 'user-lists?sort_by=recent&sort_dir=desc')).toEqual([a, b, c])
  })

  it.each(['block', 'restrict'])('users: the latest to %s first', async (mark) => {
    const path = `subscribers/${mark}ed`
    for (const fan of order) await client.post(`users/${fan}/${mark}`)
    expect(await readIds(client, path)).toEqual(latestFirst)
    const [first = 0] = order
    await client.delete(`users/${first}/${mark}`)
    await client.post(`users/${first}/${mark}`)
    expect((await readIds(client, path))[0]).toBe(first)
  })

  it('renewals: the latest first', async () => {
    for (const fan_id of order)
      client.sandbox.act({ type: 'subscriber.renew', account_id: accountId, fan_id, price: 5 })
    expect(await readIds(client, 'subscribers/latest?type=renewals')).toEqual(latestFirst)
    expectNoViolations(client.sandbox)
  })

  it('activity of fans: the latest active first, also if a fan acts again', async () => {
    const write = (fan_id: number | undefined) =>
      client.sandbox.act({ type: 'message.from_fan', account_id: accountId, fan_id })
    for (const fan of order) write(fan)
    expect(await readIds(client, 'subscribers?sort_by=last_activity')).toEqual(latestFirst)
    write(order[0])
    expect((await readIds(client, 'subscribers?sort_by=last_activity'))[0]).toBe(order[0])
  })

  it('payments: the latest first, also in the ranking by the latest payment', async () => {
    const tip = (fan_id: number | undefined) =>
      client.sandbox.act({ type: 'tip', account_id: accountId, fan_id, amount: 5 })
    for (const fan of order) tip(fan)
    expect(await readIds(client, 'subscribers/top?by=recent')).toEqual(latestFirst)
    tip(order[0])
    expect((await readIds(client, 'subscribers/top?by=recent'))[0]).toBe(order[0])
    const path = `/v1/fans/${order[0]}/transactions`
    const { body } = await client.post(path, { account_ids: [accountId] })
    const ids = body.data.transactions.map(({ id }: { id: string }) => Number(id))
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
  })

  it('chats: the latest first', async () => {
    for (const fan of order) await client.post(`chats/${fan}/messages`, { text: 'Hi' })
    const { list } = await client.getData('chats')
    expect(list.map(({ withUser }: { withUser: { id: number } }) => withUser.id)).toEqual(
      latestFirst,
    )
  })
})
