import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

const mediaOf = ({ sandbox }: Client, account: number) =>
  sandbox.db.vaultMedia.find({ accountId: account })!
const builtIn = ({ sandbox, account }: Client, name = 'Stories') =>
  sandbox.db.vaultLists.find({ accountId: account(), name })!
const names = async (client: Client, path: string) =>
  (await readAllPages(client, path)).map(({ name }) => name)
const shelves = ['Stories', 'Posts', 'Messages', 'Streams', 'Uploads']

describe('vault lists', () => {
  it('creates, renames and deletes a custom list', async () => {
    const client = await openClient()
    const created = await client.postData('vault/lists', { name: 'Beach' })
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
    const renamed = (await client.patch(`vault/lists/${created.id}`, { name: 'Sea' })).body.data
    expect(renamed).toEqual({
      id: created.id,
      type: 'custom',
      name: 'Sea',
      canUpdate: true,
      canDelete: true,
    })
    expect((await client.delete(`vault/lists/${created.id}`)).body.data).toEqual({ success: true })
    expect((await client.delete(`vault/lists/${created.id}`)).status).toBe(404)
    expect((await client.patch(`vault/lists/${created.id}`, { name: 'Sea' })).status).toBe(404)
  })

  it('returns 403 for renaming or deleting a built-in list', async () => {
    const client = await openClient()
    const path = `vault/lists/${builtIn(client).id}`
    expect((await client.patch(path, { name: 'Mine' })).status).toBe(403)
    expect((await client.delete(path)).status).toBe(403)
    expect(builtIn(client).name).toBe('Stories')
  })

  it.each([{ name: 'Stories' }, { name: 'uploads' }])(
    'rejects %j as the name of a new or renamed list',
    async (body) => {
      const client = await openClient()
      const { id } = await client.postData('vault/lists', { name: 'Beach' })
      expect((await client.post('vault/lists', body)).status).toBe(400)
      expect((await client.patch(`vault/lists/${id}`, body)).status).toBe(400)
    },
  )

  it('keeps the media of a deleted list in the vault (§3)', async () => {
    const client = await openClient()
    const media = mediaOf(client, client.account())
    const { id } = await client.postData('vault/lists', { name: 'Beach' })
    await client.post(`vault/lists/${id}/media`, { media_ids: [media.id] })
    await client.delete(`vault/lists/${id}`)
    expect((await client.get(`vault/media/${media.id}`)).status).toBe(200)
    expect(client.db.vaultMedia.get(media.id)?.listIds).not.toContain(id)
  })
})

describe('GET vault/lists', () => {
  it('shows the built-in lists first, each with up to four of its media', async () => {
    const client = await openClient('agency')
    const { body } = await client.get('vault/lists')
    const { list, all, sort, order } = body.data
    expect(list.map(({ name }: { name: string }) => name)).toEqual([
      ...shelves,
      'Clinic days',
      'Lake week',
      'Behind the rack',
    ])
    expect([sort, order]).toEqual(['default', 'asc'])
    for (const row of list) {
      const { length } = await readAllPages(client, `vault/media?limit=100&list_id=${row.id}`)
      expect([row.medias.length, row.hasMedia]).toEqual([Math.min(4, length), length > 0])
    }
    expect(all.photosCount + all.videosCount + all.gifsCount + all.audiosCount).toBe(400)
    const [preview] = all.medias
    expect((await client.get(preview.url, { key: null })).status).toBe(200)
  })

  it('reflects the creation, change and deletion of a post', async () => {
    const client = await openClient('agency')
    const posts = builtIn(client, 'Posts').id
    const free = client.db.vaultMedia.find(
      ({ accountId, listIds }) => accountId === client.account() && !listIds.includes(posts),
    )!.id
    const hasPosts = async () => (await client.getData(`vault/media/${free}`)).hasPosts
    expect(await hasPosts()).toBe(false)
    const one = (await client.postData('posts', { text: 'One', mediaFiles: [free] })).id
    const two = (await client.postData('posts', { text: 'Two', mediaFiles: [free] })).id
    expect(await hasPosts()).toBe(true)
    await client.delete(`posts/${one}`)
    expect(await hasPosts()).toBe(true)
    await client.delete(`posts/${two}`)
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
    const data = await client.getData(path)
    expect([data.list.length, data.hasMore]).toEqual([Math.min(24, size), size > 24])
    const ids = await readAllIds(client, path)
    expect(new Set(ids).size).toBe(size)
    expect(await readAllIds(client, `${path}?limit=7`)).toEqual(ids)
  })

  it('finds lists by part of their name', async () => {
    const client = await openClient('agency')
    const found = await names(client, 'vault/lists?query=ST&limit=1')
    expect(found).toEqual(['Stories', 'Posts', 'Streams'])
  })
})

