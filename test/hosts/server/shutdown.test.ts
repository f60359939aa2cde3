import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serveCommand } from '../../support/command.ts'

/** Opens a connection, sends text, and collects the response. */
async function open(
  url: string,
  text: string,
): Promise<{ socket: Socket; received: () => string; closed: Promise<void> }> {
  const { hostname, port } = new URL(url)
  let received = ''
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.on('data', (chunk) => (received += chunk.toString()))
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  await new Promise((resolve) => socket.write(text, resolve))
  return { socket, received: () => received, closed }
}

/**
 * Starts a server that delays its next response to a request for posts. Returns a function that
 * sends a request for posts.
 */
async function serveSlowly(delayMs: number) {
  const server = await serveCommand('--scenario', 'solo')
  const { keys, accounts } = await server.control('state')
  const fault = { route: 'GET /v1/:account_id/posts', delay_ms: delayMs, times: 1 }
  await server.control('faults', fault)
  const isTaken = async () => {
    await expect.poll(() => server.control('faults')).toEqual([])
  }
  const request = `GET /v1/${accounts[0].id}/posts HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${keys[0].key}\r\n\r\n`
  return { ...server, request, isTaken }
}

/**
 * Disables the five-second grace period for running requests, so that the test fails if the server
 * waits for them.
 */
function withoutGrace(): void {
  const { setTimeout: set } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((job: () => void, ms?: number) =>
    ms === 5_000 ? set(() => {}, 1_000_000).unref() : set(job, ms)) as typeof setTimeout)
}

it('completes requests in progress, and announces that the connection will be closed', async () => {
  const { url, request, isTaken, stop } = await serveSlowly(600)
  const slow = await open(url, request)
  await isTaken()
  const end = stop()
  await slow.closed
  expect(slow.received()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i)
  expect(await end).toMatchObject({ code: 0, stderr: '' })
})

it('rejects new connections, and returns 503 for new requests on open ones', async () => {
  const { url, request, isTaken, stop } = await serveSlowly(600)
  const slow = await open(url, request)
  await isTaken()
  const end = stop()
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
  slow.socket.write(request)
  await slow.closed
  const [first, ...others] = slow.received().match(/^HTTP\/1\.1 \d+/gm) ?? []
  expect(first).toBe('HTTP/1.1 200')
  expect(others).not.toContain('HTTP/1.1 200')
  expect(await end).toMatchObject({ code: 0 })
})

it('does not wait for partial requests, idle connections and event streams', async () => {
  const { url, stop } = await serveCommand('--scenario', 'solo')
  const parts = [
    '',
    'GET /v1/1/posts HTTP/1.1\r\nHost: 127',
    'POST /v1/tags HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"name":',
    'PUT /_sandbox/snapshot HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":',
    'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'GET /_sandbox/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  ]
  const opened = await Promise.all(parts.map((part) => open(url, part)))
  await expect.poll(() => opened.at(-1)?.received()).toContain('text/event-stream')
  await expect.poll(() => opened.at(-2)?.received()).toContain('{"status":"ok"')
  withoutGrace()
  expect(await stop()).toMatchObject({ code: 0, stderr: '' })
  await Promise.all(opened.map(({ closed }) => closed))
})
