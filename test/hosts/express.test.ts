import { request } from 'node:http'
import { createApp } from 'creator-api-sandbox/express'
import express from 'express'
import { expect, it } from 'vitest'
import { getSourceLevel } from '../../src/api/source.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { createFreshSandbox } from '../support/client.ts'
import { serveOnFreePort, createPipelinedRequests, sendRaw } from '../support/server.ts'

async function open({
  path = '',
  before = [],
}: { path?: string; before?: express.RequestHandler[] } = {}) {
  const sandbox = await createFreshSandbox()
  const app = express()
  for (const handler of before) app.use(handler)
  app.use(path === '' ? '/' : path, createApp(sandbox))
  const origin = await serveOnFreePort(app)
  sandbox.baseUrl = origin + path
  const account = sandbox.db.accounts.all()[0]!.id
  const authorization = `Bearer ${sandbox.keys['owner']}`
  const url = origin + path
  const headers = { authorization, 'content-type': 'application/json' }
  /** Sends a request about the account as the owner. A body is sent with POST. */
  const send = (place: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    return fetch(`${url}/v1/${account}${place}`, { headers, ...init })
  }
  return { sandbox, origin, url, account, authorization, headers, send }
}

it.each([
  ['json', express.json()],
  ['text', express.text({ type: '*/*' })],
  ['raw', express.raw({ type: '*/*' })],
])('works behind a body parser (%s)', async (_, parser) => {
  const { sandbox, url, headers, send } = await open({ before: [parser] })
  expect((await (await send('/posts', { text: 'Hello' })).json()).data.rawText).toBe('Hello')
  expect((await send('/posts', {})).status).toBe(400)
  expect((await fetch(`${url}/_sandbox/reset`, { method: 'POST' })).status).toBe(200)
  expect((await send('/posts')).status).toBe(200)
  const before = sandbox.clock.now()
  await fetch(`${url}/_sandbox/clock`, { method: 'POST', headers, body: '{"advance":"1s"}' })
  expect(sandbox.clock.now()).toBe(before + 1000)
})

it('keeps uploads and headers behind middleware of the time of Express 4', async () => {
  const { sandbox, send } = await open({
    before: [
      // Body-parser 1 sets the body of each request that it does not parse.
      (request, _response, next) => {
        request.body = {}
        next()
      },
      // on-headers 1.0 replaces writeHead, and drops the headers of a flat list.
      (_request, response, next) => {
        const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => never
        response.writeHead = (status: number, given?: unknown) => {
          for (const [name, value] of Object.entries(given ?? {}))
            response.setHeader(name, value as string)
          return writeHead(status)
        }
        next()
      },
    ],
  })
  const post = await send('/posts', { text: 'Hello' })
  expect([post.status, post.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('application/json'),
  ])
  const begun = await send('/upload/signed/create', {
    key: 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg',
    parts: 1,
    contentType: 'image/jpeg',
  })
  const bytes = new Uint8Array([0xff, 0xd8, 0xff, 0xd9])
  const put = await fetch((await begun.json()).data.url, { method: 'PUT', body: bytes })
  expect([put.status, put.headers.get('etag')]).toEqual([200, expect.stringContaining('"')])
  const hash = put.headers.get('etag')!.replaceAll('"', '')
  expect(sandbox.db.vaultMedia.where({ hash })).toHaveLength(1)
})

it.each([
  ['express.urlencoded', express.urlencoded(), 'application/x-www-form-urlencoded', 'text=Hello'],
  ['express.text', express.text({ type: '*/*' }), 'image/jpeg', new Uint8Array([0xff, 0xd8])],
])('names the reason if a body cannot be restored after %s', async (_, parser, type, body) => {
  const { url, account, headers } = await open({ before: [parser] })
  const response = await fetch(`${url}/v1/${account}/posts`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type },
    body,
  })
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: expect.stringContaining(`has read a body of type ${type}, which cannot be restored`) },
  ])
})

it('handles the requests of adapters that give no raw headers', async () => {
  const app = createApp(await createFreshSandbox('solo'))
  const { send } = await open({
    before: [
      (request) => {
        request.rawHeaders = []
        app(request, request.res!)
      },
    ],
  })
  expect((await send('/posts')).status).toBe(200)
})

it('serves /openapi.json, with the base URL as its server', async () => {
  const { url } = await open({ path: '/api' })
  expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url }],
  })
})

