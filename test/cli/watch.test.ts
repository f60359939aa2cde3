import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serveCommand, createTemporaryFolder } from '../support/command.ts'

/**
 * Starts a fake live service that responds with the given bytes and records the requests it
 * receives.
 */
async function openRaw(answer: (count: number) => string) {
  const received: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes: Buffer) => {
      received.push(bytes.toString('latin1'))
      socket.end(Buffer.from(answer(received.length), 'latin1'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { live: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

const toAnswer = (head: string, body = '{"data":1}') =>
  `HTTP/1.1 ${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

interface Got {
  status: number | undefined
  body: string
}

function get(url: string, headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode, body }))
      response.on('error', reject)
    })
      .on('error', reject)
      .end()
  })
}

it.each([
  ['099 Low', 502],
  ['000 None', 502],
  ['101 Switching Protocols', 502],
  ['101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket', 502],
  ['600 High', 502],
  ['999 Higher', 502],
  ['200 a\u0001b', 200],
  ['200 a\u007fb', 200],
  ['200 OK\r\nX-Odd: a\u0001b', 502],
  ['103 Early\r\n\r\nHTTP/1.1 200 OK', 200],
])('forwards the response %j, or returns 502, and keeps running', async (head, status) => {
  const { live } = await openRaw((count) => toAnswer(count === 1 ? head : '200 OK'))
  const watch = await serveCommand('watch', '--live', live)
  const got = await get(`${watch.url}/v1/tags`)
  expect(got.status).toBe(status)
  if (status === 502)
    expect(got.body).toMatch(/^\{"error":"The service answered .+\."\}$|could not reach/)
  expect((await get(`${watch.url}/v1/tags`)).status).toBe(200)
})

it.each([
  ['GET', 204, toAnswer('204 No Content')],
  ['GET', 204, 'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['GET', 304, toAnswer('304 Not Modified')],
  ['HEAD', 200, toAnswer('200 OK')],
])('forwards a response to %s with the status %i and a body', async (method, status, text) => {
  const { live } = await openRaw(() => text)
  const watch = await serveCommand('watch', '--live', live)
  const answer = await fetch(`${watch.url}/v1/tags`, { method })
  expect([answer.status, await answer.text()]).toEqual([status, ''])
})

it('forwards a response that is followed by other bytes', async () => {
  const { live } = await openRaw(() => `${toAnswer('200 OK')}and more`)
  const watch = await serveCommand('watch', '--live', live)
  expect(await (await fetch(`${watch.url}/v1/tags`)).json()).toEqual({ data: 1 })
})

it('writes each new finding immediately', async () => {
  const { live } = await openRaw((count) =>
    toAnswer('200 OK', count === 1 ? '{"data":{"first":1}}' : '{"data":{"second":"a"}}'),
  )
  const out = join(createTemporaryFolder(), 'observed.yaml')
  const watch = await serveCommand('watch', '--live', live, '--out', out)
  expect(readFileSync(out, 'utf8')).toContain('routes: {}')
  for (const finding of ['first', 'second']) {
    await get(`${watch.url}/v1/tags`)
    await expect.poll(() => readFileSync(out, 'utf8')).toContain(finding)
  }
})

it.each([
  ['the page of another site', { origin: 'https://evil.example.test' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['another name', { host: 'evil.example.test' }],
])('keeps %s from the service', async (_, headers: Record<string, string>) => {
  const { live, received } = await openRaw(() => toAnswer('200 OK'))
  const watch = await serveCommand('watch', '--live', live)
  for (const path of ['/v1/tags', '/_sandbox/'])
    expect((await get(watch.url + path, headers)).status).toBe(403)
  expect(received).toEqual([])
  expect((await get(`${watch.url}/v1/tags`, { origin: 'http://localhost:5173' })).status).toBe(200)
})
