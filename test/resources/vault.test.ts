import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { feedOf } from '../support/posts.ts'
import { readAllIds, readAllPages } from '../support/read-all-pages.ts'

const mediaOf = ({ sandbox, account }: Client) =>
  sandbox.db.vaultMedia.find({ accountId: account() })!

describe('GET vault/media/{media_id}', () => {
  it('returns the same links until they expire, and then new ones', async () => {
    const client = await openClient()
    const path = `vault/media/${mediaOf(client).id}`
    const links = async () => (await client.getData(path)).files
    const first = await links()
    client.sandbox.clock.advance('1h 59m 59s')
    expect(await links()).toEqual(first)
    client.sandbox.clock.advance('1s')
    expect(await links()).not.toEqual(first)
  })

  it.each(['?refresh', '?refresh=', '?refresh=0', '?refresh=true'])(
    'returns new links for two hours with %s',
    async (query) => {
      const client = await openClient()
      const path = `/v1/${client.account()}/vault/media/${mediaOf(client).id}`
      const first = (await client.getData(path)).files
      client.sandbox.clock.advance('1h')
      const renewed = (await client.getData(path + query)).files
      expect(renewed).not.toEqual(first)
      client.sandbox.clock.advance('1h 30m')
      expect((await client.get(renewed.full.url, { key: null })).status).toBe(200)
      expect((await client.get(first.full.url, { key: null })).status).toBe(403)
      expect((await client.getData(path)).files).toEqual(renewed)
    },
  )

  it('has the correct size and hash of the linked bytes', async () => {
    const client = await openClient()
    const vault = client.db.vaultMedia.where({ accountId: client.account(), senderId: undefined })
    for (const media of vault) {
      const { files, type } = await client.getData(`vault/media/${media.id}`)
      for (const variant of ['full', 'thumb', 'preview', 'squarePreview']) {
        const { headers, body } = await client.get(files[variant].url, { key: null })
        expect([media.id, variant, body.length]).toEqual([media.id, variant, files[variant].size])
        const isPlayed = variant === 'full' && (type === 'video' || type === 'audio')
        const kind = headers.get('content-type')?.split('/')[0]
        expect(kind).toBe(isPlayed ? type : 'image')
      }
    }
  })
})

describe('GET vault/media', () => {
  it('lists ten per page, with all fields of a single read', async () => {
    const client = await openClient('agency')
    const path = `/v1/${client.account()}/vault/media`
    const { body } = await client.get(path)
    expect([body.data.list.length, body.data.hasMore]).toEqual([10, true])
    expect(body._pagination.next_page).toBe(`${path}?offset=10`)
    const single = await client.getData(`${path}/${body.data.list[0].id}`)
    expect(single).toEqual(body.data.list[0])
  })

  it('returns 404 for a list of another account', async () => {
    const client = await openClient('agency')
    const other = client.account('jonah_reyes')
    const { id } = client.db.vaultLists.find({ accountId: other, name: 'Posts' })!
    expect((await client.get(`vault/media?list_id=${id}`)).status).toBe(404)
  })
})

describe('vault media types, hashes, processing and release forms', () => {
  it('finds media by the MD5 and size of the uploaded file', async () => {
    const client = await openClient()
    const { id, hash, size } = mediaOf(client)
    const lookUp = (query: string) => client.get(`vault/media/hash?${query}`)
    expect((await lookUp(`h=${hash}&size=${size}`)).body.data.id).toBe(id)
    expect((await lookUp(`h=${hash}&size=${size + 1}`)).status).toBe(404)
    expect((await lookUp(`h=${'0'.repeat(32)}&size=${size}`)).status).toBe(404)
    for (const wrong of ['abc', 'A'.repeat(32), `${'a'.repeat(32)}-0`])
      expect((await lookUp(`h=${wrong}&size=1`)).status).toBe(400)
  })

  it('shows no links of media in processing, and no longer lists them when they are ready', async () => {
    const client = await openClient('agency')
    const { list } = await client.getData('vault/media/processing')
    expect(list).toHaveLength(2)
    expect(list[0]).toMatchObject({
      isReady: false,
      canView: false,
      files: { full: { url: null }, thumb: null, preview: null, squarePreview: null },
    })
    client.sandbox.clock.advance('1m')
    expect(await client.getData('vault/media/processing')).toEqual({ list: [] })
  })

  it('lists the release forms of a media item as shown on the item', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const withForms = (count: number) =>
      client.db.vaultMedia.find(
        ({ accountId, releaseFormIds }) => accountId === account && releaseFormIds.length === count,
      )!
    const media = withForms(2)
    const path = `vault/media/${media.id}`
    const { list } = await client.getData(`${path}/release-forms`)
    expect(list).toEqual((await client.getData(path)).releaseForms)
    expect(list.map(({ type }: { type: string }) => type)).toEqual(['partner', 'guest'])
    const { id } = withForms(0)
    expect(await client.getData(`vault/media/${id}/release-forms`)).toEqual({ list: [] })
  })
})

