import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { fansOf, mediaOf, send, unlockMassMessage } from '../support/mass-messages.ts'
import { readAllPages } from '../support/read-all-pages.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const highlights = (client: Client, category: string, query = '') =>
  client.getData(`highlights/${category}${query}`)
const metrics = ['tips', 'views', 'likes', 'comments'] as const
const fields = {
  tips: 'tipsSumm',
  views: 'viewersCount',
  likes: 'likesCount',
  comments: 'commentsCount',
} as const
const wire = { ...fields, tips: 'tipsAmountRaw' } as const

describe('highlights', () => {
  it('returns the first post of each leaderboard that is not a stream, in the same shape', async () => {
    const client = await openClient('agency')
    const { db } = client
    const best = getIndexedTables(db).posts.in('views', client.account()).at(0)!
    for (const isStream of [false, true]) {
      db.posts.update(best.id, { isStream })
      for (const query of ['', '?start_date=2026-06-01&end_date=2026-08-31']) {
        const data = await highlights(client, 'post', query)
        for (const metric of ['purchases', ...metrics]) {
          const { items } = await client.getData(`engagement/posts/${metric}${query}`)
          const first = items.find(({ id }: { id: number }) => !db.posts.get(id)!.isStream)
          const isTipped = db.posts.get(first.id)!.tipCount > 0
          expect(data[metric], metric).toEqual(metric === 'tips' && !isTipped ? null : first)
        }
      }
    }
  })

  it("shows streams, stories and messages in the leaderboard's shape, videos with their sources", async () => {
    const client = await openClient('agency')
    const best = async (category: string) => (await highlights(client, category)).views
    const [stream, story, message] = [
      await best('stream'),
      await best('story'),
      await best('message'),
    ]
    const { text, rawText, isPinned, likeCount } = client.db.posts.get(stream.id)!
    expect(stream).toMatchObject({ text, rawText, isPinned, favoritesCount: likeCount })
    const [{ type, files, videoSources }, ...others] = stream.media
    const sources = Object.values(videoSources).filter((url) => url === files.full.url)
    expect([type, sources.length, others]).toEqual(['video', 2, []])
    expect(story).toMatchObject({
      text: '',
      rawText: '',
      isPinned: false,
      favoritesCount: story.stats.likeCount,
      mediaCount: story.media.length,
    })
    expect(message).toMatchObject({
      text: client.db.massMessages.get(message.id)!.text,
      favoritesCount: 0,
    })
  })

  it('returns null if all figures are 0', async () => {
    const empty = { purchases: null, tips: null, views: null, likes: null, comments: null }
    const past = '?end_date=2020-01-01&start_date=2019-01-01'
    for (const [scenario, query] of [
      ['empty', ''],
      ['agency', past],
    ] as const) {
      const client = await openClient(scenario)
      for (const category of ['post', 'message', 'stream', 'story', 'fan'])
        expect(await highlights(client, category, query), category).toEqual(empty)
    }
  })

  it('finds the best story of the requested window', async () => {
    const client = await openClient('agency')
    for (const query of ['', '?start_date=2026-08-01&end_date=2026-08-31']) {
      const data = await highlights(client, 'story', query)
      expect(data.purchases).toBeNull()
      for (const metric of ['tips', 'views', 'likes']) {
        const { items } = await client.getData(`engagement/stories/${metric}${query}`)
        expect([metric, data[metric].id]).toEqual([metric, items[0].id])
      }
    }
  })

  it('prefers the latest payer in a tie', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const fans = client.db.subscriptions
      .where({ accountId: account, isExpired: false, isBlocked: false })
      .slice(0, 2)
      .map(({ fanId }) => fanId)
    for (const order of [fans, fans.toReversed()]) {
      client.sandbox.clock.advance('1d')
      for (const fan_id of order) {
        client.sandbox.clock.advance('1m')
        client.sandbox.act({ type: 'tip', account_id: account, fan_id, amount: 400 })
      }
      expect((await highlights(client, 'fan', '?start_date=-1h')).tips.id).toBe(order[1])
    }
  })

  it('leaves out blocked fans', async () => {
    const client = await openClient('agency')
    // The first window has so many payments that the biggest spenders are read fan by fan.
    for (const query of ['', '?start_date=2026-09-01']) {
      const { tips, purchases } = await highlights(client, 'fan', query)
      const blocked = [tips.id, purchases.id]
      for (const id of blocked) await client.post(`users/${id}/block`)
      const after = await highlights(client, 'fan', query)
      expect(blocked).not.toContain(after.tips.id)
      expect(blocked).not.toContain(after.purchases.id)
      for (const id of blocked) await client.delete(`users/${id}/block`)
      expect(await highlights(client, 'fan', query)).toEqual({ ...after, tips, purchases })
    }
  })

  it('keeps the purchases of a mass message that was unsent, until a refund, in cents', async () => {
    const client = await openClient()
    client.sandbox.clock.advance('1d')
    const userIds = fansOf(client).slice(-3)
    const { id } = await send(client, { price: 4.99, mediaFiles: [mediaOf(client)], userIds })
    const payments = userIds.map((fan) => unlockMassMessage(client, id, fan))
    const shown = async () => (await highlights(client, 'message', '?start_date=-1h')).purchases
    const bought = await shown()
    expect([bought.id, bought.stats.purchasedSumm]).toEqual([id, 14.97])
    await client.delete(`mass-messages/queue/${id}`)
    expect(await shown()).toEqual(bought)
    for (const payment of payments) client.db.transactions.update(payment.id, { status: 'undo' })
    expect(await shown()).toBeNull()
  })

  it('uses a bought direct message if no mass message was bought', async () => {
    const client = await openClient('agency')
    const { db } = client
    for (const { id } of db.massMessages.all())
      db.massMessages.update(id, { state: 'cancelled', sentAt: null })
    const { purchases, tips, likes, comments } = await highlights(client, 'message')
    const message = db.messages.get(purchases.id)!
    expect(message).toMatchObject({ accountId: client.account(), isFromFan: false, queueId: null })
    expect(purchases).toMatchObject({
      price: message.price,
      postedAt: toPlatformTime(message.createdAt),
      stats: { purchasedCount: 1, purchasedSumm: message.price },
    })
    expect([tips, likes, comments]).toEqual([null, null, null])
  })

  it('rejects an unknown category or metric', async () => {
    const client = await openClient()
    const { status, body } = await client.get('highlights/posts')
    expect(status).toBe(400)
    expect(body.error).toMatch(/post.*message.*stream.*story.*fan/)
    expect((await client.get('engagement/stories/purchases')).status).toBe(400)
  })
})

