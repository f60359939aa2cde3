import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { PostLabelPage } from '../../src/resources/labels/routes.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { hour, later } from '../support/mass-messages.ts'
import { feedOf } from '../support/posts.ts'
import { idsOf, readAllIds } from '../support/read-all-pages.ts'

const feed = (client: Client) => feedOf(client, client.account())
const counters = async (client: Client) => (await client.getData('posts?limit=1')).counters

describe('GET posts/{post_id}', () => {
  it('returns the post as in the feed, including a scheduled or archived one', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const [row] = (await client.getData('posts?limit=1')).list
    expect(await client.getData(`posts/${row.id}`)).toEqual(row)
    const scheduled = client.db.posts.find({ accountId: account, status: 'scheduled' })!
    const archived = client.db.posts.find({ accountId: account, bucket: 'archived' })!
    for (const { id } of [scheduled, archived])
      expect((await client.getData(`posts/${id}`)).id).toBe(id)
  })
})

describe('PUT posts/{post_id}', () => {
  it('changes only the given fields', async () => {
    const client = await openClient('agency')
    const { id, mediaFiles } = feed(client).find((post) => post.mediaFiles.length > 1)!
    const edited = { rawText: 'Edited', mediaCount: mediaFiles.length }
    const { body } = await client.put(`posts/${id}`, { text: '<p>Edited</p>' })
    expect(body.data.rawText).toBe('Edited')
    expect(await client.getData(`posts/${id}`)).toMatchObject(edited)
    const paid = { price: 20, preview: mediaFiles.slice(0, 1) }
    await client.put(`posts/${id}`, paid)
    expect(client.db.posts.get(id)).toMatchObject({ rawText: 'Edited', mediaFiles, ...paid })
  })

  it('reschedules a scheduled post, which is published at the new time', async () => {
    const client = await openClient('agency')
    const post = client.db.posts.find({ accountId: client.account(), status: 'scheduled' })!
    const scheduledTime = later(client, 60_000)
    const { body } = await client.put(`posts/${post.id}`, { scheduledTime })
    expect(body.data.postedAt).toBe(toPlatformTime(scheduledTime))
    client.sandbox.clock.advance('1m')
    expect((await client.getData('posts?limit=1')).list[0].id).toBe(post.id)
  })

  it('rejects fields that conflict with stored ones, and changes nothing', async () => {
    const client = await openClient('agency')
    const post = feed(client).find((each) => each.price === 0 && each.mediaFiles.length > 0)!
    for (const body of [
      { preview: post.mediaFiles },
      { text: '', mediaFiles: [] },
      { mediaFiles: [1] },
      { scheduledTime: later(client, 60_000) },
      { price: 2.999 },
      { mediaFiles: [post.mediaFiles[0], post.mediaFiles[0]] },
      { text: ' ', mediaFiles: [] },
      { scheduledTime: '2027-06-01' },
    ])
      expect([body, (await client.put(`posts/${post.id}`, body)).status]).toEqual([body, 400])
    expect(client.db.posts.get(post.id)).toBe(post)
  })
})

describe('PUT posts/{post_id} with omitted fields', () => {
  it('rejects null, and an expireDays that ends in the past, naming the time', async () => {
    const client = await openClient('agency')
    const { sandbox } = client
    const post = feed(client).at(-1)!
    const put = (id: number, body: object) => client.put(`posts/${id}`, body)
    const over = new Date(Date.parse(post.postedAt) + 30 * 86_400_000).toISOString()
    const refused = await put(post.id, { expireDays: 30 })
    expect(refused.body.error).toContain('Body field expireDays is 30')
    expect(refused.body.error).toContain(over)
    expect((await put(post.id, { expireDays: null })).status).toBe(400)
    expect(sandbox.db.posts.get(post.id)).toBe(post)
    const { id } = await client.postData('posts', { text: 'A week', expireDays: 7 })
    sandbox.clock.advance('3d')
    expect((await put(id, { expireDays: 3 })).status).toBe(400)
    expect((await put(id, { expireDays: 4 })).status).toBe(200)
    sandbox.clock.advance('1d')
    expect((await client.get(`posts/${id}`)).status).toBe(404)
  })

  it('keeps the part of the preview that the new price and media allow', async () => {
    const client = await openClient('agency')
    const [one, two, three] = idsOf(
      client.db.vaultMedia.where((media) => media.accountId === client.account() && media.isReady),
    )
    const offer = { text: '', mediaFiles: [one, two, three], price: 5, preview: [one, two] }
    const { id } = await client.postData('posts', offer)
    const put = async (body: object) => [
      (await client.put(`posts/${id}`, body)).status,
      client.db.posts.get(id)?.preview,
    ]
    expect(await put({ mediaFiles: [two, three] })).toEqual([200, [two]])
    expect(await put({ price: 0 })).toEqual([200, []])
    expect(await put({ preview: [two] })).toEqual([400, []])
  })

  it('accepts a post that lost its media, unless text or media are sent', async () => {
    const client = await openClient('agency')
    const media = client.db.vaultMedia.find({ accountId: client.account(), isReady: true })!
    const { id } = await client.postData('posts', { text: '', mediaFiles: [media.id], price: 5 })
    await client.delete(`vault/media/${media.id}`)
    const put = (body: object) => client.put(`posts/${id}`, body)
    expect((await put({ rfGuest: [5] })).status).toBe(200)
    expect((await put({ price: 9 })).status).toBe(200)
    expect((await put({ mediaFiles: [] })).body.error).toContain('Body field mediaFiles is')
    expect((await put({ text: '' })).body.error).toContain('Body field text is')
    expect((await put({ price: 9.999 })).body.error).toContain('Body field price is')
  })
})