describe('DELETE vault/media/{media_id}', () => {
  it('removes it from the vault, its lists and its links', async () => {
    const client = await openClient('agency')
    const media = client.db.vaultMedia.find(
      ({ accountId, listIds }) => accountId === client.account() && listIds.length > 2,
    )!
    const path = `vault/media/${media.id}`
    const { files } = await client.getData(path)
    expect((await client.delete(path)).body.data).toEqual({ success: true })
    expect((await client.get(path)).status).toBe(404)
    expect((await client.delete(path)).status).toBe(404)
    expect((await client.get(files.full.url, { key: null })).status).toBe(404)
    for (const filter of ['', ...media.listIds.map((list) => `&list_id=${list}`)])
      expect(await readAllIds(client, `vault/media?limit=100${filter}`)).not.toContain(media.id)
  })

  it('removes it from the posts that use it, and keeps their counts correct', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { db } = client
    const shown = feedOf(client, account).find((post) => post.mediaFiles.length > 2)!
    const [gone = 0] = shown.mediaFiles
    const posts = db.posts.where(
      ({ accountId, mediaFiles }) => accountId === account && mediaFiles.includes(gone),
    )
    const before = (await client.getData('posts')).counters
    await client.delete(`vault/media/${gone}`)
    for (const post of posts) {
      const after = db.posts.get(post.id)!
      expect(after.mediaFiles).toEqual(post.mediaFiles.filter((id) => id !== gone))
      expect(after.mediaTypes).toEqual(after.mediaFiles.map((id) => db.vaultMedia.get(id)!.type))
      expect(after.preview).not.toContain(gone)
    }
    const inFeed = posts.filter(({ bucket, status }) => bucket === null && status === 'published')
    const { counters } = await client.getData('posts')
    expect(counters.mediasCount).toBe(before.mediasCount - inFeed.length)
    const feed = await readAllPages(client, 'posts?limit=100')
    const row = feed.find(({ id }) => id === shown.id)!
    expect(row['mediaCount']).toBe(shown.mediaFiles.length - 1)
    expect((row['media'] as unknown[]).length).toBe(row['mediaCount'])
  })

  it('keeps messages without other media', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { db } = client
    const message = db.messages.find(
      ({ accountId, isFromFan, mediaFiles }) =>
        accountId === account && !isFromFan && mediaFiles.length === 1,
    )!
    await client.delete(`vault/media/${message.mediaFiles[0]}`)
    expect(db.messages.get(message.id)?.mediaFiles).toEqual([])
  })
})

describe('media that a fan sent', () => {
  it('are not in the vault: 404 in paths, 400 in bodies, and the message keeps them', async () => {
    const client = await openClient('agency')
    const { db } = client
    const message = db.messages.find(
      ({ isFromFan, mediaFiles }) => isFromFan && mediaFiles.length > 0,
    )!
    const { accountId: account, fanId, mediaFiles } = message
    const own = db.vaultMedia.find(
      ({ accountId, senderId }) => accountId === account && senderId === undefined,
    )!.id
    const list = db.vaultLists.find({ accountId: account, type: 'custom' })!.id
    const post = db.posts.find({ accountId: account, status: 'published' })!.id
    const item = `/v1/${account}/vault/media/${mediaFiles[0]}`
    for (const path of [item, `${item}/release-forms`])
      expect([path, (await client.get(path)).status]).toEqual([path, 404])
    expect((await client.delete(item)).status).toBe(404)
    const content = { text: 'x', mediaFiles: [own, ...mediaFiles] }
    const recipients = { userIds: [fanId] }
    for (const [method, path, body] of [
      ['POST', '/posts', content],
      ['PUT', `/posts/${post}`, content],
      ['POST', `/chats/${fanId}/messages`, { ...content, price: 5 }],
      ['POST', '/mass-messages', { ...content, ...recipients }],
      ['POST', `/vault/lists/${list}/media`, { media_ids: content.mediaFiles }],
      ['DELETE', `/vault/lists/${list}/media`, { media_ids: content.mediaFiles }],
    ] as const) {
      const answer = await client.send(method, `/v1/${account}${path}`, { body })
      expect([path, answer.status]).toEqual([path, 400])
      expect(answer.body.error).toContain(String(mediaFiles[0]))
    }
    expect(client.sandbox.changes().tables).toEqual([])
    expect(db.messages.get(message.id)?.mediaFiles).toEqual(mediaFiles)
  })

  it('are reported by check() if the creator uses them', async () => {
    const client = await openClient('agency')
    const { db, make } = client.sandbox
    const fromFan = db.vaultMedia.find(({ senderId }) => senderId !== undefined)!
    make.post({ accountId: fromFan.accountId, mediaFiles: [fromFan.id] })
    expect(JSON.stringify(client.sandbox.check())).toContain(
      `The media item ${fromFan.id} is in posts, but a fan sent it.`,
    )
  })
})
