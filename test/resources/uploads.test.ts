import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { createFreshSandbox, openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { askAsOwner } from '../support/owner-requests.ts'
import { idsOf } from '../support/read-all-pages.ts'

const key = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/Holiday clip.mp4'
const bytesOf = (size: number, seed = 7) =>
  Uint8Array.from({ length: size }, (_, index) => (index * 31 + seed * 17) % 256)
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

/** Sends the bytes of a part to its URL. */
async function upload({ sandbox }: Client, url: string, bytes: Uint8Array) {
  const response = await sandbox.fetch(url, {
    method: 'PUT',
    body: bytes as BodyInit,
    headers: { 'content-type': 'video/mp4' },
  })
  const etag = response.headers.get('etag')
  return { status: response.status, etag, text: await response.text() }
}

const create = (client: Client, body: object = {}) =>
  client.post('upload/signed/create', { key, parts: 1, contentType: 'video/mp4', ...body })
const finish = (client: Client, body: object) =>
  client.post('upload/signed/finish', { key, ...body })

describe('the bytes of a part', () => {
  const putBytes = async (client: Client, bytes: Uint8Array | readonly Uint8Array[]) => {
    const { data } = (await create(client)).body
    const { pathname } = new URL(data.url)
    const request = { method: 'PUT', url: pathname, header: () => null, body: null, bytes }
    return client.sandbox.handle(request)
  }

  it.each([1000, 65_536, 1_048_576, 1_048_577])('may arrive in chunks of %i', async (length) => {
    const client = await openClient()
    const bytes = bytesOf(3 * 1_048_576)
    const chunks: Uint8Array[] = []
    for (let start = 0; start < bytes.length; start += length)
      chunks.push(bytes.subarray(start, start + length))
    const { headers } = await putBytes(client, chunks)
    expect(headers['etag']).toBe(`"${md5(bytes)}"`)
    expect(client.sandbox.requests[0]?.request.bytes).toBe(bytes.length)
  })

  it('are hashed in chunks, without blocking the event loop', async () => {
    const client = await openClient()
    const order: string[] = []
    setImmediate(() => order.push('another request'))
    const { headers } = await putBytes(client, bytesOf(3 * 1_048_576))
    order.push('the part')
    expect(order).toEqual(['another request', 'the part'])
    expect(headers['etag']).toBe(`"${md5(bytesOf(3 * 1_048_576))}"`)
  })

  it('have the same hash on hosts without a native hash, and with fake timers', async () => {
    const client = await openClient()
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.restoreAllMocks()
      vi.useRealTimers()
    })
    const { headers } = await putBytes(client, bytesOf(1_100_000))
    expect(headers['etag']).toBe(`"${md5(bytesOf(1_100_000))}"`)
  })
})

