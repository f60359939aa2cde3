import { describe, expect, it } from 'vitest'
import { fansOf, send } from '../support/mass-messages.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { readAllPages } from '../support/read-all-pages.ts'

const listed = async (client: Client, query = '') =>
  (await readAllPages(client, `chats?limit=100${query}`)).map(
    ({ withUser }) => (withUser as { id: number }).id,
  )
const write = async (client: Client, fan: number, text = 'Hello') =>
  (await client.postData(`chats/${fan}/messages`, { text })).id as number
/** Returns fans whose chats are empty. */
const silentFans = (client: Client) =>
  fansOf(client).filter(
    (fanId) => client.db.chats.find({ accountId: client.account(), fanId }) === undefined,
  )

describe('the chat list', () => {
  it('leaves out empty chats', async () => {
    const client = await openClient('agency')
    const before = await listed(client)
    const [one = 0, two = 0] = silentFans(client)
    const message = await write(client, one)
    const { id } = await send(client, { userIds: [one, two] })
    expect((await listed(client)).toSorted()).toEqual([...before, one, two].toSorted())
    await client.delete(`messages/${message}`)
    await client.delete(`mass-messages/queue/${id}`)
    expect(await listed(client)).toEqual(before)
    expect(await client.getData(`chats/${one}/messages`)).toEqual({ list: [], hasMore: false })
    await write(client, two)
    expect((await listed(client))[0]).toBe(two)
  })

  it('filters by lists with the same post counts as in user-lists', async () => {
    const client = await openClient('agency')
    const follows = client.db.follows.where({ accountId: client.account() }).slice(0, 3)
    const { id } = await client.postData('user-lists', { name: 'Creators' })
    await client.post(`user-lists/${id}/users`, { ids: follows.map(({ userId }) => userId) })
    const counts = async (path: string) =>
      (await client.getData(`${path}?limit=100`)).list.map(
        (list: Record<string, number>) => [list['id'], list['postsCount']] as const,
      )
    const ofLists = await counts('lists')
    expect(await counts('user-lists')).toEqual(expect.arrayContaining(ofLists))
    expect(new Map<number, number>(ofLists).get(id)).toBeGreaterThan(0)
  })
})

it('a muted chat notifies of payments, but not of messages until it is unmuted', async () => {
  const client = await openClient('agency')
  const account = client.account()
  const [fan = 0] = await listed(client)
  const count = (type: 'message' | 'tip') =>
    client.db.notifications.where({ accountId: account, fanId: fan, type }).length
  const before = [count('message'), count('tip')] as const
  await client.post(`chats/${fan}/mute`)
  const isMuted = async () => (await client.getData('chats')).list[0].isMutedNotifications
  expect(await isMuted()).toBe(true)
  client.sandbox.act({ type: 'message.from_fan', account_id: account, fan_id: fan })
  client.sandbox.act({ type: 'tip', account_id: account, fan_id: fan, amount: 5, on: 'chat' })
  expect([count('message'), count('tip')]).toEqual([before[0], before[1] + 1])
  await client.delete(`chats/${fan}/mute`)
  expect(await isMuted()).toBe(false)
  client.sandbox.act({ type: 'message.from_fan', account_id: account, fan_id: fan })
  expect(count('message')).toBe(before[0] + 1)
})

describe('the messages of a chat', () => {
  it('are read up to an existing message, even if the last one was unsent', async () => {
    const client = await openClient('agency')
    const [fan = 0] = await listed(client)
    const [first, second] = [await write(client, fan), await write(client, fan)]
    await client.post(`chats/${fan}/mark-as-read`)
    const lastRead = async () =>
      (await readAllPages(client, 'chats?limit=100')).find(
        ({ withUser }) => (withUser as { id: number }).id === fan,
      )?.['lastReadMessageId']
    expect(await lastRead()).toBe(second)
    await client.delete(`messages/${second}`)
    expect(await lastRead()).toBe(first)
  })

  it('have limit, order and skip_users in next_page, even with defaults', async () => {
    const client = await openClient('agency')
    const [fan = 0] = await listed(client)
    const ids = []
    for (let turn = 0; turn < 11; turn += 1) ids.push(await write(client, fan))
    const next = async (query: string) =>
      (await client.get(`chats/${fan}/messages${query}`)).body._pagination.next_page.split('?')[1]
    expect(await next('')).toBe(`limit=10&order=desc&skip_users=all&id=${ids[1]}`)
    expect(await next('?limit=2&skip_users=none')).toBe(
      `limit=2&skip_users=none&order=desc&id=${ids[9]}`,
    )
  })
})

describe('POST messages/{message_id}/attach-tags', () => {
  it('sets the given tags, clears with an empty array and ignores absent keys (§4)', async () => {
    const client = await openClient()
    const { id } = client.db.messages.find({ accountId: client.account(), isFromFan: false })!
    const attach = async (body: object) => {
      expect(await client.postData(`messages/${id}/attach-tags`, body)).toEqual({ success: true })
      const { rfTag, rfPartner, rfGuest } = client.db.messages.get(id)!
      return { rfTag, rfPartner, rfGuest }
    }
    await attach({ rfTag: [1, 2], rfGuest: [3] })
    const changed = { rfTag: [], rfPartner: [9], rfGuest: [3] }
    expect(await attach({ rfTag: [], rfPartner: [9] })).toEqual(changed)
    expect(await attach({})).toEqual(changed)
  })

  it("rejects a fan's message, and negative, duplicate or too many ids", async () => {
    const client = await openClient('agency')
    const account = client.account()
    const attach = (id: number, body: object) => client.post(`messages/${id}/attach-tags`, body)
    const messageBy = (isFromFan: boolean) =>
      client.db.messages.find({ accountId: account, isFromFan })!.id
    const { status, body } = await attach(messageBy(true), { rfTag: [1] })
    expect(status).toBe(403)
    expect(body.error).toContain('cannot be tagged')
    for (const ids of [[-1], [0], [1, 1], Array.from({ length: 101 }, (_, place) => place + 1)]) {
      for (const key of ['rfTag', 'rfPartner', 'rfGuest'])
        expect((await attach(messageBy(false), { [key]: ids })).status, key).toBe(400)
    }
  })
})
