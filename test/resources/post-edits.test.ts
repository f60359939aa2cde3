import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { PostLabelPage } from '../../src/resources/labels/routes.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { readAllPages } from '../support/read-all-pages.ts'

const postOf = ({ sandbox }: Client, account: number) =>
  sandbox.db.posts.find({ accountId: account, status: 'published', bucket: null })!
const counters = async (client: Client, account: number) =>
  (await client.get(`/v1/${account}/posts?limit=1`)).body.data.counters

describe('GET posts/{post_id}', () => {
  it('returns the post as in the feed, including a scheduled or archived one, and 404 after a deletion', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const [row] = (await client.get(`/v1/${account}/posts?limit=1`)).body.data.list
    expect((await client.get(`/v1/${account}/posts/${row.id}`)).body.data).toEqual(row)
    const scheduled = client.sandbox.db.posts.find({ accountId: account, status: 'scheduled' })!
    const archived = client.sandbox.db.posts.find({ accountId: account, bucket: 'archived' })!
    for (const { id } of [scheduled, archived])
      expect((await client.get(`/v1/${account}/posts/${id}`)).body.data.id).toBe(id)
    await client.send('DELETE', `/v1/${account}/posts/${row.id}`)
    expect((await client.get(`/v1/${account}/posts/${row.id}`)).status).toBe(404)
  })
})

describe('PUT posts/{post_id}', () => {
  it('changes only the given fields', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { id, mediaFiles } = client.sandbox.db.posts.find(
      (post) =>
        post.accountId === account &&
        post.mediaFiles.length > 1 &&
        post.bucket === null &&
        post.status === 'published',
    )!
    const { status, body } = await client.send('PUT', `/v1/${account}/posts/${id}`, {
      body: { text: '<p>Edited</p>' },
    })
    expect([status, body.data.rawText]).toEqual([200, 'Edited'])
    expect((await client.get(`/v1/${account}/posts/${id}`)).body.data).toMatchObject({
      rawText: 'Edited',
      mediaCount: mediaFiles.length,
    })
    await client.send('PUT', `/v1/${account}/posts/${id}`, {
      body: { price: 20, preview: mediaFiles.slice(0, 1) },
    })
    expect(client.sandbox.db.posts.get(id)).toMatchObject({
      rawText: 'Edited',
      price: 20,
      preview: mediaFiles.slice(0, 1),
    })
  })

  it('reschedules a scheduled post, which is published at the new time', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const post = client.sandbox.db.posts.find({ accountId: account, status: 'scheduled' })!
    const scheduledTime = new Date(client.sandbox.clock.now() + 60_000).toISOString()
    expect(
      (await client.send('PUT', `/v1/${account}/posts/${post.id}`, { body: { scheduledTime } }))
        .body.data.postedAt,
    ).toBe(toPlatformTime(scheduledTime))
    client.sandbox.clock.advance('1m')
    expect((await client.get(`/v1/${account}/posts?limit=1`)).body.data.list[0].id).toBe(post.id)
  })

  it('rejects fields that conflict with stored ones, and changes nothing', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const post = client.sandbox.db.posts.find(
      (each) =>
        each.accountId === account &&
        each.price === 0 &&
        each.mediaFiles.length > 0 &&
        each.status === 'published',
    )!
    const later = new Date(client.sandbox.clock.now() + 60_000).toISOString()
    for (const body of [
      { preview: post.mediaFiles },
      { text: '', mediaFiles: [] },
      { mediaFiles: [1] },
      { scheduledTime: later },
      { expireDays: 0 },
      { price: -1 },
      { price: 2.999 },
      { mediaFiles: [post.mediaFiles[0], post.mediaFiles[0]] },
      { text: ' ', mediaFiles: [] },
      { scheduledTime: '2027-06-01' },
      { text: null },
    ]) {
      expect([
        body,
        (await client.send('PUT', `/v1/${account}/posts/${post.id}`, { body })).status,
      ]).toEqual([body, 400])
    }
    expect(client.sandbox.db.posts.get(post.id)).toBe(post)
  })
})