describe('POST vault/lists/sort', () => {
  it('keeps the order for later reads, built-in lists first', async () => {
    const client = await openClient('agency')
    const path = 'vault/lists'
    const sort = async (body: unknown) => {
      expect(await client.postData(`${path}/sort`, body)).toEqual({ success: true })
      return (await names(client, path)).slice(shelves.length)
    }
    const [behind, clinic, lake] = ['Behind the rack', 'Clinic days', 'Lake week']
    expect(await sort({ sort: 'name', order: 'asc' })).toEqual([behind, clinic, lake])
    expect(await sort({ sort: 'name', order: 'desc' })).toEqual([lake, clinic, behind])
    expect(await sort({ sort: 'recent', order: 'desc' })).toEqual([behind, lake, clinic])
    const accountId = client.account()
    const idOf = (name = '') => client.db.vaultLists.find({ accountId, name })!.id
    const [media] = client.db.vaultMedia.where({ accountId })
    client.sandbox.clock.advance('1m')
    await client.patch(`${path}/${idOf(clinic)}`, { name: clinic })
    expect(await sort({ sort: 'recent', order: 'desc' })).toEqual([clinic, behind, lake])
    client.sandbox.clock.advance('1m')
    await client.post(`${path}/${idOf(lake)}/media`, { media_ids: [media!.id] })
    expect(await sort({ sort: 'recent', order: 'desc' })).toEqual([lake, clinic, behind])
    expect(await sort({ sort: 'recent', order: 'asc' })).toEqual([behind, clinic, lake])
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
    expect(await client.getData(path)).toMatchObject({ sort: 'media', order: 'desc' })
    expect(await sort({ sort: 'default', order: 'asc' })).toEqual([clinic, lake, behind])
  })

  it('accepts a custom order of all custom lists, and puts newer ones last', async () => {
    const client = await openClient('agency')
    const ids = client.db.vaultLists
      .where({ accountId: client.account(), type: 'custom' })
      .map(({ id }) => id)
    const customOrder = [ids[2], ids[0], ids[1]]
    await client.post('vault/lists/sort', { sort: 'custom', customOrder })
    const added = (await client.postData('vault/lists', { name: 'Added' })).id
    expect((await readAllIds(client, 'vault/lists')).slice(shelves.length)).toEqual([
      ...customOrder,
      added,
    ])
    expect(await client.getData('vault/lists')).toMatchObject({ sort: 'custom', order: null })
    await client.delete(`vault/lists/${ids[0]}`)
    expect((await readAllIds(client, 'vault/lists')).slice(shelves.length)).toEqual([
      ids[2],
      ids[1],
      added,
    ])
    const refused = [
      ids,
      [ids[1], ids[2]],
      [ids[1], ids[2], ids[2]],
      [ids[1], ids[2], added, builtIn(client).id],
      [],
    ]
    for (const customOrder of refused)
      expect((await client.post('vault/lists/sort', { sort: 'custom', customOrder })).status).toBe(
        400,
      )
  })

  it.each([{ sort: 'name' }, { sort: 'custom' }])(
    'rejects a sort without its order: %j',
    async (body) => {
      const client = await openClient()
      expect((await client.post('vault/lists/sort', body)).status).toBe(400)
    },
  )
})

describe('vault/lists/{list_id}/media', () => {
  it('adds and removes media, which stay in the vault', async () => {
    const client = await openClient('agency')
    const { id } = await client.postData('vault/lists', { name: 'Picks' })
    const media_ids = idsOf(client.db.vaultMedia.where({ accountId: client.account() }).slice(0, 3))
    const held = async () => (await readAllIds(client, `vault/media?list_id=${id}`)).toSorted()
    const path = `vault/lists/${id}/media`
    expect(await client.postData(path, { media_ids: [...media_ids, media_ids[0]] })).toEqual({
      success: true,
    })
    expect(await held()).toEqual(media_ids)
    const single = await client.getData(`vault/media/${media_ids[0]}`)
    expect(single.lists).toContainEqual({ id, type: 'custom', name: 'Picks' })
    expect((await client.delete(path, { media_ids: media_ids.slice(0, 2) })).body.data).toEqual({
      success: true,
    })
    expect((await client.delete(path, { media_ids: media_ids.slice(0, 2) })).status).toBe(200)
    expect(await held()).toEqual(media_ids.slice(2))
    expect((await client.get(`vault/media/${media_ids[0]}`)).status).toBe(200)
  })

  it('rejects media of another account, and adds none', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { id } = await client.postData('vault/lists', { name: 'Picks' })
    const foreign = mediaOf(client, client.account('jonah_reyes')).id
    const path = `vault/lists/${id}/media`
    const media_ids = [mediaOf(client, account).id, foreign]
    expect((await client.post(path, { media_ids })).status).toBe(400)
    expect((await client.delete(path, { media_ids })).status).toBe(400)
    expect((await client.getData(`vault/media?list_id=${id}`)).list).toEqual([])
  })

  it('returns 403 for a built-in list and 404 for an unknown one', async () => {
    const client = await openClient()
    const body = { media_ids: [mediaOf(client, client.account()).id] }
    for (const [list, status] of [
      [builtIn(client, 'Uploads').id, 403],
      [1, 404],
    ]) {
      expect((await client.post(`vault/lists/${list}/media`, body)).status).toBe(status)
      expect((await client.delete(`vault/lists/${list}/media`, body)).status).toBe(status)
    }
  })
})