it('lists only available routes in the document and in the route list', async () => {
  const sandbox = await createFreshSandbox('solo', { documentedOnly: true })
  const url = await serveOnFreePort(createApp(sandbox))
  const { paths, tags } = await (await fetch(`${url}/openapi.json`)).json()
  const inDocument = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.keys(item).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  )
  const documented = routes
    .filter(({ source }) => getSourceLevel(source) === 'documented')
    .map(({ id }) => id)
  expect(inDocument.filter((id) => !id.startsWith('HEAD ')).toSorted()).toEqual(
    documented.toSorted(),
  )
  expect(tags.map(({ name }: { name: string }) => name)).not.toContain('Payouts')
  expect((await (await fetch(`${url}/_sandbox/routes`)).json()).toSorted()).toEqual(
    documented.toSorted(),
  )
  expect(() => sandbox.faults.add({ route: 'GET /v1/tags', status: 502 })).toThrow(
    'there is no such route',
  )
})

it('accepts a request target in absolute form, mounted or not, and uses its host', async () => {
  for (const path of ['', '/creator/api']) {
    const { origin, account, authorization } = await open({ path })
    const ask = (target: string) =>
      sendRaw(
        origin,
        `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
      )
    for (const host of [origin, 'http://localhost', 'HTTPS://127.0.0.1:8443'])
      expect(await ask(`${host}${path}/v1/${account}/p%6Fsts?limit=1`)).toMatch(
        /^HTTP\/1\.1 200 [^]*next_page/,
      )
    expect(await ask(`${origin}${path}/_sandbox/state`)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await ask(`http://evil.example${path}/_sandbox/state`)).toMatch(/^HTTP\/1\.1 403 /)
    expect(await ask(`${origin}${path}?x`)).toMatch(/^HTTP\/1\.1 404 /)
  }
})

it('removes the trailing slash of a base URL, and rejects an invalid one', async () => {
  const sandbox = await createFreshSandbox()
  sandbox.baseUrl = 'http://127.0.0.1:3000/api/'
  expect(sandbox.baseUrl).toBe('http://127.0.0.1:3000/api')
  for (const wrong of ['foo', '', 'ftp://example.test']) {
    expect(() => (sandbox.baseUrl = wrong)).toThrow(
      `Failed to set the base URL (${JSON.stringify(wrong)}): it must be an http or https URL.`,
    )
  }
  expect(sandbox.baseUrl).toBe('http://127.0.0.1:3000/api')
})

it.each([2, 20])(
  'returns 413 for a body of %i MiB, and handles the next request on the connection',
  async (mebibytes) => {
    const { send } = await open()
    const answer = await send('/posts', 'x'.repeat(mebibytes * 1024 * 1024))
    expect(answer.status).toBe(413)
    expect(await answer.json()).toEqual({ error: expect.stringContaining('1048576 bytes') })
    expect((await send('/posts')).status).toBe(200)
  },
)

it('returns 413 for a body without a length', async () => {
  const { url, account, headers } = await open()
  const chunk = new TextEncoder().encode('x'.repeat(256 * 1024))
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let count = 0; count < 8; count += 1) controller.enqueue(chunk)
      controller.close()
    },
  })
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  expect((await fetch(`${url}/v1/${account}/posts`, init)).status).toBe(413)
})

it('keeps running if clients disconnect during a body or before the response', async () => {
  const { sandbox, url, account, headers, send } = await open()
  sandbox.faults.add({ delay_ms: 400, times: 1 })
  sandbox.faults.add({ delay_ms: 500, times: 1 })
  const waiting = new AbortController()
  const unanswered = fetch(`${url}/v1/${account}/posts`, { headers, signal: waiting.signal })
  await expect.poll(() => sandbox.faults.list()).toHaveLength(1)
  waiting.abort()
  await expect(unanswered).rejects.toThrow('aborted')
  await new Promise((resolve) => {
    const upload = request(`${url}/v1/${account}/posts`, {
      method: 'POST',
      headers: { ...headers, 'content-length': '1000' },
    })
    upload.on('error', resolve)
    upload.write('{', () => upload.destroy(new Error('gone')))
  })
  expect((await send('/posts')).status).toBe(200)
})

it('handles the requests on a connection in order', async () => {
  const { url, account, authorization } = await open()
  expect(await sendRaw(url, createPipelinedRequests(account, authorization))).toMatch(
    /"rawText":"in order".*"rawText":"in order"/s,
  )
})
