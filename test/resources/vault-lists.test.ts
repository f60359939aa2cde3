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
    const custom = { id: created.id, type: 'custom', canUpdate: true, canDelete: true }
    expect(created).toMatchObject({ ...custom, name: 'Beach', photosCount: 0, medias: [] })
    const renamed = (await client.patch(`vault/lists/${created.id}`, { name: 'Sea' })).body.data
    expect(renamed).toEqual({ ...custom, name: 'Sea' })
    expect((await client.delete(`vault/lists/${created.id}`)).body.data).toEqual({ success: true })
    expect((await client.delete(`vault/lists/${created.id}`)).status).toBe(404)
  })

  it('rejects the name of a built-in list for a new or renamed list', async () => {
    const client = await openClient()
    const { id } = await client.postData('vault/lists', { name: 'Beach' })
    for (const name of ['Stories', 'uploads']) {
      expect((await client.post('vault/lists', { name })).status).toBe(400)
      expect((await client.patch(`vault/lists/${id}`, { name })).status).toBe(400)
    }
  })

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
    const ids = idsOf(client.db.vaultLists.where({ accountId: client.account(), type: 'custom' }))
    const shownIds = async () => (await readAllIds(client, 'vault/lists')).slice(shelves.length)
    const customOrder = [ids[2], ids[0], ids[1]]
    await client.post('vault/lists/sort', { sort: 'custom', customOrder })
    const added = (await client.postData('vault/lists', { name: 'Added' })).id
    expect(await shownIds()).toEqual([...customOrder, added])
    expect(await client.getData('vault/lists')).toMatchObject({ sort: 'custom', order: null })
    await client.delete(`vault/lists/${ids[0]}`)
    expect(await shownIds()).toEqual([ids[2], ids[1], added])
    const refused = [
      ids,
      [ids[1], ids[2]],
      [ids[1], ids[2], ids[2]],
      [ids[1], ids[2], added, builtIn(client).id],
      [],
    ]
    for (const wrong of refused) {
      const body = { sort: 'custom', customOrder: wrong }
      expect((await client.post('vault/lists/sort', body)).status).toBe(400)
    }
  })

  it('rejects a sort without its order', async () => {
    const client = await openClient()
    for (const sort of ['name', 'custom'])
      expect((await client.post('vault/lists/sort', { sort })).status).toBe(400)
  })
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

  it('returns 403 for changes of a built-in list and 404 for an unknown one', async () => {
    const client = await openClient()
    const body = { media_ids: [mediaOf(client, client.account()).id] }
    for (const [list, status] of [
      [builtIn(client, 'Uploads').id, 403],
      [1, 404],
    ]) {
      const path = `vault/lists/${list}`
      expect((await client.post(`${path}/media`, body)).status).toBe(status)
      expect((await client.delete(`${path}/media`, body)).status).toBe(status)
      expect((await client.patch(path, { name: 'Mine' })).status).toBe(status)
      expect((await client.delete(path)).status).toBe(status)
    }
    expect(builtIn(client, 'Uploads').name).toBe('Uploads')
  })
})
