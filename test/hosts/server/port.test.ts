import { startServer } from 'creator-api-sandbox/server'
import { expect, it, onTestFinished } from 'vitest'
import { openPort } from '../../../src/hosts/server/port.ts'
import { ServedSandbox } from '../../../src/sandbox/served-sandbox.ts'
import { mebibyte } from '../../../src/world/memory-limit.ts'
import { serveCommand } from '../../support/command.ts'
import { createPipelinedRequests, sendRaw } from '../../support/server.ts'

async function open() {
  const port = await openPort({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => port.close())
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(port.url + path, { headers })
    return { status: answer.status, body: await answer.json() }
  }
  return { port, get }
}

it('reports immediately that it is running, but not ready', async () => {
  const { port, get } = await open()
  expect(await get('/health')).toEqual({ status: 200, body: { status: 'ok', ready: false } })
  expect(await get('/health?verbose=1')).toEqual({
    status: 200,
    body: { status: 'ok', ready: false },
  })
  expect((await fetch(`${port.url}/health`, { method: 'HEAD' })).status).toBe(200)
})

it('queues all other requests until the data is ready', async () => {
  const { port, get } = await open()
  const asked = ['/health?ready', '/v1/accounts', '/healthy'].map(async (path) => get(path))
  await get('/health')
  port.serve(({ url }, response) => void response.end(JSON.stringify({ url })))
  const bodies = (await Promise.all(asked)).map(({ body }) => body)
  expect(bodies).toEqual([{ url: '/health?ready' }, { url: '/v1/accounts' }, { url: '/healthy' }])
  expect(await get('/health')).toEqual({ status: 200, body: { url: '/health' } })
})

it('checks host and origin before it serves a page', async () => {
  const { port, get } = await open()
  const asked = get('/health', { origin: 'https://elsewhere.example' })
  await get('/health')
  port.serve((_, response) => void response.writeHead(403).end('{}'))
  expect((await asked).status).toBe(403)
})

it('rejects more than the maximum number of waiting requests', async () => {
  const { port, get } = await open()
  const asked = Array.from({ length: 257 }, () => get('/v1/accounts'))
  const refused = await Promise.race(asked)
  expect(refused).toEqual({
    status: 503,
    body: {
      error:
        'The server is starting, and 256 requests are already waiting. Send the request again later.',
    },
  })
  port.serve((_, response) => void response.end('{}'))
  expect((await Promise.all(asked)).filter(({ status }) => status === 200)).toHaveLength(256)
})

it('closes gracefully while requests wait', async () => {
  const { port, get } = await open()
  const asked = get('/v1/accounts').catch((error: Error) => error.message)
  await get('/health')
  const closed = port.close()
  port.serve((_, response) => void response.end('{}'))
  await closed
  expect(await asked).toEqual({ status: 200, body: {} })
})

it('handles the requests on a connection in order', async () => {
  const { url, control } = await serveCommand('--scenario', 'solo')
  const { keys, accounts } = await control('state')
  expect(
    await sendRaw(url, createPipelinedRequests(accounts[0].id, `Bearer ${keys[0].key}`)),
  ).toMatch(/"rawText":"in order".*"rawText":"in order"/s)
})

it('does not handle requests on a connection that it rejected for lack of memory', async () => {
  await using server = await startServer({ port: 0, scenario: 'solo', maxMemory: 64 })
  const { sandbox, url } = server
  const [post] = sandbox.db.posts.all()
  const { memory } = new ServedSandbox(sandbox)
  const remove = () =>
    sendRaw(
      url,
      `DELETE /v1/${post?.accountId}/posts/${post?.id} HTTP/1.1\r\nHost: localhost\r\n` +
        `X-API-Key: ${sandbox.keys['owner']}\r\nConnection: close\r\n\r\n`,
    )
  memory?.hold(100 * mebibyte)
  expect(await remove()).toMatch(/^HTTP\/1\.1 503 /)
  expect(sandbox.db.posts.get(post?.id ?? 0)).toEqual(post)
  memory?.hold(-100 * mebibyte)
  expect(await remove()).toMatch(/^HTTP\/1\.1 200 /)
  expect(sandbox.db.posts.get(post?.id ?? 0)).toBeUndefined()
})

it('rejects a long response while unread responses use up their share of the memory limit', async () => {
  await using server = await startServer({ port: 0, scenario: 'solo', maxMemory: 64 })
  const { memory } = new ServedSandbox(server.sandbox)
  const ask = (path: string) =>
    fetch(server.url + path, { headers: { 'accept-encoding': 'identity' } })
  memory?.holdResponse(16 * mebibyte)
  const refused = await ask('/_sandbox/snapshot')
  expect([refused.status, (await refused.json()).error]).toEqual([
    503,
    expect.stringMatching(/share of the memory limit of 64 MB .* Read these responses to the end/),
  ])
  expect((await ask('/_sandbox/state')).status).toBe(200)
  memory?.holdResponse(-16 * mebibyte)
  expect((await ask('/_sandbox/snapshot')).status).toBe(200)
  // After the client has read the first response, there is enough memory for another response.
  await expect.poll(() => memory?.hasRoomForResponse(64 * mebibyte)).toBe(true)
})

it('closes a connection that sends a thousand requests without reading', async () => {
  const { port } = await open()
  const heard: (string | undefined)[] = []
  port.serve(({ url }) => void heard.push(url))
  await sendRaw(port.url, 'GET /v1/accounts HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_001))
  expect(heard).toEqual(['/v1/accounts'])
})