describe('stories leaderboard', () => {
  it.each(metrics)('ranks by %s, ties newest first, and pages to the end', async (metric) => {
    const client = await openClient('agency')
    for (const query of ['', '?start_date=2026-09-01', '?end_date=2026-06-30']) {
      const items = await readAllPages(client, `engagement/stories/${metric}${query}`, {
        list: 'items',
      })
      const stories = client.db.stories
        .where(
          ({ accountId, createdAt }) =>
            accountId === client.account() &&
            (query.startsWith('?start')
              ? createdAt >= '2026-09-01'
              : query === '' || createdAt < '2026-07-01'),
        )
        .toSorted(
          (a, b) => b[fields[metric]] - a[fields[metric]] || (a.createdAt < b.createdAt ? 1 : -1),
        )
      expect(items.map(({ id, [wire[metric]]: value }) => [id, value])).toEqual(
        stories.map((story) => [story.id, story[fields[metric]]]),
      )
    }
  })

  it('has the window with defaults in next_page, and no limit', async () => {
    const client = await openClient('agency')
    const { _pagination } = (await client.get('engagement/stories/views')).body
    expect(_pagination.next_page.split('?')[1]).toBe(
      'start_date=2024-10-01&end_date=2026-10-01&offset=10',
    )
  })

  it('shows the figures of a story as numbers and as formatted text', async () => {
    const client = await openClient('agency')
    const [story] = (await client.getData('engagement/stories/tips')).items
    expect(story).toMatchObject({
      userId: client.account(),
      tipsAmount: `$${story.tipsAmountRaw.toFixed(2)}`,
      media: [{ canView: true, isReady: true }],
    })
    expect(story.viewers.length).toBeGreaterThan(0)
    expect(story.viewers.length).toBeLessThanOrEqual(story.viewersCount)
    expect((await client.sandbox.fetch(story.media[0].files.full.url)).status).toBe(200)
  })
})