describe('an upload in one part', () => {
  it('is in the vault after the PUT, becomes ready as the clock advances, and can be posted and opened', async () => {
    const client = await openClient('agency')
    const { data } = (await create(client)).body
    expect(data).toEqual({ url: expect.stringContaining(client.sandbox.baseUrl) })
    const bytes = bytesOf(3000)
    const stored = { status: 200, etag: `"${md5(bytes)}"`, text: '' }
    expect(await upload(client, data.url, bytes)).toEqual(stored)

    const media = await client.getData(`vault/media/hash?h=${md5(bytes)}&size=3000`)
    expect(media).toMatchObject({
      type: 'video',
      isReady: false,
      lists: [{ type: 'media_stickers', name: 'Uploads' }],
      createdAt: toPlatformTime(client.sandbox.clock.iso()),
    })
    expect((await client.getData('vault/media?query=holiday')).list[0].id).toBe(media.id)
    const processing = async () => idsOf((await client.getData('vault/media/processing')).list)
    expect(await processing()).toContain(media.id)
    client.sandbox.clock.advance('29s')
    expect(await processing()).toContain(media.id)
    client.sandbox.clock.advance('1s')
    expect(await processing()).not.toContain(media.id)

    const ready = await client.getData(`vault/media/${media.id}`)
    expect(ready).toMatchObject({ isReady: true, hasPosts: false })
    const { url, size } = ready.files.full
    const file = await client.get(url, { key: null })
    expect([file.status, file.body.length]).toEqual([200, size])
    expect(file.headers.get('content-type')).toBe('video/mp4')
    await client.post('posts', { text: 'New clip', mediaFiles: [media.id] })
    expect((await client.getData(`vault/media/${media.id}`)).hasPosts).toBe(true)
  })

  it('accepts only the same bytes again, for a client that did not get the response', async () => {
    const client = await openClient()
    const { url } = (await create(client)).body.data
    expect((await upload(client, url, bytesOf(10))).status).toBe(200)
    const before = client.db.vaultMedia.size
    expect((await upload(client, url, bytesOf(10))).status).toBe(200)
    expect((await upload(client, url, bytesOf(10, 8))).status).toBe(404)
    expect(client.db.vaultMedia.size).toBe(before)
  })

  it.each([
    [{ contentType: 'image/jpeg' }, 'photo'],
    [{ contentType: 'image/gif' }, 'gif'],
    [{ contentType: 'audio/mpeg; charset=binary' }, 'audio'],
    [{ contentType: 'application/octet-stream' }, 'video'],
    [{ contentType: 'application/octet-stream', key: key.replace('.mp4', '.GIF') }, 'gif'],
  ])('stores %j as a %s', async (body, type) => {
    const client = await openClient()
    const bytes = bytesOf(5)
    await upload(client, (await create(client, body)).body.data.url, bytes)
    expect((await client.getData(`vault/media/hash?h=${md5(bytes)}&size=5`)).type).toBe(type)
  })

  it('rejects an empty body, an unknown URL and an expired URL', async () => {
    const client = await openClient()
    const { url } = (await create(client)).body.data
    expect((await upload(client, url, bytesOf(0))).status).toBe(400)
    expect((await upload(client, url.replace(/\/1$/, '/2'), bytesOf(1))).status).toBe(404)
    expect((await upload(client, url.replace(/\/1$/, '/one'), bytesOf(1))).status).toBe(400)
    expect((await upload(client, url.replace('/main/', '/other/'), bytesOf(1))).status).toBe(404)
    client.sandbox.clock.advance('1h')
    expect((await upload(client, url, bytesOf(1))).status).toBe(403)
    expect((await client.get('vault/media/processing')).status).toBe(200)
  })
})

