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
import { idsOf } from '../support/read-all-pages.ts'
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
      const [newest] = await client.getData('mass-messages?limit=1')
      expect(newest).toMatchObject({ id: sent[0]!.id, date: '2026-10-15T00:00:00+00:00' })
    }
    const { group_messages: chart } = await client.getData(
      'mass-messages/chart?start_date=2026-10-15&end_date=2026-10-15',
    )
    expect(chart.chart.map(({ count }: { count: number }) => count)).toEqual([3])
  })

  it("agrees with the recipients' chats in seeded data", async () => {
    const client = await openClient('agency')
    const { db } = client
    for (const item of db.massMessages.where({ state: 'sent' })) {
      const messages = deliveriesOf(client, item.id)
      expect([messages.length, new Set(messages.map(({ fanId }) => fanId)).size]).toEqual([
        item.sentCount,
        item.sentCount,
      ])
      for (const { chatId, fanId, createdAt } of messages)
        expect([
          db.chats.get(chatId)?.fanId,
          db.chats.get(chatId)!.lastMessageAt >= createdAt,
        ]).toEqual([fanId, true])
    }
    for (const state of ['queued', 'sent', 'cancelled'] as const)
      expect(db.massMessages.where({ accountId: client.account(), state }).length).toBeGreaterThan(
        0,
      )
  })

  it('filters by the window, and counts opened and bought messages', async () => {
    const client = await openClient('agency')
    const fans = fansOf(client).slice(0, 4)
    const { id, date } = await send(client, {
      userIds: fans,
      mediaFiles: [mediaOf(client)],
      price: 7,
    })
    expect(await statsOf(client, id)).toEqual({
      date,
      sentCount: 4,
      viewedCount: 0,
      mediaCount: 1,
      price: 7,
      isFree: false,
      text: 'Hello all',
      id,
    })
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
    expect(
      (await client.getData('mass-messages?end_date=2026-09-30')).every(
        (row: { date: string }) => row.date < '2026-10-01',
      ),
    ).toBe(true)
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
    expect(await client.getData('mass-messages/lists?query=OWL')).toEqual({
      list: [{ id, type: 'custom', name: 'Night owls', usersCount: 1 }],
      hasMore: false,
    })
    expect(
      idsOf((await client.getData(`mass-messages/lists?related_user=${fan}&limit=100`)).list),
    ).toContain(id)
    expect((await client.getData('mass-messages/lists?related_user=1')).list).toEqual([])
    const first = (await client.get('mass-messages/lists?limit=2')).body
    expect([first.data.list, first.data.hasMore]).toEqual([all.slice(0, 2), true])
    expect((await client.getData(first._pagination.next_page)).list).toEqual(all.slice(2, 4))
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
    for (const series of [after.group_messages, after.group_messages_purchases]) {
      expect(
        series.chart.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
      ).toBe(series.total)
      expect(series.chart.map(({ date }: { date: string }) => date)).toEqual(
        series.chart.map(({ date }: { date: string }) => date).toSorted(),
      )
      expect(series.chart.at(-1).date).toBe('2026-10-01T00:00:00+00:00')
    }
    expect(await chart('?start_date=2020-01-01&end_date=2020-02-01')).toEqual({
      group_messages: { chart: [], total: 0, delta: 0 },
      group_messages_purchases: { chart: [], total: 0, delta: 0 },
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
    const queued = await send(client, {
      userIds: fans,
      mediaFiles: [mediaOf(client)],
      price: 7,
      scheduledDate: later(client, hour),
    })
    for (const { id } of [free, queued])
      expect(await client.getData(`mass-messages/${id}/buyers`)).toEqual({
        list: [],
        hasMore: false,
        marker: Math.floor(client.sandbox.clock.now() / 1000),
      })
  })
})
