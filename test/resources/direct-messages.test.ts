import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { mediaOf, send } from '../support/mass-messages.ts'
import { idsOf, readAllPages } from '../support/read-all-pages.ts'

interface Row {
  id: number
  date: string
  text: string
}

const directOf = (client: Client) =>
  client.db.messages.where({ accountId: client.account(), isFromFan: false, queueId: null })
const walkRows = async (client: Client, query: string) =>
  (await readAllPages(client, `direct-messages?${query}`, { list: 'items' })) as unknown as Row[]
/** Writes a message to a fan, and returns its id. */
async function write(client: Client, fields: object): Promise<number> {
  const { fanId } = client.db.chats.find({ accountId: client.account() })!
  return (await client.postData(`chats/${fanId}/messages`, fields)).id
}

describe('GET direct-messages', () => {
  it('lists each message to a single fan once, newest first, also with equal times', async () => {
    const client = await openClient()
    for (let turn = 0; turn < 5; turn += 1) await write(client, { text: `Turn ${turn}` })
    await send(client, { userLists: ['fans'] })
    const rows = await walkRows(client, 'limit=2')
    const expected = directOf(client).toSorted((a, b) =>
      a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1,
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
    const { data, _pagination } = (await client.get('direct-messages?limit=2')).body
    expect([data.hasMore, _pagination.next_page]).toEqual([
      true,
      `/v1/${client.account()}/direct-messages?limit=2&end_date=${date.slice(0, 10)}+` +
        encodeURIComponent(date.slice(11, 19)),
    ])
  })

  it('filters by the window, searches with query and pages the search by offset', async () => {
    const client = await openClient()
    const rows = await walkRows(client, 'limit=100')
    const [from, to] = [rows.at(-1)!.date, rows[0]!.date]
    const window = new URLSearchParams({ start_date: from, end_date: to })
    expect(await walkRows(client, `limit=3&${window}`)).toEqual(
      rows.filter(({ date }) => date >= from && date < to),
    )
    expect((await client.getData('direct-messages?limit=3&offset=1')).items).toEqual(
      rows.slice(0, 3),
    )
    for (const text of ['Zaffre lake', 'zaffre sea', 'Green']) await write(client, { text })
    expect((await walkRows(client, 'query=ZAFFRE&limit=1')).map(({ text }) => text)).toEqual([
      'zaffre sea',
      'Zaffre lake',
    ])
  })
})

it('GET direct-messages/chart counts sent and purchased messages by day', async () => {
  const client = await openClient()
  const path = 'direct-messages/chart?start_date=2024-01-01'
  const { direct_messages: sent, direct_messages_purchases: bought } = await client.getData(path)
  const days = directOf(client).map(({ createdAt }) => `${createdAt.slice(0, 10)}T00:00:00+00:00`)
  expect(sent).toMatchObject({
    total: days.length,
    chart: [...new Set(days)].toSorted().map((date) => ({
      date,
      count: days.filter((day) => day === date).length,
    })),
  })
  const id = await write(client, { text: 'Buy', price: 10, mediaFiles: [mediaOf(client)] })
  client.sandbox.act({ type: 'message.unlock', account_id: client.account(), message_id: id })
  const after = await client.getData(path)
  expect([after.direct_messages.total, after.direct_messages_purchases.total]).toEqual([
    sent.total + 1,
    bought.total + 10,
  ])
  expect((await client.getData('direct-messages')).items[0]).toMatchObject({ id, isFree: false })
  const lastMonth = (await client.getData('direct-messages/chart')).direct_messages
  expect(lastMonth.chart.at(-1).date).toBe(
    `${client.sandbox.clock.iso().slice(0, 10)}T00:00:00+00:00`,
  )
})