describe('PUT posts/{post_id} with omitted fields', () => {
  it('rejects null, and an expireDays that ends in the past, naming the time', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { sandbox } = client
    const post = sandbox.db.posts.find(
      (each) =>
        each.accountId === account &&
        each.status === 'published' &&
        Date.parse(each.postedAt) < sandbox.clock.now() - 40 * 86_400_000,
    )!
    const put = (id: number, body: object) =>
      client.send('PUT', `/v1/${account}/posts/${id}`, { body })
    const over = new Date(Date.parse(post.postedAt) + 30 * 86_400_000).toISOString()
    const refused = await put(post.id, { expireDays: 30 })
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringContaining('Body field expireDays is 30'),
    ])
    expect(refused.body.error).toContain(over)
    expect((await put(post.id, { expireDays: null })).status).toBe(400)
    expect(sandbox.db.posts.get(post.id)).toBe(post)
    const { id } = (await client.post(`/v1/${account}/posts`, { text: 'A week', expireDays: 7 }))
      .body.data
    sandbox.clock.advance('3d')
    expect((await put(id, { expireDays: 3 })).status).toBe(400)
    expect((await put(id, { expireDays: 4 })).status).toBe(200)
    sandbox.clock.advance('1d')
    expect((await client.get(`/v1/${account}/posts/${id}`)).status).toBe(404)
  })

  it('keeps the part of the preview that the new price and media allow', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const [one, two, three] = client.sandbox.db.vaultMedia
      .where((media) => media.accountId === account && media.isReady)
      .map(({ id }) => id)
    const { id } = (
      await client.post(`/v1/${account}/posts`, {
        text: '',
        mediaFiles: [one, two, three],
        price: 5,
        preview: [one, two],
      })
    ).body.data
    const put = async (body: object) =>
      (await client.send('PUT', `/v1/${account}/posts/${id}`, { body })).status
    expect([
      await put({ mediaFiles: [two, three] }),
      client.sandbox.db.posts.get(id)?.preview,
    ]).toEqual([200, [two]])
    expect([await put({ price: 0 }), client.sandbox.db.posts.get(id)?.preview]).toEqual([200, []])
    expect(await put({ preview: [two] })).toBe(400)
  })

  it('accepts a post that lost its media, unless text or media are sent', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const media = client.sandbox.db.vaultMedia.find({ accountId: account, isReady: true })!
    const { id } = (
      await client.post(`/v1/${account}/posts`, { text: '', mediaFiles: [media.id], price: 5 })
    ).body.data
    await client.send('DELETE', `/v1/${account}/vault/media/${media.id}`)
    const put = async (body: object) =>
      await client.send('PUT', `/v1/${account}/posts/${id}`, { body })
    expect((await put({ rfGuest: [5] })).status).toBe(200)
    expect((await put({ price: 9 })).status).toBe(200)
    expect((await put({ mediaFiles: [] })).body.error).toContain('Body field mediaFiles is')
    expect((await put({ text: '' })).body.error).toContain('Body field text is')
    expect((await put({ price: 9.999 })).body.error).toContain('Body field price is')
  })
})

describe('a scheduled post whose media are deleted', () => {
  it.each([
    { body: { text: 'Paid', price: 5 }, isPublished: false },
    { body: { text: '' }, isPublished: false },
    { body: { text: 'Free' }, isPublished: true },
  ])('is published only if it needs none: %o', async ({ body, isPublished }) => {
    const client = await openClient('agency')
    const { clock, db } = client.sandbox
    const account = client.account()
    const [first, second] = db.vaultMedia.where({ accountId: account, isReady: true })
    const scheduledTime = new Date(clock.now() + 3_600_000).toISOString()
    const mediaFiles = [first!.id, second!.id]
    const path = `/v1/${account}/posts`
    const { id } = (await client.post(path, { ...body, mediaFiles, scheduledTime })).body.data
    await client.send('DELETE', `/v1/${account}/vault/media/${first!.id}`)
    expect((await client.get(`${path}/${id}`)).status).toBe(200)
    await client.send('DELETE', `/v1/${account}/vault/media/${second!.id}`)
    expect((await client.get(`${path}/${id}`)).status).toBe(isPublished ? 200 : 404)
    clock.advance('2h')
    const { list } = (await client.get(`${path}?limit=100`)).body.data
    expect(list.some((post: { id: number }) => post.id === id)).toBe(isPublished)
    expectNoViolations(client.sandbox)
  })
})

describe('pins and the archive', () => {
  it('pins and unpins a post', async () => {
    const client = await openClient()
    const account = client.account()
    const post = client.sandbox.db.posts.find({
      accountId: account,
      status: 'published',
      bucket: null,
      isPinned: false,
    })!
    const pinned = async () =>
      (await readAllPages(client, `/v1/${account}/posts?pinned=true`)).map(({ id }) => id)
    expect((await client.send('POST', `/v1/${account}/posts/${post.id}/pin`)).body.data).toEqual({
      success: true,
    })
    expect(await pinned()).toContain(post.id)
    expect((await client.send('DELETE', `/v1/${account}/posts/${post.id}/pin`)).body.data).toEqual({
      success: true,
    })
    expect(await pinned()).not.toContain(post.id)
  })

  it('archives a post: it moves from the feed to its bucket, and the counters change', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const post = postOf(client, account)
    const before = await counters(client, account)
    await client.send('POST', `/v1/${account}/posts/${post.id}/archive`)
    const after = await counters(client, account)
    expect([after.postsCount, after.archivedPostsCount]).toEqual([
      before.postsCount - 1,
      before.archivedPostsCount + 1,
    ])
    expect(
      (await readAllPages(client, `/v1/${account}/posts?label=archived`)).map(({ id }) => id),
    ).toContain(post.id)
    expect(
      (await readAllPages(client, `/v1/${account}/posts?limit=100`)).map(({ id }) => id),
    ).not.toContain(post.id)
  })

  it('returns 404 for a scheduled post and for one of another account', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const scheduled = client.sandbox.db.posts.find({ accountId: account, status: 'scheduled' })!
    const foreign = client.sandbox.db.posts.find((post) => post.accountId !== account)!
    for (const { id } of [scheduled, foreign])
      for (const verb of ['pin', 'archive'])
        expect((await client.send('POST', `/v1/${account}/posts/${id}/${verb}`)).status).toBe(404)
  })
})

