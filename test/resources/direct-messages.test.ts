import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

interface Row {
  id: number
  date: string
}

const directOf = (client: Client) =>
  client.db.messages.where(
    (message) =>
      message.accountId === client.account() && !message.isFromFan && message.queueId === null,
  )

async function walkRows(client: Client, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const { status, body }: Awaited<ReturnType<Client['get']>> = await client.get(next)
    expect(status, JSON.stringify(body)).toBe(200)
    rows.push(...body.data.items)
    expect(body.data.hasMore).toBe(body._pagination !== undefined)
    next = body._pagination?.next_page
    expect(rows.length).toBeLessThan(5000)
  }
  return rows
}

describe('GET direct-messages', () => {
  it('lists each message to a single fan once, newest first, also with equal times', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = client.db.chats.find({ accountId: account })!
    for (let turn = 0; turn < 5; turn += 1)
      await client.post(`chats/${fanId}/messages`, { text: `Turn ${turn}` })
    const rows = await walkRows(client, `/v1/${account}/direct-messages?limit=2`)
    const expected = directOf(client).toSorted((a, b) =>
      a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id - a.id,
    )
    expect(idsOf(rows)).toEqual(idsOf(expected))
    const { date } = rows[0]!
    expect(rows[0]).toEqual({
      id: expected[0]!.id,
      date,
      text: 'Turn 4',
      sentCount: 1,
      viewedCount: 0,
      mediaCount: 0,
      isFree: true,
      isTip: false,
    })
    const { next_page: next } = (await client.get('direct-messages?limit=2')).body._pagination
    expect(next).toBe(
      `/v1/${account}/direct-messages?limit=2&end_date=${date.slice(0, 10)}+${encodeURIComponent(date.slice(11, 19))}`,
    )
  })

  it('excludes mass messages, and counts views and purchases', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = client.db.chats.find({ accountId: account })!
    const media = client.db.vaultMedia.find((each) => each.accountId === account && each.isReady)!
    const data = await client.postData(`chats/${fanId}/messages`, {
      text: 'For sale',
      price: 10,
      mediaFiles: [media.id],
    })
    await client.post('mass-messages', { text: 'To all', userLists: ['fans'] })
    const rows = await walkRows(client, `/v1/${account}/direct-messages?limit=100`)
    expect(rows[0]).toMatchObject({ id: data.id, isFree: false, viewedCount: 0 })
    client.sandbox.act({ type: 'message.unlock', account_id: account, message_id: data.id })
    expect((await client.getData('direct-messages')).items[0]).toMatchObject({
      id: data.id,
      viewedCount: 1,
    })
  })

  it('filters by the window, searches with query and pages the search by offset', async () => {
    const client = await openClient()
    const account = client.account()
    const rows = await walkRows(client, `/v1/${account}/direct-messages?limit=100`)
    const [from, to] = [rows.at(-1)!.date, rows[0]!.date]
    const window = new URLSearchParams({ start_date: from, end_date: to })
    const within = await walkRows(client, `/v1/${account}/direct-messages?limit=3&${window}`)
    expect(within).toEqual(rows.filter(({ date }) => date >= from && date < to))
    expect((await client.getData('direct-messages?limit=3&offset=1')).items).toEqual(
      rows.slice(0, 3),
    )
    const { fanId } = client.db.chats.find({ accountId: account })!
    for (const text of ['Zaffre lake', 'zaffre sea', 'Green'])
      await client.post(`chats/${fanId}/messages`, { text })
    expect(
      (await walkRows(client, `/v1/${account}/direct-messages?query=ZAFFRE&limit=1`)).map(
        (row) => (row as unknown as { text: string }).text,
      ),
    ).toEqual(['zaffre sea', 'Zaffre lake'])
  })
})

it('GET direct-messages/chart counts sent and purchased messages by day', async () => {
  const client = await openClient()
  const account = client.account()
  const path = 'direct-messages/chart?start_date=2024-01-01'
  const { direct_messages: sent, direct_messages_purchases: bought } = await client.getData(path)
  const direct = directOf(client).filter(({ createdAt }) => createdAt >= '2024')
  const sum = (chart: { count: number }[]) => chart.reduce((total, { count }) => total + count, 0)
  expect([sent.total, sum(sent.chart)]).toEqual([direct.length, direct.length])
  const paid = direct.flatMap(({ id, purchasedAt }) =>
    purchasedAt === null ? [] : client.db.transactions.where({ messageId: id }),
  )
  const kept = paid
    .filter(({ status }) => status !== 'undo')
    .reduce((total, { amount }) => total + (amount ?? 0), 0)
  expect(bought.total).toBeCloseTo(kept, 2)
  for (const { date, count } of sent.chart)
    expect([date, count]).toEqual([
      date,
      direct.filter(({ createdAt }) => createdAt.slice(0, 10) === date.slice(0, 10)).length,
    ])
  const dates = sent.chart.map(({ date }: { date: string }) => date)
  expect(dates).toEqual(dates.toSorted())
  const { fanId } = client.db.chats.find({ accountId: account })!
  const media = client.db.vaultMedia.find((each) => each.accountId === account && each.isReady)!
  const { id } = await client.postData(`chats/${fanId}/messages`, {
    text: 'For sale',
    price: 10,
    mediaFiles: [media.id],
  })
  client.sandbox.act({ type: 'message.unlock', account_id: account, message_id: id })
  const after = await client.getData(path)
  expect([after.direct_messages.total, after.direct_messages_purchases.total]).toEqual([
    sent.total + 1,
    bought.total + 10,
  ])
  const lastMonth = (await client.getData('direct-messages/chart')).direct_messages
  expect(lastMonth.chart.at(-1)).toEqual({
    date: `${client.sandbox.clock.iso().slice(0, 10)}T00:00:00+00:00`,
    count: expect.any(Number),
  })
})
