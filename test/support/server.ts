import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server on a free loopback port. */
export interface Listening {
  origin: string
  /** Closes all connections, after which clients may connect again. */
  cut: () => void
  stop: () => void
}

/** Listens on a free loopback port until the test ends. Returns the URL. */
export async function serveOnFreePort(listener: RequestListener): Promise<string> {
  const { origin, stop } = await listenOnFreePort(listener)
  onTestFinished(stop)
  return origin
}

/** Listens on a free loopback port until stopped, so that several tests can share it. */
export async function listenOnFreePort(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => server.closeAllConnections(),
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * Sends raw text over a connection, and returns everything received until the server closes the
 * connection.
 */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

/**
 * Returns two requests to send at once on one connection: one creates a post, the other reads the
 * latest post.
 */
export function createPipelinedRequests(account: number, authorization: string): string {
  const body = '{"text":"in order"}'
  const head = (line: string) =>
    `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n`
  return (
    `${head(`POST /v1/${account}/posts`)}Content-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}` +
    `${head(`GET /v1/${account}/posts?limit=1`)}Connection: close\r\n\r\n`
  )
}
