import { createServer, maxHeaderSize } from 'node:http'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { answer, readTarget, send } from '../adapters/node.ts'
import { nodePace } from '../adapters/pace.ts'
import { SandboxError } from '../errors.ts'
import type { Sandbox } from '../sandbox.ts'

/** Where and for whom to listen. */
export interface ServerOptions {
  port: number
  host: string
  controlToken?: string
}

/** A server that listens. */
export interface RunningServer {
  /** `http://host:port`, the port as it was really bound. */
  url: string
  /** Calls back when a request is over, answered or not. */
  onRequestOver: (callback: () => void) => void
  /** Takes no more connections, lets requests under way finish, and resolves when all are closed. */
  close: () => Promise<void>
}

/** The machine refuses the address. */
export class ListenError extends SandboxError {}

/** How long requests under way may take to finish once the server closes, ms. */
const graceMs = 5_000

const jsonType = { 'content-type': 'application/json; charset=utf-8' }

/** What the sandbox answers itself, in front of the Express app: Express costs half the speed (docs/decisions). */
const apiPath = /^\/(v1|health|media-proxy)(?=[/?]|$)/

/** Serves a sandbox. @throws {ListenError} when the address cannot be had. */
export async function startServer(sandbox: Sandbox, options: ServerOptions): Promise<RunningServer> {
  sandbox.follow(nodePace)
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      requireHostHeader: false,
    },
    createListener(sandbox, options),
  )
  server.on('clientError', refuseMalformed)
  // Node would answer 417, which the reference does not have.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  const streams = trackStreams(server)
  await listen(server, options)
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${(server.address() as AddressInfo).port}`,
    onRequestOver: (callback) => server.on('request', (_request, response) => response.once('close', callback)),
    close() {
      for (const stream of streams) stream.end()
      return close(server)
    },
  }
}

function createListener(sandbox: Sandbox, { host, controlToken }: ServerOptions): RequestListener {
  const api = { handle: sandbox.handle.bind(sandbox), bodyLimit: () => sandbox.bodyLimit }
  let app: Promise<RequestListener> | undefined
  const loadApp = () =>
    (app ??= import('../adapters/express.ts').then(({ createApp }) => createApp(sandbox, { hosts: [host], controlToken })))
  return (request, response) => {
    readTarget(request)
    // Node would answer without a body.
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      send(response, { status: 400, headers: jsonType, body: JSON.stringify({ error: 'The request has no Host header.' }) }, true)
      return
    }
    // Requests of browser pages need CORS: that is the app's, as is everything but the API.
    const isApi = request.headers.origin === undefined && apiPath.test(request.url ?? '')
    const answered = isApi ? answer(request, response, api) : loadApp().then((listener) => listener(request, response))
    answered.catch((error: unknown) => {
      process.stderr.write(`${request.method} ${request.url}: ${error instanceof Error ? error.stack : String(error)}\n`)
      response.destroy()
    })
  }
}

/** The event streams that are open: they have no end of their own that a closing server could wait for. */
function trackStreams(server: Server): ReadonlySet<ServerResponse> {
  const streams = new Set<ServerResponse>()
  server.on('request', ({ url }, response) => {
    if (url?.startsWith('/_sandbox/events') !== true) return
    streams.add(response)
    response.once('close', () => streams.delete(response))
  })
  return streams
}

function listen(server: Server, { port, host }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = listenErrors[error.code ?? ''] ?? `${error.message}. Choose another --port or --host`
      reject(new ListenError(`Failed to listen on ${host}:${port}: ${why}.`, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}

const listenErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken. Choose another with --port, or --port 0 for any that is free',
  EACCES: 'the port needs more rights. Choose one above 1023 with --port',
  EADDRNOTAVAIL: 'the host is no address of this machine. Choose another with --host',
  ENOTFOUND: 'the host is no address of this machine. Choose another with --host',
}

/** Answers what is no HTTP in the form of every error, and hangs up. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const why = malformed[error.code ?? ''] ?? 'The request is not well-formed HTTP.'
  const body = JSON.stringify({ error: why })
  socket.end(
    'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

// All with 400: the reference knows neither 408 nor 431.
const malformed: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The address and the headers of the request are larger than ${maxHeaderSize} bytes.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that a request under way leaves idle would be kept alive for its time: look again until all are gone.
    const idle = setInterval(() => server.closeIdleConnections(), 20)
    const grace = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(grace)
      resolve()
    })
    server.closeIdleConnections()
  })
}
