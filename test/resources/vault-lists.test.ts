import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { readAllPages } from '../support/read-all-pages.ts'

const mediaOf = ({ sandbox }: Client, account: number) =>
  sandbox.db.vaultMedia.find({ accountId: account })!
const builtIn = ({ sandbox }: Client, account: number, name = 'Stories') =>
  sandbox.db.vaultLists.find({ accountId: account, name })!
const names = async (client: Client, path: string) =>
  (await readAllPages(client, path)).map(({ name }) => name)
const shelves = ['Stories', 'Posts', 'Messages', 'Streams', 'Uploads']

describe('vault lists', () => {
  it('creates, renames and deletes a custom list', async () => {
    const client = await openClient()
    const lists = `/v1/${client.account()}/vault/lists`
    const created = (await client.post(lists, { name: 'Beach' })).body.data
    expect(created).toEqual({
      id: expect.any(Number),
      type: 'custom',
      name: 'Beach',
      canUpdate: true,
      canDelete: true,
      videosCount: 0,
      photosCount: 0,
      gifsCount: 0,
      audiosCount: 0,
      medias: [],
    })
    const renamed = (
      await client.send('PATCH', `${lists}/${created.id}`, { body: { name: 'Sea' } })
    ).body.data
    expect(renamed).toEqual({
      id: created.id,
      type: 'custom',
      name: 'Sea',
      canUpdate: true,
      canDelete: true,
    })
    expect((await client.send('DELETE', `${lists}/${created.id}`)).body.data).toEqual({
      success: true,
    })
    expect((await client.send('DELETE', `${lists}/${created.id}`)).status).toBe(404)
    expect(
      (await client.send('PATCH', `${lists}/${created.id}`, { body: { name: 'Sea' } })).status,
    ).toBe(404)
  })

  it('returns 403 for renaming or deleting a built-in list', async () => {
    const client = await openClient()
    const account = client.account()
    const path = `/v1/${account}/vault/lists/${builtIn(client, account).id}`
    expect((await client.send('PATCH', path, { body: { name: 'Mine' } })).status).toBe(403)
    expect((await client.send('DELETE', path)).status).toBe(403)
    expect(builtIn(client, account).name).toBe('Stories')
  })

  it.each([
    {},
    { name: '' },
    { name: ' ' },
    { name: null },
    { name: 5 },
    { name: 'Stories' },
    { name: 'uploads' },
  ])('rejects %j as the name of a new or renamed list', async (body) => {
    const client = await openClient()
    const lists = `/v1/${client.account()}/vault/lists`
    const { id } = (await client.post(lists, { name: 'Beach' })).body.data
    expect((await client.post(lists, body)).status).toBe(400)
    expect((await client.send('PATCH', `${lists}/${id}`, { body })).status).toBe(400)
  })

  it('keeps the media of a deleted list in the vault (§3)', async () => {
    const client = await openClient()
    const account = client.account()
    const media = mediaOf(client, account)
    const { id } = (await client.post(`/v1/${account}/vault/lists`, { name: 'Beach' })).body.data
    await client.post(`/v1/${account}/vault/lists/${id}/media`, { media_ids: [media.id] })
    await client.send('DELETE', `/v1/${account}/vault/lists/${id}`)
    expect((await client.get(`/v1/${account}/vault/media/${media.id}`)).status).toBe(200)
    expect(client.sandbox.db.vaultMedia.get(media.id)?.listIds).not.toContain(id)
  })
})

