import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

type Variant = 'full' | 'thumb' | 'preview' | 'squarePreview'
type Files = Record<Variant, { url: string }>

async function getLink(client: Client, type: string, variant: Variant = 'full'): Promise<string> {
  const media = client.db.vaultMedia.find(
    (each) => each.accountId === client.account() && each.type === type,
  )!
  return (await client.getData(`vault/media/${media.id}?refresh`)).files[variant].url
}

const open = (client: Client, url: string, headers?: Record<string, string>) =>
  client.get(url, { key: null, headers })

/** Returns links to the four files of 76 media items that no fan sent. */
async function listUrls(client: Client): Promise<string[]> {
  const own = { accountId: client.account(), isReady: true, senderId: undefined }
  const urls: string[] = []
  for (const { id } of client.db.vaultMedia.where(own).slice(0, 76)) {
    const files: Files = (await client.getData(`vault/media/${id}`)).files
    urls.push(files.full.url, files.thumb.url, files.preview.url, files.squarePreview.url)
  }
  return urls
}

describe('media links', () => {
  it('are service links under the base URL with url, exp and sig (§5.6)', async () => {
    const client = await openClient()
    const url = new URL(await getLink(client, 'photo'))
    expect(url.href.startsWith(`${client.sandbox.baseUrl}/media-proxy?`)).toBe(true)
    expect([...url.searchParams.keys()]).toEqual(['url', 'exp', 'sig'])
    expect(Number(url.searchParams.get('exp'))).toBe(
      Math.floor(client.sandbox.clock.now() / 1000) + 7200,
    )
  })

  it.each([
    ['photo', 'image/jpeg', [0xff, 0xd8]],
    ['gif', 'image/gif', [0x47, 0x49]],
    ['video', 'video/mp4', undefined],
    ['audio', undefined, undefined],
  ])('return real bytes of a %s', async (type, contentType, magic) => {
    const client = await openClient()
    const { status, headers, body } = await open(client, await getLink(client, type))
    expect(status).toBe(200)
    if (contentType !== undefined) expect(headers.get('content-type')).toBe(contentType)
    expect(headers.get('content-length')).toBe(String(body.length))
    expect(headers.get('cache-control')).toBe('private')
    if (magic !== undefined) expect(Array.from<number>(body.slice(0, 2))).toEqual(magic)
  })

  it('respond to ranges with 206 or 416, and to HEAD with only the headers', async () => {
    const client = await openClient()
    const url = await getLink(client, 'video')
    const whole = (await open(client, url)).body
    const range = async (value: string) => {
      const { status, headers, body } = await open(client, url, { range: value })
      return { status, range: headers.get('content-range'), body }
    }
    const size: number = whole.length
    for (const [asked, first, last] of [
      ['bytes=0-9', 0, 9],
      ['bytes=5-', 5, size - 1],
      ['bytes=-4', size - 4, size - 1],
      [`bytes=0-${size * 2}`, 0, size - 1],
    ] as const)
      expect(await range(asked)).toEqual({
        status: 206,
        range: `bytes ${first}-${last}/${size}`,
        body: whole.slice(first, last + 1),
      })
    expect(await range(`bytes=${size}-`)).toMatchObject({ status: 416, range: `bytes */${size}` })
    expect(await range('bytes=-0')).toMatchObject({ status: 416 })
    for (const ignored of ['bytes=9-0', 'bytes=0-1,4-5', 'items=0-1', 'bytes=-'])
      expect(await range(ignored)).toMatchObject({ status: 200, range: null })
    for (const value of [undefined, 'bytes=0-9', `bytes=${size}-`]) {
      const sent: Record<string, string> = value === undefined ? {} : { range: value }
      const head = await client.send('HEAD', url, { key: null, headers: sent })
      expect([head.status, head.body.length]).toEqual([200, 0])
      expect(head.headers.get('content-length')).toBe(String(size))
      expect(head.headers.get('content-range')).toBeNull()
    }
  })

  it('expire two hours after their creation, to the second', async () => {
    const client = await openClient()
    const url = await getLink(client, 'photo')
    client.sandbox.clock.advance('1h 59m 59s')
    expect((await open(client, url)).status).toBe(200)
    client.sandbox.clock.advance('1s')
    const { status, body } = await open(client, url)
    expect(status).toBe(403)
    expect(body.error).toContain('expired')
  })

  it('fail with 403 if any character is changed, or with a foreign url (§8)', async () => {
    const client = await openClient()
    const url = await getLink(client, 'photo')
    const query = url.slice(url.indexOf('?') + 1)
    const base = `${client.sandbox.baseUrl}/media-proxy`
    const flipped = [...query]
      .map(
        (character, index) =>
          query.slice(0, index) + (character === 'a' ? 'b' : 'a') + query.slice(index + 1),
      )
      .filter((_, index) => index % 7 === 0)
    // The parameter url is only a key for media of the sandbox, and is never fetched.
    const foreign = [
      'file:///etc/passwd',
      'http://127.0.0.1:1/',
      'https://cdn.platform.example/../../etc/passwd',
      '__proto__',
      'data:text/plain,x',
    ]
    const altered = [
      ...flipped,
      `${query}&x=1`,
      `${query}0`,
      query.slice(0, -1),
      query.replace(/&sig=.*/, ''),
      query.replace(/exp=\d+/, 'exp=9999999999'),
      query.replace('full', 'thumb'),
      `sig=1&${query}`,
      '',
      ...foreign.map((each) => `url=${encodeURIComponent(each)}&exp=9999999999&sig=00`),
    ]
    for (const each of altered)
      expect([each, (await open(client, `${base}?${each}`)).status]).toEqual([each, 403])
    expect((await open(client, base)).status).toBe(403)
    expect((await open(client, url)).status).toBe(200)
  })

  it('return 404 if their account is disconnected, or the file was deleted (§7)', async () => {
    const client = await openClient()
    const account = client.account()
    const [photo, video] = [await getLink(client, 'photo'), await getLink(client, 'video')]
    client.db.vaultMedia.remove(
      client.db.vaultMedia.find({ accountId: account, type: 'photo' })!.id,
    )
    expect((await open(client, photo)).status).toBe(404)
    client.db.accounts.update(account, { connected: false })
    expect((await open(client, video)).body.error).toContain('disconnected')
  })

  it('cost no credits, do not count towards rate limits and need no key', async () => {
    const client = await openClient()
    await open(client, await getLink(client, 'photo'))
    expect(client.sandbox.requests[0]).toMatchObject({
      route: 'GET /media-proxy',
      credits: 0,
      status: 200,
    })
    const { body } = await client.get('posts')
    expect(body._meta._rate_limits.remaining_minute).toBe(998)
  })

  it('return 429 for the 301st new file in a minute, by GET or HEAD (§8)', async () => {
    const client = await openClient('agency')
    const urls = await listUrls(client)
    const statuses = []
    client.sandbox.faults.add({ route: 'GET /media-proxy', status: 502, times: 1 })
    expect((await open(client, urls[303]!)).status).toBe(502)
    const head = (url: string) => client.send('HEAD', url, { key: null })
    for (const [index, url] of urls.slice(0, 302).entries())
      statuses.push((await (index % 2 === 0 ? head(url) : open(client, url))).status)
    expect(statuses).toEqual([...Array.from({ length: 300 }, () => 200), 429, 429])
    expect((await head(urls[302]!)).status).toBe(429)
    expect((await open(client, urls[0]!)).status).toBe(200)
    client.sandbox.clock.advance('1m')
    expect((await open(client, urls[300]!)).status).toBe(200)
    client.sandbox.clock.advance('58m')
    expect((await open(client, urls[0]!)).status).toBe(200)
  })

  it('are free for an hour after the last load of the file', async () => {
    const client = await openClient('agency')
    const load = async (url = '') => (await open(client, url)).status
    const [first, second] = await listUrls(client)
    expect([await load(first), await load(second)]).toEqual([200, 200])
    client.sandbox.clock.advance('50m')
    expect(await load(first)).toBe(200)
    client.sandbox.clock.advance('50m')
    const others = (await listUrls(client)).slice(4)
    expect(others.length).toBe(300)
    for (const url of others) await load(url)
    expect([await load(first), await load(second)]).toEqual([200, 429])
  })

  it('are signed again in each response of the other routes', async () => {
    const client = await openClient()
    const feed = 'posts?media_type=photos&limit=1'
    const link = async () => (await client.getData(feed)).list[0].media[0].files.full.url
    const first = await link()
    client.sandbox.clock.advance('1s')
    expect(await link()).not.toBe(first)
  })
})