describe('post labels', () => {
  it('have a hash of their ids, as the docs of hashSort say', async () => {
    const client = await openClient()
    const labels = `/v1/${client.account()}/posts/labels`
    const hash = async () => (await client.get(labels)).body.data.hashSort
    const { id } = (await client.post(labels, { name: 'Best of' })).body.data
    const first = await hash()
    await client.send('PATCH', `${labels}/${id}`, { body: { name: 'Best of all' } })
    expect(await hash()).toBe(first)
    await client.send('DELETE', `${labels}/${id}`)
    expect(await hash()).not.toBe(first)
    const described = PostLabelPage.unwrap().shape.hashSort.description
    expect(described).toContain('Renaming a label does not change it')
  })

  it('page both archive buckets and the custom labels', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const custom = client.sandbox.db.postLabels.where({ accountId: account })
    const whole = ['archived', 'private_archived', ...custom.map(({ id }) => id)]
    for (const limit of [1, 2, 3, 10])
      expect(
        (await readAllPages(client, `/v1/${account}/posts/labels?limit=${limit}`)).map(
          ({ id }) => id,
        ),
      ).toEqual(whole)
    const { list, nextOffset } = (await client.get(`/v1/${account}/posts/labels?offset=1&limit=2`))
      .body.data
    expect([list.map(({ id }: { id: unknown }) => id), nextOffset]).toEqual([whole.slice(1, 3), 3])
    const sorting = async () => {
      const { sort, order, hashSort } = (await client.get(`/v1/${account}/posts/labels?limit=1`))
        .body.data
      return [sort, order, hashSort]
    }
    const before = await sorting()
    expect([before, await sorting()]).toEqual([['default', 'asc', expect.any(String)], before])
    await client.post(`/v1/${account}/posts/labels`, { name: 'One more' })
    expect((await sorting())[2]).not.toBe(before[2])
    expect(list[0].postsCount).toBe(
      client.sandbox.db.posts.where({ accountId: account, bucket: 'private_archived' }).length,
    )
  })

  it('are created, added to posts, removed, renamed and deleted, and change the feed', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const labels = `/v1/${account}/posts/labels`
    const [one, two] = client.sandbox.db.posts.where({
      accountId: account,
      status: 'published',
      bucket: null,
    })
    const label = (await client.post(labels, { name: 'Best of' })).body.data
    expect(label).toMatchObject({ name: 'Best of', type: 'custom', postsCount: 0, posts: [] })
    const shown = async () =>
      (await readAllPages(client, `/v1/${account}/posts?label=${label.id}`)).map(({ id }) => id)
    await client.post(`${labels}/${label.id}/posts`, { post_ids: [one!.id, two!.id, one!.id] })
    expect((await shown()).toSorted()).toEqual([one!.id, two!.id].toSorted())
    await client.send('DELETE', `${labels}/${label.id}/posts/${one!.id}`)
    expect(await shown()).toEqual([two!.id])
    expect(
      (await client.send('PATCH', `${labels}/${label.id}`, { body: { name: 'Best' } })).body.data,
    ).toMatchObject({
      name: 'Best',
      postsCount: 1,
      posts: [{ id: two!.id }],
    })
    expect((await client.send('DELETE', `${labels}/${label.id}`)).body.data).toEqual({
      success: true,
    })
    expect(client.sandbox.db.posts.get(two!.id)?.labels).toEqual(two!.labels)
    expect((await client.send('DELETE', `${labels}/${label.id}`)).status).toBe(404)
  })

  it("are added to no post if one of them is not the account's", async () => {
    const client = await openClient('agency')
    const account = client.account()
    const post = client.sandbox.db.posts.find(
      (each) =>
        each.accountId === account &&
        each.status === 'published' &&
        each.bucket === null &&
        each.labels.length === 0,
    )!
    const label = client.sandbox.db.postLabels.find({ accountId: account })!
    expect(
      (
        await client.post(`/v1/${account}/posts/labels/${label.id}/posts`, {
          post_ids: [post.id, 1],
        })
      ).status,
    ).toBe(404)
    expect(client.sandbox.db.posts.get(post.id)?.labels).toEqual(post.labels)
    for (const body of [{}, { post_ids: [] }, { post_ids: ['1'] }])
      expect(
        (await client.post(`/v1/${account}/posts/labels/${label.id}/posts`, body)).status,
      ).toBe(400)
    expect((await client.post(`/v1/${account}/posts/labels`, { name: ' ' })).status).toBe(400)
  })
})