describe('GET vault/lists', () => {
  it('shows the built-in lists first, with the same counts as the media list', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { body } = await client.get(`/v1/${account}/vault/lists`)
    const { list, all, sort, order } = body.data
    expect(list.map(({ name }: { name: string }) => name)).toEqual([
      ...shelves,
      'Clinic days',
      'Lake week',
      'Behind the rack',
    ])
    expect([sort, order]).toEqual(['default', 'asc'])
    const count = async (query: string) =>
      (await readAllPages(client, `/v1/${account}/vault/media?limit=100&${query}`)).length
    for (const row of [{ ...all, id: undefined }, ...list]) {
      const place = row.id === undefined ? '' : `list_id=${row.id}&`
      for (const type of ['photo', 'video', 'gif', 'audio'])
        expect([row.name, type, row[`${type}sCount`]]).toEqual([
          row.name,
          type,
          await count(`${place}type=${type}`),
        ])
      expect(row.medias.length).toBe(Math.min(4, await count(place)))
      if (row.id !== undefined) expect(row.hasMedia).toBe(row.medias.length > 0)
    }
    expect(all.photosCount + all.videosCount + all.gifsCount + all.audiosCount).toBe(400)
    const [preview] = all.medias
    expect((await client.get(preview.url, { key: null })).status).toBe(200)
  })

  it(
    'fills Posts, Messages, Stories and Streams, including scheduled and archived posts and ' +
      'past stories',
    async () => {
      const client = await openClient('agency')
      const account = client.account()
      const { db } = client.sandbox
      const [photo] = db.vaultMedia.where({ accountId: account, isReady: true })
      const scheduledTime = new Date(client.sandbox.clock.now() + 5 * 86_400_000).toISOString()
      await client.post(`/v1/${account}/posts`, {
        text: 'Later',
        mediaFiles: [photo!.id],
        scheduledTime,
      })
      client.sandbox.clock.advance('2d')
      const shown = {
        Posts: db.posts.where({ accountId: account }).flatMap((post) => post.mediaFiles),
        Streams: db.posts
          .where({ accountId: account, isStream: true })
          .flatMap((post) => post.mediaFiles),
        Stories: db.stories.where({ accountId: account }).flatMap((story) => story.mediaFiles),
        Messages: db.messages
          .where({ accountId: account, isFromFan: false })
          .flatMap((message) => message.mediaFiles),
      }
      expect(
        db.posts
          .where({ accountId: account, status: 'scheduled' })
          .some(({ mediaFiles }) => mediaFiles.length > 0),
      ).toBe(true)
      for (const [name, ids] of Object.entries(shown)) {
        const rows = await readAllPages(
          client,
          `/v1/${account}/vault/media?limit=100&list_id=${builtIn(client, account, name).id}`,
        )
        expect([name, rows.map(({ id }) => id).toSorted()]).toEqual([
          name,
          [...new Set(ids)].toSorted(),
        ])
        expect(rows.length).toBeGreaterThan(0)
      }
    },
  )

  it('reflects the creation, change and deletion of a post', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const posts = builtIn(client, account, 'Posts').id
    const free = client.sandbox.db.vaultMedia.find(
      ({ accountId, listIds }) => accountId === account && !listIds.includes(posts),
    )!.id
    const hasPosts = async () =>
      (await client.get(`/v1/${account}/vault/media/${free}`)).body.data.hasPosts
    expect(await hasPosts()).toBe(false)
    const one = (await client.post(`/v1/${account}/posts`, { text: 'One', mediaFiles: [free] }))
      .body.data.id
    const two = (await client.post(`/v1/${account}/posts`, { text: 'Two', mediaFiles: [free] }))
      .body.data.id
    expect(await hasPosts()).toBe(true)
    await client.send('DELETE', `/v1/${account}/posts/${one}`)
    expect(await hasPosts()).toBe(true)
    await client.send('DELETE', `/v1/${account}/posts/${two}`)
    expect(await hasPosts()).toBe(false)
  })

  it.each([
    ['posts_zero', 5],
    ['posts_nine', 23],
    ['posts_ten', 24],
    ['posts_eleven', 25],
    ['posts_twenty', 48],
  ])('walks the lists of %s, 24 a page', async (username, size) => {
    const client = await openClient('boundaries')
    const path = `/v1/${client.account(username)}/vault/lists`
    const { data } = (await client.get(path)).body
    expect([data.list.length, data.hasMore]).toEqual([Math.min(24, size), size > 24])
    const ids = (await readAllPages(client, path)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(size)
    expect((await readAllPages(client, `${path}?limit=7`)).map(({ id }) => id)).toEqual(ids)
  })

  it('finds lists by part of their name', async () => {
    const client = await openClient('agency')
    expect(await names(client, `/v1/${client.account()}/vault/lists?query=ST&limit=1`)).toEqual([
      'Stories',
      'Posts',
      'Streams',
    ])
    expect((await client.get(`/v1/${client.account()}/vault/lists?limit=101`)).status).toBe(400)
  })
})

