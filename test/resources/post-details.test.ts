import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import { feedOf } from '../support/posts.ts'
import { idsOf, readAllPages } from '../support/read-all-pages.ts'

describe('DELETE posts/{post_id}', () => {
  it('deletes the post, its comments and its statistics permanently (§3)', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const post = feedOf(client, account).find(({ commentCount }) => commentCount > 0)!
    const path = `/v1/${account}/posts/${post.id}`
    const before = (await client.getData('posts')).counters.postsCount
    expect((await client.delete(path)).body.data).toEqual({ success: true })
    for (const [method, route] of [
      ['DELETE', path],
      ['GET', `${path}/stats`],
      ['GET', `${path}/comments`],
    ] as const) {
      expect([route, (await client.send(method, route)).status]).toEqual([route, 404])
    }
    expect((await client.getData('posts')).counters.postsCount).toBe(before - 1)
    expect(client.db.comments.where({ postId: post.id })).toEqual([])
  })
})

describe('GET posts/{post_id}/stats', () => {
  it('has at most as many unique viewers as views on each day', async () => {
    for (const scenario of ['agency', 'boundaries', 'everything']) {
      const client = await openClient(scenario)
      const account = client.account()
      for (const post of feedOf(client, account)) {
        const data = await client.getData(`posts/${post.id}/stats`)
        const looks = new Map<string, number>(
          data.lookChart.map(({ date, count }: { date: string; count: number }) => [date, count]),
        )
        const above = data.uniqueLookChart.filter(
          ({ date, count }: { date: string; count: number }) => count > (looks.get(date) ?? 0),
        )
        expect([scenario, post.id, above]).toEqual([scenario, post.id, []])
      }
    }
  })

  it('omits the charts with with_chart=false', async () => {
    const client = await openClient('agency')
    const data = await client.getData(
      `posts/${feedOf(client, client.account())[0]!.id}/stats?with_chart=false`,
    )
    expect(Object.keys(data).filter((key) => key.endsWith('Chart'))).toEqual([])
  })
})

describe('GET posts/{post_id}/comments', () => {
  it('pages all comments once, newest first or oldest first, with null on the last page', async () => {
    const client = await openClient('agency')
    const [post] = feedOf(client, client.account()).toSorted(
      (a, b) => b.commentCount - a.commentCount,
    )
    const { id, commentCount } = post!
    const path = `posts/${id}/comments`
    const newest = await readAllPages(client, `${path}?limit=3`, { last: null })
    const oldest = await readAllPages(client, `${path}?limit=4&sort=asc`, { last: null })
    expect(newest).toHaveLength(commentCount)
    expect(idsOf(oldest)).toEqual(idsOf(newest).toReversed())
    const times = newest.map((row) => row['postedAt'] as string)
    expect(times).toEqual(times.toSorted().toReversed())
    // The next offset is the offset plus the returned rows.
    expect(await client.getData(`${path}?limit=1`)).toMatchObject({ nextOffset: 1, hasMore: true })
    expect(await client.getData(`${path}?limit=1&offset=1`)).toMatchObject({ nextOffset: 2 })
    for (const [offset, sort] of [
      [commentCount, 'desc'],
      [commentCount + 5, 'asc'],
    ] as const)
      expect(await client.getData(`${path}?offset=${offset}&sort=${sort}`)).toEqual({
        list: [],
        hasMore: false,
        nextOffset: offset,
      })
  })
})

describe('GET engagement/posts/{by}', () => {
  it.each([
    ['comments', 'commentCount'],
    ['likes', 'likeCount'],
    ['views', 'lookCount'],
    ['tips', 'tipSum'],
    ['purchases', 'purchasedCount'],
  ] as const)('ranks by %s, and walks to the end', async (by, field) => {
    const client = await openClient('agency')
    const rows = await readAllPages(client, `engagement/posts/${by}`, { list: 'items' })
    const expected = client.db.posts
      .where(
        (post) =>
          post.accountId === client.account() &&
          post.status === 'published' &&
          post.postedAt >= '2024-10-01',
      )
      .toSorted((a, b) => b[field] - a[field] || (a.postedAtPrecise < b.postedAtPrecise ? 1 : -1))
    expect(idsOf(rows)).toEqual(idsOf(expected))
  })

  it('has the price only on paid posts and video sources only on videos', async () => {
    const client = await openClient('agency')
    const rows = await readAllPages(client, 'engagement/posts/views', { list: 'items' })
    for (const row of rows) {
      const post = client.db.posts.get(row.id)!
      expect(row['price']).toBe(post.price > 0 ? post.price : undefined)
      for (const media of row['media'] as { type: string; videoSources?: object }[])
        expect('videoSources' in media).toBe(media.type === 'video')
    }
  })

  it('rejects an unknown metric', async () => {
    const client = await openClient()
    expect((await client.get('engagement/posts/loves')).status).toBe(400)
  })
})
