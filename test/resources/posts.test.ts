import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import type { Post } from '../../src/resources/posts/posts.table.ts'
import { openClient } from '../support/client.ts'
import { feedOf, mediaOf } from '../support/posts.ts'
import { idsOf, readAllPages } from '../support/read-all-pages.ts'

const byTime = (a: Post, b: Post) => (a.postedAtPrecise < b.postedAtPrecise ? -1 : 1)

describe('GET posts', () => {
  it('lists ten posts, newest first, with markers, counters and the next page', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { body } = await client.get('posts')
    const expected = feedOf(client, account)
    expect(idsOf(body.data.list)).toEqual(idsOf(expected.slice(0, 10)))
    expect(body.data).toMatchObject({
      hasMore: true,
      headMarker: expected[0]?.postedAtPrecise,
      tailMarker: expected[9]?.postedAtPrecise,
    })
    expect(body._pagination.next_page).toBe(
      `/v1/${account}/posts?before_publish_time=${body.data.tailMarker}`,
    )
    expect(body.data.list[0].author).toEqual({ id: account, _view: expect.any(String) })
  })

  it('reduces a larger limit to 100 and rejects one below 1 (§8)', async () => {
    const client = await openClient('agency')
    expect((await client.getData('posts?limit=100000')).list).toHaveLength(100)
    for (const limit of ['0', '-1', '1.5', 'ten', '', '1e1', ' 5'])
      expect([limit, (await client.get(`posts?limit=${limit}`)).status]).toEqual([limit, 400])
  })

  it.each([
    'limit=2',
    'limit=2&',
    'limit=2&a',
    'limit=2&&a=~',
    'limit=2&a=*.-_',
    'limit=2&a=x,y:z',
    'a=%41+é&limit=2',
    'before_publish_time=2000000000.1',
  ])('writes the next page of ?%s as URLSearchParams would', async (query) => {
    const client = await openClient('agency')
    const feed = `/v1/${client.account()}/posts`
    const { body } = await client.get(`${feed}?${query}`)
    const expected = new URLSearchParams(query)
    expected.set('before_publish_time', body.data.tailMarker)
    expect(body._pagination.next_page).toBe(`${feed}?${expected.toString()}`)
  })

  it.each([
    'publish_date_desc',
    'publish_date_asc',
    'favorites_count_desc',
    'tips_summ_desc',
    'tips_summ_asc',
  ])('walks %s to the end, every post once, in order', async (order) => {
    const client = await openClient('agency')
    const rows = await readAllPages(client, `posts?order=${order}&limit=7`)
    const field = order.startsWith('favorites')
      ? 'likeCount'
      : order.startsWith('tips')
        ? 'tipSum'
        : 'postedAtPrecise'
    const sign = order.endsWith('_asc') ? 1 : -1
    const expected = feedOf(client, client.account()).toSorted(
      (a, b) => sign * (Number(a[field]) - Number(b[field]) || byTime(a, b)),
    )
    expect(idsOf(rows)).toEqual(idsOf(expected))
  })

  it('has empty markers on an empty page', async () => {
    const client = await openClient('empty')
    const nothing = { list: [], hasMore: false, headMarker: '', tailMarker: '' }
    expect(await client.getData('posts')).toMatchObject(nothing)
  })

  it('has an empty list for an unknown label, and rejects malformed labels and flags', async () => {
    const client = await openClient('agency')
    expect(await readAllPages(client, 'posts?label=987654321987')).toEqual([])
    const labels = ['vacation', '0987', '9007199254740993', ''].map((label) => `label=${label}`)
    for (const query of [...labels, 'pinned=0', 'pinned=1', 'pinned=yes', 'pinned='])
      expect([query, (await client.get(`posts?${query}`)).status]).toEqual([query, 400])
  })

  it('finds captions by text, case-insensitive, and not as a pattern', async () => {
    const client = await openClient()
    await client.post('posts', { text: '<p>Behind the <b>Scenes</b> 50% .* off</p>' })
    for (const query of ['behind THE scenes', '50%', '.* off']) {
      const rows = await readAllPages(client, `posts?query=${encodeURIComponent(query)}`)
      expect(rows.map((row) => row['rawText'])).toContain('Behind the Scenes 50% .* off')
    }
    expect(await readAllPages(client, `posts?query=${encodeURIComponent('<b>')}`)).toEqual([])
  })

  it('counts the whole account in counters whatever the filter, and omits them on request', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const posts = feedOf(client, account)
    const types = posts.flatMap((post) => post.mediaTypes)
    const count = (type: string) => types.filter((each) => each === type).length
    const sizeOf = (bucket: 'archived' | 'private_archived') =>
      client.db.posts.where({ accountId: account, bucket }).length
    const { body } = await client.get('posts?media_type=audios&limit=1')
    expect(body.data.counters).toEqual({
      postsCount: posts.length,
      photosCount: count('photo'),
      videosCount: count('video'),
      audiosCount: count('audio'),
      mediasCount: types.length - count('gif'),
      streamsCount: posts.filter((post) => post.isStream).length,
      archivedPostsCount: sizeOf('archived'),
      privateArchivedPostsCount: sizeOf('private_archived'),
    })
    expect((await client.getData('posts?counters=false')).counters).toBeUndefined()
  })

  it('rejects malformed cursors and those for the opposite direction', async () => {
    const client = await openClient()
    for (const query of [
      'before_publish_time=',
      'before_publish_time=yesterday',
      'before_publish_time=2026-01-01',
      'after_publish_time=1.5',
      'order=publish_date_asc&before_publish_time=1.5',
      'order=tips_summ_desc&before_publish_time=1.5',
    ])
      expect([query, (await client.get(`posts?${query}`)).status]).toEqual([query, 400])
  })
})