describe('POST vault/lists/sort', () => {
  it('keeps the order for later reads, built-in lists first', async () => {
    const client = await openClient('agency')
    const path = `/v1/${client.account()}/vault/lists`
    const sort = async (body: unknown) => {
      expect((await client.post(`${path}/sort`, body)).body.data).toEqual({ success: true })
      return (await names(client, path)).slice(shelves.length)
    }
    expect(await sort({ sort: 'name', order: 'asc' })).toEqual([
      'Behind the rack',
      'Clinic days',
      'Lake week',
    ])
    expect(await sort({ sort: 'name', order: 'desc' })).toEqual([
      'Lake week',
      'Clinic days',
      'Behind the rack',
    ])
    expect(await sort({ sort: 'recent', order: 'desc' })).toEqual([
      'Behind the rack',
      'Lake week',
      'Clinic days',
    ])
    const [clinic, lake] = client.sandbox.db.vaultLists.where({
      accountId: client.account(),
      type: 'custom',
    })
    const [media] = client.sandbox.db.vaultMedia.where({ accountId: client.account() })
    client.sandbox.clock.advance('1m')
    await client.send('PATCH', `${path}/${clinic!.id}`, { body: { name: 'Clinic days' } })
    expect(await sort({ sort: 'recent', order: 'desc' })).toEqual([
      'Clinic days',
      'Behind the rack',
      'Lake week',
    ])
    client.sandbox.clock.advance('1m')
    await client.post(`${path}/${lake!.id}/media`, { media_ids: [media!.id] })
    expect(await sort({ sort: 'recent', order: 'desc' })).toEqual([
      'Lake week',
      'Clinic days',
      'Behind the rack',
    ])
    expect(await sort({ sort: 'recent', order: 'asc' })).toEqual([
      'Behind the rack',
      'Clinic days',
      'Lake week',
    ])
    await sort({ sort: 'media', order: 'desc' })
    const sizes = (await readAllPages(client, path))
      .slice(shelves.length)
      .map((row) =>
        ['photos', 'videos', 'gifs', 'audios'].reduce(
          (sum, type) => sum + Number(row[`${type}Count`]),
          0,
        ),
      )
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect((await client.get(path)).body.data).toMatchObject({ sort: 'media', order: 'desc' })
    expect(await sort({ sort: 'default', order: 'asc' })).toEqual([
      'Clinic days',
      'Lake week',
      'Behind the rack',
    ])
  })

  it('accepts a custom order of all custom lists, and puts newer ones last', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const path = `/v1/${account}/vault/lists`
    const ids = client.sandbox.db.vaultLists
      .where({ accountId: account, type: 'custom' })
      .map(({ id }) => id)
    const customOrder = [ids[2], ids[0], ids[1]]
    await client.post(`${path}/sort`, { sort: 'custom', customOrder })
    const added = (await client.post(path, { name: 'Added' })).body.data.id
    expect((await readAllPages(client, path)).map(({ id }) => id).slice(shelves.length)).toEqual([
      ...customOrder,
      added,
    ])
    expect((await client.get(path)).body.data).toMatchObject({ sort: 'custom', order: null })
    await client.send('DELETE', `${path}/${ids[0]}`)
    expect((await readAllPages(client, path)).map(({ id }) => id).slice(shelves.length)).toEqual([
      ids[2],
      ids[1],
      added,
    ])
    const refused = [
      ids,
      [ids[1], ids[2]],
      [ids[1], ids[2], ids[2]],
      [ids[1], ids[2], added, builtIn(client, account).id],
      [],
    ]
    for (const customOrder of refused)
      expect((await client.post(`${path}/sort`, { sort: 'custom', customOrder })).status).toBe(400)
  })

  it.each([
    {},
    { sort: 'name' },
    { sort: 'size', order: 'asc' },
    { sort: 'name', order: 'up' },
    { sort: 'custom' },
    { sort: 'custom', customOrder: ['1'] },
  ])('rejects %j', async (body) => {
    const client = await openClient()
    expect((await client.post(`/v1/${client.account()}/vault/lists/sort`, body)).status).toBe(400)
  })
})

describe('vault/lists/{list_id}/media', () => {
  it('adds and removes media, which stay in the vault', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { id } = (await client.post(`/v1/${account}/vault/lists`, { name: 'Picks' })).body.data
    const media_ids = client.sandbox.db.vaultMedia
      .where({ accountId: account })
      .slice(0, 3)
      .map((media) => media.id)
    const held = async () =>
      (await readAllPages(client, `/v1/${account}/vault/media?list_id=${id}`))
        .map((media) => media.id)
        .toSorted()
    const path = `/v1/${account}/vault/lists/${id}/media`
    expect(
      (await client.post(path, { media_ids: [...media_ids, media_ids[0]] })).body.data,
    ).toEqual({ success: true })
    expect(await held()).toEqual(media_ids)
    const single = (await client.get(`/v1/${account}/vault/media/${media_ids[0]}`)).body.data
    expect(single.lists).toContainEqual({ id, type: 'custom', name: 'Picks' })
    expect(
      (await client.send('DELETE', path, { body: { media_ids: media_ids.slice(0, 2) } })).body.data,
    ).toEqual({ success: true })
    expect(
      (await client.send('DELETE', path, { body: { media_ids: media_ids.slice(0, 2) } })).status,
    ).toBe(200)
    expect(await held()).toEqual(media_ids.slice(2))
    expect((await client.get(`/v1/${account}/vault/media/${media_ids[0]}`)).status).toBe(200)
  })

  it('rejects media of another account, and adds none', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { id } = (await client.post(`/v1/${account}/vault/lists`, { name: 'Picks' })).body.data
    const foreign = mediaOf(client, client.account('jonah_reyes')).id
    const path = `/v1/${account}/vault/lists/${id}/media`
    for (const media_ids of [[mediaOf(client, account).id, foreign], [], ['1'], null, undefined]) {
      expect((await client.post(path, { media_ids })).status).toBe(400)
      expect((await client.send('DELETE', path, { body: { media_ids } })).status).toBe(400)
    }
    expect((await client.get(`/v1/${account}/vault/media?list_id=${id}`)).body.data.list).toEqual(
      [],
    )
  })

  it('returns 403 for a built-in list and 404 for an unknown one', async () => {
    const client = await openClient()
    const account = client.account()
    const body = { media_ids: [mediaOf(client, account).id] }
    for (const [list, status] of [
      [builtIn(client, account, 'Uploads').id, 403],
      [1, 404],
    ]) {
      expect((await client.post(`/v1/${account}/vault/lists/${list}/media`, body)).status).toBe(
        status,
      )
      expect(
        (await client.send('DELETE', `/v1/${account}/vault/lists/${list}/media`, { body })).status,
      ).toBe(status)
    }
  })
})
