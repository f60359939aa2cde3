import { describe, expect, it } from 'vitest'
import { toCents } from '../../src/lib/money.ts'
import { toPlatformTime } from '../../src/lib/time.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
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
const wire = {
  tips: 'tipsAmountRaw',
  views: 'viewersCount',
  likes: 'likesCount',
  comments: 'commentsCount',
} as const

describe('highlights', () => {
  it('has cents in its sums, unlike the leaderboard', async () => {
    const client = await openClient('agency')
    const item = client.db.massMessages.find(
      ({ accountId, state, price }) =>
        accountId === client.account() && state === 'sent' && price > 0,
    )!
    client.db.massMessages.update(item.id, { price: 4.99 })
    const { purchases } = await highlights(
      client,
      'message',
      `?start_date=${item.sentAt}&end_date=${item.sentAt}`,
    )
    expect([purchases.id, toCents(purchases.stats.purchasedSumm)]).toEqual([
      item.id,
      purchases.stats.purchasedCount * 499,
    ])
    expect(Number.isInteger(purchases.stats.purchasedSumm)).toBe(
      purchases.stats.purchasedCount % 100 === 0,
    )
  })

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
          expect([metric, data[metric]]).toEqual([
            metric,
            metric === 'tips' && !isTipped ? null : first,
          ])
        }
      }
    }
  })

  it("shows streams, stories and messages in the leaderboard's shape, videos with their sources", async () => {
    const client = await openClient('agency')
    const { stream, story, message } = {
      stream: (await highlights(client, 'stream')).views,
      story: (await highlights(client, 'story')).views,
      message: (await highlights(client, 'message')).views,
    }
    const full = client.db.posts.get(stream.id)!
    expect(stream).toMatchObject({
      text: full.text,
      rawText: full.rawText,
      mediaCount: 1,
      isPinned: full.isPinned,
      favoritesCount: full.likeCount,
    })
    expect(
      stream.media.map(
        ({
          type,
          files,
          videoSources,
        }: {
          type: string
          files: { full: { url: string } }
          videoSources: Record<string, string | null>
        }) => [type, Object.values(videoSources).filter((url) => url === files.full.url).length],
      ),
    ).toEqual([['video', 2]])
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
    const client = await openClient('empty')
    for (const category of ['post', 'message', 'stream', 'story', 'fan'])
      expect([category, await highlights(client, category)]).toEqual([category, empty])
    const agency = await openClient('agency')
    for (const category of ['post', 'message', 'stream', 'story', 'fan'])
      expect([
        category,
        await highlights(agency, category, '?end_date=2020-01-01&start_date=2019-01-01'),
      ]).toEqual([category, empty])
  })

  it('finds the best story of the requested window', async () => {
    const client = await openClient('agency')
    const stories = client.db.stories.where({ accountId: client.account() })
    for (const query of ['', '?start_date=2026-08-01&end_date=2026-08-31']) {
      const within = stories.filter(
        ({ createdAt }) => query === '' || createdAt.startsWith('2026-08'),
      )
      const data = await highlights(client, 'story', query)
      expect(data.purchases).toBeNull()
      expect(data.views.stats.lookCount).toBe(
        Math.max(...within.map(({ viewersCount }) => viewersCount)),
      )
      expect(data.likes.stats.likeCount).toBe(
        Math.max(...within.map(({ likesCount }) => likesCount)),
      )
    }
  })

  it('prefers the latest payer in a tie', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const [one, other] = client.db.subscriptions.where({
      accountId: account,
      isExpired: false,
      isBlocked: false,
    })
    for (const [first, second] of [
      [one!, other!],
      [other!, one!],
    ] as const) {
      client.sandbox.clock.advance('1d')
      client.sandbox.act({ type: 'tip', account_id: account, fan_id: first.fanId, amount: 400 })
      client.sandbox.clock.advance('1m')
      client.sandbox.act({ type: 'tip', account_id: account, fan_id: second.fanId, amount: 400 })
      expect((await highlights(client, 'fan', '?start_date=-1h')).tips.id).toBe(second.fanId)
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

  it('keeps the purchases of a mass message that was unsent, until a refund', async () => {
    const client = await openClient()
    const { sandbox } = client
    const account = client.account()
    const { fanId } = sandbox.db.subscriptions.find({ accountId: account, isExpired: false })!
    const media = sandbox.db.vaultMedia.find({ accountId: account, isReady: true })!.id
    sandbox.clock.advance('1d')
    const { id } = await client.postData('mass-messages', {
      text: 'The full set',
      price: 12,
      mediaFiles: [media],
      userIds: [fanId],
    })
    const copy = sandbox.db.messages.find({ queueId: id })!
    await sandbox.act({ type: 'message.unlock', account_id: account, message_id: copy.id })
    const shown = async () => (await highlights(client, 'message', '?start_date=-1h')).purchases
    const bought = await shown()
    expect([bought.id, bought.stats.purchasedSumm]).toEqual([id, 12])
    await client.delete(`mass-messages/queue/${id}`)
    expect(await shown()).toEqual(bought)
    const { id: payment } = sandbox.db.transactions.find({ messageId: copy.id })!
    await sandbox.act({ type: 'transaction.reverse', transaction_id: payment, to: 'undo' })
    expect(await shown()).toBeNull()
  })

  it('uses a bought direct message if no mass message was bought', async () => {
    const client = await openClient('agency')
    const { db } = client
    for (const { id } of db.massMessages.all())
      db.massMessages.update(id, { state: 'cancelled', sentAt: null })
    const { purchases, tips, likes, comments } = await highlights(client, 'message')
    const message = db.messages.get(purchases.id)!
    expect(message).toMatchObject({
      accountId: client.account(),
      isFromFan: false,
      queueId: null,
      price: purchases.price,
    })
    expect(toPlatformTime(message.createdAt)).toBe(purchases.postedAt)
    expect([purchases.stats.purchasedCount, purchases.stats.purchasedSumm]).toEqual([
      1,
      message.price,
    ])
    expect([tips, likes, comments]).toEqual([null, null, null])
  })

  it('rejects an unknown category or metric', async () => {
    const client = await openClient()
    const { status, body } = await client.get('highlights/posts')
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/post.*message.*stream.*story.*fan/),
    ])
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
    const query = new URL(_pagination.next_page, 'https://api.example.test').searchParams
    expect(Object.fromEntries(query)).toEqual({
      start_date: '2024-10-01',
      end_date: '2026-10-01',
      offset: '10',
    })
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