describe('an upload in parts', () => {
  it('accepts parts larger than other bodies, and is found by its multipart ETag', async () => {
    const client = await openClient()
    const { uploadId, keys } = (await create(client, { parts: 2, secure: true })).body.data
    expect(keys).toHaveLength(2)
    const pieces = [bytesOf(1_500_000), bytesOf(70_001, 9)]
    const parts = []
    for (const [index, url] of keys.entries()) {
      const { etag } = await upload(client, url, pieces[index]!)
      parts.push({ ETag: etag, PartNumber: index + 1 })
    }
    expect((await finish(client, { uploadId, parts })).status).toBe(404)
    expect((await finish(client, { uploadId, parts, secure: true })).body.data).toEqual({
      success: true,
      location: expect.stringMatching(
        /^https:\/\/secure-upload\.platform\.example\/upload\/.*\/Holiday%20clip\.mp4$/,
      ),
    })
    const digest = createHash('md5')
      .update(Buffer.concat(pieces.map((piece) => createHash('md5').update(piece).digest())))
      .digest('hex')
    const found = await client.getData(`vault/media/hash?h=${digest}-2&size=1570001`)
    expect(found).toMatchObject({ type: 'video', isReady: false })
    expect((await client.getData('vault/media')).list[0].id).toBe(found.id)
    expect((await finish(client, { uploadId, parts, secure: true })).status).toBe(404)
  })

  it('requires each part once, in order, with the ETag of its last PUT', async () => {
    const client = await openClient()
    const { uploadId, keys } = (await create(client, { parts: 2 })).body.data
    const one = { ETag: md5(bytesOf(8)), PartNumber: 1 }
    const two = { ETag: md5(bytesOf(9)), PartNumber: 2 }
    await upload(client, keys[0], bytesOf(7))
    await upload(client, keys[0], bytesOf(8))
    expect((await finish(client, { uploadId, parts: [one, two] })).body.error).toContain(
      'part 2 has not been uploaded yet',
    )
    await upload(client, keys[1], bytesOf(9))
    for (const parts of [
      [],
      [one],
      [two, one],
      [one, one],
      [one, two, two],
      [one, { ...two, PartNumber: 3 }],
      [one, { ...two, ETag: one.ETag }],
      [{ ...one, ETag: md5(bytesOf(7)) }, two],
      'all',
    ])
      expect([parts, (await finish(client, { uploadId, parts })).status]).toEqual([parts, 400])
    expect((await finish(client, { uploadId: 'other', parts: [one, two] })).status).toBe(404)
    const other = { uploadId, key: key.replace('clip', 'film'), parts: [one, two] }
    expect((await finish(client, other)).status).toBe(404)
    expect((await finish(client, { uploadId, parts: [one, two] })).status).toBe(200)
  })

  it('belongs to its account', async () => {
    const client = await openClient('agency')
    const { uploadId, keys } = (await create(client, { parts: 2 })).body.data
    for (const url of keys) await upload(client, url, bytesOf(3))
    const parts = [1, 2].map((PartNumber) => ({ ETag: md5(bytesOf(3)), PartNumber }))
    const path = `/v1/${client.account('jonah_reyes')}/upload/signed/finish`
    expect((await client.post(path, { key, uploadId, parts })).status).toBe(404)
  })
})

it.each([
  { key: 'photo.jpg' },
  { key: key.replace('000000000001', '1') },
  { key: `${key}/more` },
  { key: key.replace('clip', 'cl\ud800ip') },
  { contentType: 'text/plain' },
  { contentType: 'application/octet-stream', key: key.replace('.mp4', '.txt') },
])('POST upload/signed/create refuses %j', async (body) => {
  const client = await openClient()
  expect((await create(client, body)).status).toBe(400)
})

it('belongs to the world in its URL', async () => {
  const sandbox = await createFreshSandbox()
  const world = await sandbox.createWorld()
  const base = `/v1/${world.accounts[0]!.id}`
  const body = { key, parts: 1, contentType: 'video/mp4' }
  const { data } = await askAsOwner(world, 'POST', `${base}/upload/signed/create`, body)
  const before = sandbox.db.vaultMedia.size
  expect((await sandbox.fetch(data.url, { method: 'PUT', body: 'bytes' })).status).toBe(200)
  expect(sandbox.db.vaultMedia.size).toBe(before)
  const path = `${base}/vault/media/hash?h=${md5(Buffer.from('bytes'))}&size=5`
  expect((await askAsOwner(world, 'GET', path)).data).toMatchObject({
    type: 'video',
    isReady: false,
  })
})

it('ignores the bytes of a PUT that failed because of a fault', async () => {
  const client = await openClient()
  const { url } = (await create(client)).body.data
  const { faults } = client.sandbox
  faults.add({ route: 'PUT /upload/:world/:upload_id/:part_number', status: 500, times: 1 })
  const before = client.db.vaultMedia.size
  expect((await upload(client, url, bytesOf(5))).status).toBe(500)
  expect(client.db.vaultMedia.size).toBe(before)
  expect((await upload(client, url, bytesOf(5))).status).toBe(200)
  expect(client.db.vaultMedia.size).toBe(before + 1)
  expect(client.sandbox.requests[0]?.request.body).toBeNull()
})