it.each([
  { body: { text: 'Paid', price: 5 }, isPublished: false },
  { body: { text: '' }, isPublished: false },
  { body: { text: 'Free' }, isPublished: true },
])(
  'a scheduled post whose media are deleted is published only if it needs none: %o',
  async ({ body, isPublished }) => {
    const client = await openClient('agency')
    const { clock, db } = client.sandbox
    const [first, second] = db.vaultMedia.where({ accountId: client.account(), isReady: true })
    const scheduledTime = later(client, hour)
    const mediaFiles = [first!.id, second!.id]
    const { id } = await client.postData('posts', { ...body, mediaFiles, scheduledTime })
    await client.delete(`vault/media/${first!.id}`)
    expect((await client.get(`posts/${id}`)).status).toBe(200)
    await client.delete(`vault/media/${second!.id}`)
    expect((await client.get(`posts/${id}`)).status).toBe(isPublished ? 200 : 404)
    clock.advance('2h')
    const { list } = await client.getData('posts?limit=100')
    expect(list.some((post: { id: number }) => post.id === id)).toBe(isPublished)
    expectNoViolations(client.sandbox)
  },
)

describe('pins and the archive', () => {
  it('pins and unpins a post', async () => {
    const client = await openClient()
    const post = feed(client).find(({ isPinned }) => !isPinned)!
    const pinned = () => readAllIds(client, 'posts?pinned=true')
    expect((await client.send('POST', `posts/${post.id}/pin`)).body.data).toEqual({ success: true })
    expect(await pinned()).toContain(post.id)
    expect((await client.delete(`posts/${post.id}/pin`)).body.data).toEqual({ success: true })
    expect(await pinned()).not.toContain(post.id)
  })

  it('archives a post: it moves from the feed to its bucket, and the counters change', async () => {
    const client = await openClient('agency')
    const [post] = feed(client)
    const before = await counters(client)
    await client.post(`posts/${post!.id}/archive`)
    expect(await counters(client)).toMatchObject({
      postsCount: before.postsCount - 1,
      archivedPostsCount: before.archivedPostsCount + 1,
    })
    expect(await readAllIds(client, 'posts?label=archived')).toContain(post!.id)
    expect(await readAllIds(client, 'posts?limit=100')).not.toContain(post!.id)
  })

  it('returns 404 for a scheduled post', async () => {
    const client = await openClient('agency')
    const { id } = client.db.posts.find({ accountId: client.account(), status: 'scheduled' })!
    for (const verb of ['pin', 'archive'])
      expect((await client.send('POST', `posts/${id}/${verb}`)).status).toBe(404)
  })
})

describe('post labels', () => {
  it('have a hash of their ids, as the docs of hashSort say', async () => {
    const client = await openClient()
    const hash = async () => (await client.getData('posts/labels')).hashSort
    const before = await hash()
    const { id } = await client.postData('posts/labels', { name: 'Best of' })
    const first = await hash()
    expect(first).not.toBe(before)
    await client.patch(`posts/labels/${id}`, { name: 'Best of all' })
    expect(await hash()).toBe(first)
    await client.delete(`posts/labels/${id}`)
    expect(await hash()).not.toBe(first)
    const described = PostLabelPage.unwrap().shape.hashSort.description
    expect(described).toContain('Renaming a label does not change it')
  })

  it('page both archive buckets and the custom labels', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const custom = client.db.postLabels.where({ accountId: account })
    const whole = ['archived', 'private_archived', ...idsOf(custom)]
    for (const limit of [1, 2, 3, 10])
      expect(await readAllIds(client, `posts/labels?limit=${limit}`)).toEqual(whole)
    const { list, ...rest } = await client.getData('posts/labels?offset=1&limit=2')
    expect(idsOf(list)).toEqual(whole.slice(1, 3))
    expect(rest).toMatchObject({ nextOffset: 3, sort: 'default', order: 'asc' })
    expect(list[0].postsCount).toBe(
      client.db.posts.where({ accountId: account, bucket: 'private_archived' }).length,
    )
  })

  it('are created, added to posts, removed, renamed and deleted, and change the feed', async () => {
    const client = await openClient('agency')
    const [one, two] = feed(client)
    const label = await client.postData('posts/labels', { name: 'Best of' })
    expect(label).toMatchObject({ name: 'Best of', type: 'custom', postsCount: 0, posts: [] })
    const shown = () => readAllIds(client, `posts?label=${label.id}`)
    await client.post(`posts/labels/${label.id}/posts`, { post_ids: [one!.id, two!.id, one!.id] })
    expect((await shown()).toSorted()).toEqual([one!.id, two!.id].toSorted())
    await client.delete(`posts/labels/${label.id}/posts/${one!.id}`)
    expect(await shown()).toEqual([two!.id])
    const path = `posts/labels/${label.id}`
    const renamed = { name: 'Best', postsCount: 1, posts: [{ id: two!.id }] }
    expect((await client.patch(path, { name: 'Best' })).body.data).toMatchObject(renamed)
    expect((await client.delete(path)).body.data).toEqual({ success: true })
    expect(client.db.posts.get(two!.id)?.labels).toEqual(two!.labels)
    expect((await client.delete(path)).status).toBe(404)
  })

  it("are added to no post if one of them is not the account's", async () => {
    const client = await openClient('agency')
    const post = feed(client).find(({ labels }) => labels.length === 0)!
    const label = client.db.postLabels.find({ accountId: client.account() })!
    const body = { post_ids: [post.id, 1] }
    expect((await client.post(`posts/labels/${label.id}/posts`, body)).status).toBe(404)
    expect(client.db.posts.get(post.id)?.labels).toEqual(post.labels)
    expect((await client.post('posts/labels', { name: ' ' })).status).toBe(400)
  })
})
