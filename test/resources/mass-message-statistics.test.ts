import { describe, expect, it } from 'vitest'
import {
  unlockMassMessage,
  buyersOf,
  deliveriesOf,
  fansOf,
  hour,
  later,
  mediaOf,
  read,
  send,
  statsOf,
} from '../support/mass-messages.ts'
import { openClient } from '../support/client.ts'
import type { Client, TestResponse } from '../support/client.ts'
import { idsOf, readAllPages } from '../support/read-all-pages.ts'
import { listActiveAccounts } from '../support/owner-requests.ts'

describe('GET mass-messages', () => {
  const walk = async (client: Client, path: string) => {
    const rows: { id: number; date: string }[] = []
    for (let next: string | undefined = path; next !== undefined;) {
      const { status, body }: TestResponse = await client.get(next)
      expect(status).toBe(200)
      rows.push(...body.data)
      next = body._pagination?.next_page
      if (next !== undefined)
        expect(new URL(next, 'http://x').searchParams.get('end_date')).toBe(body.data.at(-1)?.date)
    }
    return rows
  }

  it('pages each sent message once, newest first, by the date of the last row', async () => {
    for (const scenario of ['agency', 'boundaries']) {
      const client = await openClient(scenario)
      for (const { id: account } of listActiveAccounts(client)) {
        const sent = client.db.massMessages
          .where((item) => item.accountId === account && item.sentAt !== null)
          .toSorted((a, b) => (a.sentAt! < b.sentAt! ? 1 : -1))
        for (const limit of [1, 3, 10, 100])
          expect(idsOf(await walk(client, `/v1/${account}/mass-messages?limit=${limit}`))).toEqual(
            idsOf(sent),
          )
      }
    }
  })

  it('lists the latest message first on a frozen clock, each with the time when it was sent', async () => {
    const client = await openClient('agency')
    client.sandbox.clock.set('2026-10-15T00:00:00Z')
    const [fan = 0] = fansOf(client)
    const sent: { id: number; date: string }[] = []
    for (const text of ['One', 'Two', 'Three']) {
      sent.unshift(await send(client, { text, userIds: [fan] }))
      const listed = await client.getData('mass-messages?start_date=2026-10-15&end_date=now')
      expect(idsOf(listed)).toEqual(idsOf(sent))
      expect(listed[0].date).toBe('2026-10-15T00:00:00+00:00')
    }
    const { group_messages: chart } = await client.getData(
      'mass-messages/chart?start_date=2026-10-15&end_date=now',
    )
    expect(chart.chart.map(({ count }: { count: number }) => count)).toEqual([3])
  })

  it("agrees with the recipients' chats in seeded data", async () => {
    const client = await openClient('agency')
    const { db } = client
    for (const item of db.massMessages.where({ state: 'sent' })) {
      const messages = deliveriesOf(client, item.id)
      const sizes = [messages.length, new Set(messages.map(({ fanId }) => fanId)).size]
      expect(sizes).toEqual([item.sentCount, item.sentCount])
      for (const { chatId, fanId, createdAt } of messages) {
        const chat = db.chats.get(chatId)!
        expect([chat.fanId, chat.lastMessageAt >= createdAt]).toEqual([fanId, true])
      }
    }
    const states = db.massMessages.where({ accountId: client.account() }).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['queued', 'sent', 'cancelled']))
  })

  it('filters by the window, and counts opened and bought messages', async () => {
    const client = await openClient('agency')
    const fans = fansOf(client).slice(0, 4)
    const offer = { userIds: fans, mediaFiles: [mediaOf(client)], price: 7 }
    const { id, date } = await send(client, offer)
    const shown = { id, date, text: 'Hello all', mediaCount: 1, price: 7, isFree: false }
    expect(await statsOf(client, id)).toEqual({ ...shown, sentCount: 4, viewedCount: 0 })
    for (const { id: message } of deliveriesOf(client, id).slice(0, 3))
      client.db.messages.update(message, { isViewed: true })
    const payment = unlockMassMessage(client, id, fans[0]!)
    unlockMassMessage(client, id, fans[1]!)
    expect(await statsOf(client, id)).toMatchObject({ viewedCount: 3 })
    expect(await buyersOf(client, id)).toHaveLength(2)
    expect((await read(client, id)).viewedCount).toBe(3)
    client.db.transactions.update(payment.id, { status: 'undo' })
    expect(await buyersOf(client, id)).toEqual([fans[1]])
    expect(idsOf(await client.getData('mass-messages?start_date=-1d&end_date=now'))).toContain(id)
    for (const row of await client.getData('mass-messages?end_date=2026-09-30'))
      expect(row.date < '2026-10-01').toBe(true)
  })
})

