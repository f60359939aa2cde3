import { createServer, maxHeaderSize } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { rejectInvalidHost, safeHeaders, sendReply, runInConnectionOrder } from '../node.ts'
import { SandboxError } from '../../errors.ts'
import type { Place } from './network-exposure.ts'

/** An open port, whose listener may be set later. */
export interface OpenPort {
  /** `http://host:port`, with the actual port. */
  url: string
  /**
   * Sets the listener, which first handles the waiting requests. Until then, only `GET /health`
   * gets a response, with `"ready": false`.
   */
  serve: (listener: RequestListener) => void
  /** Calls a function with each new connection. */
  onConnection: (callback: (socket: Socket) => void) => void
  /**
   * Stops accepting requests, waits up to 5 seconds for requests in flight, and resolves after all
   * connections are closed.
   */
  close: () => Promise<void>
}

/** Thrown if the server cannot listen on an address. */
export class ListenError extends SandboxError {}

/** Maximum number of requests that wait until a listener is set. */
const maxWaiting = 256

/**
 * Opens a port.
 *
 * @throws {ListenError} if the address is unavailable
 */
export async function openPort({ port, host }: Pick<Place, 'port' | 'host'>): Promise<OpenPort> {
  const closing = createShutdown()
  let waiting: [IncomingMessage, ServerResponse][] = []
  let listener: RequestListener = (request, response) => {
    if (isHealthCheck(request)) sendJson(response, 200, { status: 'ok', ready: false })
    else if (waiting.length < maxWaiting) waiting.push([request, response])
    else
      sendJson(response, 503, {
        error:
          `The server is starting, and ${maxWaiting} requests are already waiting. Send the ` +
          'request again later.',
      })
  }
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      requireHostHeader: false,
    },
    closing.listen((request, response) => listener(request, response)),
  )
  closing.watch(server)
  server.on('clientError', refuseMalformed)
  // Overrides the default response of Node.js, a 417, which is not in the reference.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  await bind(server, { port, host })
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    serve(given) {
      listener = given
      const first = waiting
      waiting = []
      for (const [request, response] of first) if (!response.destroyed) given(request, response)
    },
    onConnection: (callback) => void server.on('connection', callback),
    close: () => closing.close(server),
  }
}

/**
 * True for health checks, which must not wait. False for requests from browser pages, because the
 * guard that checks them is not loaded yet.
 */
function isHealthCheck(request: IncomingMessage): boolean {
  const { method, url = '', headers } = request
  const isHealth = /^\/health(?=\?|$)/.test(url) && !isReadinessCheck(request)
  return (
    isHealth &&
    (method === 'GET' || method === 'HEAD') &&
    headers.origin === undefined &&
    rejectInvalidHost(request) === undefined
  )
}

/** True if a health check requires readiness, as load balancers do. */
function isReadinessCheck({ url = '' }: IncomingMessage): boolean {
  return (
    url.startsWith('/health?') && new URLSearchParams(url.slice('/health?'.length)).has('ready')
  )
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = response.req.method === 'HEAD' ? null : JSON.stringify(body)
  sendReply(response, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: text,
  })
}

function bind(server: Server, { port, host }: Pick<Place, 'port' | 'host'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = listenErrors[error.code ?? ''] ?? `${error.message}. Choose another port or host`
      reject(new ListenError(`Failed to listen on ${host}:${port}: ${why}.`, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}

const listenErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use. Choose another port, or 0 for a free one',
  EACCES: 'permission denied. Choose a port above 1023',
  EADDRNOTAVAIL: 'the host is not an address of this machine. Choose another host',
  ENOTFOUND: 'the host is not an address of this machine. Choose another host',
}

/** Responds to malformed HTTP with an error in the common format, and closes the connection. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  rejectConnection(
    socket,
    '400 Bad Request',
    malformed[error.code ?? ''] ?? 'The request is not well-formed HTTP.',
  )
}

/** Sends an error on a connection, and closes it. */
export function rejectConnection(socket: Socket, status: string, error: string): void {
  const body = JSON.stringify({ error })
  socket.end(
    `HTTP/1.1 ${status}\r\n${safeLines}Content-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const safeLines = Object.entries(safeHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

// Responds with 400 in all cases, because 408 and 431 are not in the reference.
const malformed: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The URL and the headers of the request are larger than ${maxHeaderSize} bytes.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
}

/** Grace period for requests in flight while the server closes, ms. */
const graceMs = 5_000

/** Maximum number of pipelined requests that wait on a connection. */
const maxPipelined = 1_000

/** Graceful shutdown of a server. */
interface Shutdown {
  /** Tracks the server's connections, so that `close` can end them. */
  watch: (server: Server) => void
  /** Wraps the listener. While the server is closing, new requests get a 503. */
  listen: (listener: RequestListener) => RequestListener
  /**
   * Stops accepting connections, and resolves when all of them are closed. Complete requests have 5
   * seconds to finish. Connections that are idle, stream events or have an incomplete request close
   * immediately.
   */
  close: (server: Server) => Promise<void>
}

/**
 * Creates the graceful shutdown of a server. The caller must pass the server to `watch` and wrap
 * its listener with `listen`.
 */
export function createShutdown(): Shutdown {
  const sockets = new Map<Socket, Set<ServerResponse>>()
  let isClosing = false
  // One function for all requests, to avoid a closure per request.
  function forget(this: ServerResponse): void {
    const { socket } = this.req
    const running = sockets.get(socket)
    running?.delete(this)
    // Closes the connection even if an earlier response contained a keep-alive header.
    if (isClosing && running?.size === 0) socket.destroySoon()
  }
  return {
    watch(server) {
      server.on('connection', (socket: Socket) => {
        sockets.set(socket, new Set())
        socket.once('close', () => sockets.delete(socket))
      })
    },
    listen: (listener) => (request, response) => {
      // Ignores requests from a rejected connection.
      if (request.socket.writableEnded) {
        request.socket.destroySoon()
        return
      }
      const running = sockets.get(request.socket)
      if (running !== undefined && running.size >= maxPipelined) {
        request.socket.destroy()
        return
      }
      running?.add(response)
      response.on('close', forget)
      if (isClosing) rejectRequest(response)
      else runInConnectionOrder(response, () => listener(request, response))
    },
    close(server) {
      isClosing = true
      return new Promise((resolve) => {
        const grace = setTimeout(() => {
          for (const socket of sockets.keys()) socket.destroy()
        }, graceMs)
        server.close(() => {
          clearTimeout(grace)
          resolve()
        })
        for (const [socket, responses] of sockets) {
          const left = [...responses].filter(isInProgress)
          for (const response of left) announceEnd(response)
          if (left.length === 0) socket.destroy()
        }
      })
    },
  }
}

/** True if a request has been received completely or is being processed. */
function isInProgress(response: ServerResponse): boolean {
  return response.req.complete || response.headersSent
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
  // Only event streams are still open at this point, because all other responses are written in one
  // call.
  else if (!response.writableEnded) response.end()
}

/** Responds with 503, so that load balancers and clients try another server or retry later. */
function rejectRequest(response: ServerResponse): void {
  const body = JSON.stringify({
    error: 'The server is shutting down. Try again after it has restarted.',
  })
  response
    .writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      connection: 'close',
    })
    .end(body)
}
