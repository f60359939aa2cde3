import { expect } from 'vitest'
import { describeMatrix } from '../support/matrix.ts'
import type { Client } from '../support/matrix.ts'

const mediaOf = ({ sandbox }: Client, account: number) => sandbox.db.vaultMedia.find({ accountId: account })!
const builtIn = ({ sandbox }: Client, account: number) => sandbox.db.vaultLists.find({ accountId: account, name: 'Stories' })!

describeMatrix('GET vault/media/{media_id}', (start, it) => {
  it('hands out the same links until they expire, then new ones', async () => {
    const client = await start()
    const account = client.account()
    const path = `/v1/${account}/vault/media/${mediaOf(client, account).id}`
    const links = async () => (await client.get(path)).body.data.files
    const first = await links()
    client.sandbox.clock.advance('1h 59m 59s')
    expect(await links()).toEqual(first)
    client.sandbox.clock.advance('1s')
    expect(await links()).not.toEqual(first)
  })

  it.each(['?refresh', '?refresh=', '?refresh=0', '?refresh=true'])('opens a new two-hour window with %s', async (query) => {
    const client = await start()
    const account = client.account()
    const path = `/v1/${account}/vault/media/${mediaOf(client, account).id}`
    const first = (await client.get(path)).body.data.files
    client.sandbox.clock.advance('1h')
    const renewed = (await client.get(path + query)).body.data.files
    expect(renewed).not.toEqual(first)
    client.sandbox.clock.advance('1h 30m')
    expect((await client.get(renewed.full.url, { key: null })).status).toBe(200)
    expect((await client.get(first.full.url, { key: null })).status).toBe(403)
    expect((await client.get(path)).body.data.files).toEqual(renewed)
  })

  it('tells the truth about the bytes that it links to', async () => {
    const client = await start()
    const account = client.account()
    for (const media of client.sandbox.db.vaultMedia.where({ accountId: account })) {
      const { files, type } = (await client.get(`/v1/${account}/vault/media/${media.id}`)).body.data
      for (const variant of ['full', 'thumb', 'preview', 'squarePreview']) {
        const { headers, body } = await client.get(files[variant].url, { key: null })
        expect([media.id, variant, body.length]).toEqual([media.id, variant, files[variant].size])
        const kind = headers.get('content-type')?.split('/')[0]
        expect(kind).toBe(variant === 'full' && (type === 'video' || type === 'audio') ? type : 'image')
      }
    }
  })

  it('answers 404 for media of another account and 400 for an id that is no integer', async () => {
    const client = await start('agency')
    const account = client.account()
    const foreign = client.sandbox.db.vaultMedia.find((media) => media.accountId !== account)!
    expect((await client.get(`/v1/${account}/vault/media/${foreign.id}`)).status).toBe(404)
    expect((await client.get(`/v1/${account}/vault/media/first`)).status).toBe(400)
  })

  it('turns ready when transcoding is over', async () => {
    const client = await start('agency')
    const media = client.sandbox.db.vaultMedia.find((each) => !each.isReady && client.sandbox.db.accounts.get(each.accountId)!.organisation === 1)
    expect(media).toBeDefined()
    const path = `/v1/${media!.accountId}/vault/media/${media!.id}`
    expect((await client.get(path)).body.data.isReady).toBe(false)
    client.sandbox.clock.set(media!.readyAt)
    expect((await client.get(path)).body.data.isReady).toBe(true)
  })
})

describeMatrix('vault lists', (start, it) => {
  it('creates, renames and deletes a custom list', async () => {
    const client = await start()
    const lists = `/v1/${client.account()}/vault/lists`
    const created = (await client.post(lists, { name: 'Beach' })).body.data
    expect(created).toEqual({ id: expect.any(Number), type: 'custom', name: 'Beach', canUpdate: true, canDelete: true, videosCount: 0, photosCount: 0, gifsCount: 0, audiosCount: 0, medias: [] })
    const renamed = (await client.send('PATCH', `${lists}/${created.id}`, { body: { name: 'Sea' } })).body.data
    expect(renamed).toEqual({ id: created.id, type: 'custom', name: 'Sea', canUpdate: true, canDelete: true })
    expect((await client.send('DELETE', `${lists}/${created.id}`)).body.data).toEqual({ success: true })
    expect((await client.send('DELETE', `${lists}/${created.id}`)).status).toBe(404)
    expect((await client.send('PATCH', `${lists}/${created.id}`, { body: { name: 'Sea' } })).status).toBe(404)
  })

  it('answers 403 for renaming or deleting a built-in list', async () => {
    const client = await start()
    const account = client.account()
    const path = `/v1/${account}/vault/lists/${builtIn(client, account).id}`
    expect((await client.send('PATCH', path, { body: { name: 'Mine' } })).status).toBe(403)
    expect((await client.send('DELETE', path)).status).toBe(403)
    expect(builtIn(client, account).name).toBe('Stories')
  })

  it.each([{}, { name: '' }, { name: ' ' }, { name: null }, { name: 5 }, { name: 'Stories' }, { name: 'uploads' }])('refuses to create or rename to %j', async (body) => {
    const client = await start()
    const lists = `/v1/${client.account()}/vault/lists`
    const { id } = (await client.post(lists, { name: 'Beach' })).body.data
    expect((await client.post(lists, body)).status).toBe(400)
    expect((await client.send('PATCH', `${lists}/${id}`, { body })).status).toBe(400)
  })

  it('leaves the media of a deleted list in the vault (§3)', async () => {
    const client = await start()
    const account = client.account()
    const media = mediaOf(client, account)
    const { id } = (await client.post(`/v1/${account}/vault/lists`, { name: 'Beach' })).body.data
    client.sandbox.db.vaultMedia.update(media.id, { listIds: [...media.listIds, id] })
    await client.send('DELETE', `/v1/${account}/vault/lists/${id}`)
    expect((await client.get(`/v1/${account}/vault/media/${media.id}`)).status).toBe(200)
    expect(client.sandbox.db.vaultMedia.get(media.id)?.listIds).not.toContain(id)
  })
})