describe('GET mass-messages/lists and /chart', () => {
  it('page the lists of fans, and find them by name and by user', async () => {
    const client = await openClient('agency')
    const [fan = 0] = fansOf(client)
    const { id } = await client.postData('user-lists', { name: 'Night owls' })
    await client.post(`user-lists/${id}/users`, { ids: [fan] })
    const all = (await client.getData('mass-messages/lists?limit=100')).list
    expect(idsOf(all.slice(0, 3))).toEqual(['fans', 'recent', 'following'])
    const path = `/v1/${client.account()}/mass-messages/lists`
    const owls = { id, type: 'custom', name: 'Night owls', usersCount: 1 }
    expect(await client.getData(`${path}?query=OWL`)).toEqual({ list: [owls], hasMore: false })
    expect(await readAllPages(client, `${path}?related_user=${fan}`)).toContainEqual(owls)
    expect(await readAllPages(client, `${path}?related_user=1`)).toEqual([])
    expect(await readAllPages(client, `${path}?limit=2`)).toEqual(all)
  })

  it('chart sent messages and purchases, which sum to the totals', async () => {
    const client = await openClient('agency')
    const fans = fansOf(client).slice(0, 2)
    const chart = (query = '') => client.getData(`mass-messages/chart${query}`)
    const before = await chart()
    const { id } = await send(client, { userIds: fans, mediaFiles: [mediaOf(client)], price: 7 })
    unlockMassMessage(client, id, fans[1]!)
    const after = await chart()
    expect([after.group_messages.total, after.group_messages_purchases.total]).toEqual([
      before.group_messages.total + 1,
      before.group_messages_purchases.total + 7,
    ])
    for (const { chart: points, total } of [after.group_messages, after.group_messages_purchases]) {
      const sum = points.reduce((all: number, { count }: { count: number }) => all + count, 0)
      expect(sum).toBe(total)
      const dates: string[] = points.map(({ date }: { date: string }) => date)
      expect(dates).toEqual(dates.toSorted())
      expect(dates.at(-1)).toBe('2026-10-01T00:00:00+00:00')
    }
    const none = { chart: [], total: 0, delta: 0 }
    expect(await chart('?start_date=2020-01-01&end_date=2020-02-01')).toEqual({
      group_messages: none,
      group_messages_purchases: none,
    })
  })
})

describe('GET mass-messages/{message_id}/buyers', () => {
  it('lists the ids of its buyers, latest first, without another page', async () => {
    const client = await openClient('agency')
    const fans = fansOf(client).slice(0, 5)
    const { id } = await send(client, { userIds: fans, mediaFiles: [mediaOf(client)], price: 7 })
    for (const place of [3, 1, 4]) unlockMassMessage(client, id, fans[place]!)
    const { data, _pagination } = (await client.get(`mass-messages/${id}/buyers`)).body
    expect(data).toEqual({
      list: [{ id: fans[4] }, { id: fans[1] }, { id: fans[3] }],
      hasMore: false,
      marker: expect.any(Number),
    })
    expect(_pagination).toBeUndefined()
  })

  it('is empty for a free and for a queued message (§4 known behaviour 2)', async () => {
    const client = await openClient('agency')
    const fans = fansOf(client).slice(0, 2)
    const free = await send(client, { userIds: fans })
    unlockMassMessage(client, free.id, fans[0]!)
    const offer = { userIds: fans, mediaFiles: [mediaOf(client)], price: 7 }
    const queued = await send(client, { ...offer, scheduledDate: later(client, hour) })
    for (const { id } of [free, queued])
      expect(await client.getData(`mass-messages/${id}/buyers`)).toEqual({
        list: [],
        hasMore: false,
        marker: Math.floor(client.sandbox.clock.now() / 1000),
      })
  })
})