describe('POST posts', () => {
  it('publishes a post to the feed, its statistics and the counters', async () => {
    const client = await openClient()
    const account = client.account()
    const photo = mediaOf(client, account)
    const before = (await client.getData('posts')).counters
    const text = '<p>New &amp; <b>bold</b></p>'
    const created = await client.postData('posts', { text, mediaFiles: [photo.id] })
    expect(created).toEqual({
      id: expect.any(Number),
      postedAt: toPlatformTime(client.sandbox.clock.iso()),
      text,
      rawText: 'New & bold',
      author: { id: account, _view: expect.any(String) },
      isMediaReady: false,
      canDelete: true,
      canEdit: true,
      tipsAmount: '$0.00',
    })
    const feed = await client.getData('posts')
    const media = [{ id: photo.id, type: 'photo' }]
    expect(feed.list[0]).toMatchObject({ id: created.id, mediaCount: 1, media })
    expect(feed.counters).toMatchObject({
      postsCount: before.postsCount + 1,
      photosCount: before.photosCount + 1,
    })
    const none = { hasStats: false, lookCount: 0, tipSum: 0, lookChart: [], purchasesChart: [] }
    expect(await client.getData(`posts/${created.id}/stats`)).toMatchObject(none)
  })

  it('publishes a scheduled post when the clock reaches its time', async () => {
    const client = await openClient()
    const scheduledTime = new Date(client.sandbox.clock.now() + 3_600_000).toISOString()
    const { body } = await client.post('posts', { text: 'Later', scheduledTime })
    expect(body.data.postedAt).toBe(toPlatformTime(scheduledTime))
    const isShown = async () => idsOf((await client.getData('posts')).list).includes(body.data.id)
    expect(await isShown()).toBe(false)
    client.sandbox.clock.advance('59m 59s')
    expect(await isShown()).toBe(false)
    client.sandbox.clock.advance('1s')
    expect(await isShown()).toBe(true)
  })

  it('removes an expired post, whole days after its publication', async () => {
    const client = await openClient()
    const { body } = await client.post('posts', { text: 'Gone tomorrow', expireDays: 1 })
    client.sandbox.clock.advance('23h 59m 59s')
    expect((await client.get(`posts/${body.data.id}/stats`)).status).toBe(200)
    client.sandbox.clock.advance('1s')
    expect((await client.get(`posts/${body.data.id}/stats`)).status).toBe(404)
  })

  it('uses the first cursor for a time that no post has or had, including hand-written ones', async () => {
    const client = await openClient('empty')
    const { db } = client
    const create = async () => (await client.postData('posts', { text: 'Another' })).id as number
    const micros = (id: number) => Number(db.posts.get(id)!.postedAtPrecise.slice(-6))
    const ids = []
    for (let count = 0; count < 12; count += 1) ids.push(await create())
    expect(ids.map(micros)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    for (const place of [1, 2, 7, 11]) await client.delete(`posts/${ids[place]}`)
    expect(micros(await create())).toBe(12)
    for (const place of [2, 7]) db.removedPosts.remove(ids[place]!)
    for (const free of [2, 7, 13]) expect(micros(await create())).toBe(free)
    const { postedAtPrecise } = db.posts.get(ids[5]!)!
    for (const place of [6, 8]) db.posts.update(ids[place]!, { postedAtPrecise })
    for (let count = 0; count < 3; count += 1) ids.push(await create())
    expect(new Set(ids.slice(-3).map(micros)).size).toBe(3)
    expect(ids.slice(-3).map(micros)).not.toContain(5)
  })

  it('rejects inconsistent fields, naming them as sent, and publishes nothing', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const photo = mediaOf(client, account)
    const foreign = client.db.vaultMedia.all().find((media) => media.accountId !== account)!
    const past = new Date(client.sandbox.clock.now()).toISOString()
    const early = '2020-01-01T09:00:00+02:00'
    const rows: [string, object][] = [
      ['text', { text: '' }],
      ['text', { text: ' \n\t' }],
      ['text', { text: '<p>&nbsp;</p>' }],
      ['mediaFiles', { text: 'a', mediaFiles: [photo.id, photo.id] }],
      ['preview', { text: 'a', mediaFiles: [photo.id], price: 5, preview: [photo.id, photo.id] }],
      ['mediaFiles', { text: 'a', mediaFiles: [1] }],
      ['mediaFiles', { text: 'a', mediaFiles: [foreign.id] }],
      ['price', { text: 'a', price: -1 }],
      ['price', { text: 'a', price: 9.999 }],
      ['preview', { text: 'a', mediaFiles: [photo.id], preview: [photo.id] }],
      ['preview', { text: 'a', price: 5, preview: [photo.id] }],
      ['scheduledTime', { text: 'a', scheduledTime: past }],
      [`scheduledTime is "${early}"`, { text: 'a', scheduledTime: early }],
      ['scheduledTime', { text: 'a', scheduledTime: 'tomorrow' }],
      ['scheduledTime', { text: 'a', scheduledTime: '2027-06-01' }],
      ['scheduledTime', { text: 'a', scheduledTime: '2027-06-01T09:00:00' }],
      ['scheduledTime', { text: 'a', scheduledTime: '2400-01-01T00:00:00Z' }],
      ['scheduledTime', { text: 'a', scheduledTime: '9999-12-31T23:59:59-23:59' }],
    ]
    const before = client.db.posts.size
    for (const [field, body] of rows) {
      const answer = await client.post('posts', body)
      expect([field, answer.status, answer.body.error]).toEqual([
        field,
        400,
        expect.stringContaining(`Body field ${field}`),
      ])
    }
    expect(client.db.posts.size).toBe(before)
  })

  it('can have any price in whole cents above 0, even without media (§4 Posts)', async () => {
    const client = await openClient()
    for (const price of [0.01, 2.99, 200.01, 10_000]) {
      const { body } = await client.post('posts', { text: 'Paid', price })
      const stored = client.db.posts.get(body.data.id)
      expect([price, stored?.price, stored?.mediaFiles]).toEqual([price, price, []])
    }
  })

  it('accepts an empty text with media, and a paid post with a preview', async () => {
    const client = await openClient()
    const photo = mediaOf(client, client.account())
    for (const text of ['', '  '])
      expect((await client.post('posts', { text, mediaFiles: [photo.id] })).status).toBe(200)
    const paid = { text: 'Paid', mediaFiles: [photo.id], price: 9.99, preview: [photo.id] }
    const tagged = { rfTag: ['t1'], rfGuest: [5], rfPartner: [6] }
    expect((await client.post('posts', { ...paid, ...tagged })).status).toBe(200)
  })
})
