import { gunzipSync } from 'node:zlib'
import { createApp } from 'creator-api-sandbox/express'
import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'
import { serveOnFreePort } from '../support/server.ts'

const open = async () => serveOnFreePort(createApp(await createFreshSandbox()))
/** Sends a request without `fetch`, which would decompress the response. */
const ask = async (address: string, encoding?: string) => {
  const { request } = await import('node:http')
  return new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    request(address, { headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })
      .on('response', async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        resolve({ headers: response.headers, bytes: Buffer.concat(chunks) })
      })
      .on('error', reject)
      .end()
  })
}

it.each(['/openapi.json', '/_sandbox/openapi.json', '/_sandbox/state', '/_sandbox/actions'])(
  'compresses %s for a client that accepts gzip, and only for that',
  async (path) => {
    const address = (await open()) + path
    const plain = await ask(address)
    const packed = await ask(address, 'br;q=1.0, gzip;q=0.8')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length)
    expect(JSON.parse(gunzipSync(packed.bytes).toString())).toBeDefined()
    expect((await ask(address, 'gzip;q=0, identity')).headers['content-encoding']).toBeUndefined()
  },
)

it.each(['/docs', '/_sandbox/'])('compresses the files of the page %s', async (page) => {
  const origin = await open()
  const html = (await ask(origin + page)).bytes.toString()
  const paths = [...html.matchAll(/(?:src|href)="([^"#]+\.(?:js|css))"/g)].map(
    ([, path = '']) => path,
  )
  expect(paths.length).toBeGreaterThan(1)
  let total = 0
  for (const path of paths) {
    const { headers, bytes } = await ask(new URL(path, origin + page).href, 'gzip')
    expect(headers, path).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    total += bytes.length
  }
  expect(total).toBeLessThan(150_000)
})

it('does not compress API responses, short responses and events', async () => {
  const origin = await open()
  for (const path of ['/v1/nowhere', '/_sandbox/recording'])
    expect((await ask(origin + path, 'gzip')).headers['content-encoding']).toBeUndefined()
})

it('sends pictures with their length', async () => {
  const sandbox = await createFreshSandbox()
  const origin = await serveOnFreePort(createApp(sandbox))
  const { pictures = {} } = sandbox.control.data('fans', { pictures: true })
  const [path = ''] = Object.values(pictures)
  const { headers, bytes } = await ask(`${origin}/_sandbox/${path}`, 'gzip')
  expect([headers['content-encoding'], headers['content-length']]).toEqual([
    undefined,
    String(bytes.length),
  ])
})
