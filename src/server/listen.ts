import { createServer, maxHeaderSize } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { answer, readTarget, refuseHosts, safeHeaders, send } from '../adapters/node.ts'
import { nodePace } from '../adapters/pace.ts'
import { mebibyte } from '../engine/budget.ts'
import type { Budget } from '../engine/budget.ts'
import { SandboxError } from '../errors.ts'
import type { SiteOptions } from '../sandbox/site-options.ts'
import type { Sandbox } from '../sandbox.ts'
import { createClosing } from './closing.ts'
import type { Place } from './place.ts'

/** Where and for whom to listen. */
export interface ListenOptions extends Omit<SiteOptions, 'hosts'>, Omit<Place, 'metrics'>, Partial<Pick<Place, 'metrics'>> {
  /** The address that clients use. @default the one that the server listens at, which the sandbox takes for its own */
  baseUrl?: string | undefined
}

/** A server that listens. */
export interface Listening {
  /** `http://host:port`, the port as it was really bound. */
  url: string
  /** Calls back with the method and the address of a request when it comes and when it is over, answered or not. */
  onRequest: (callback: (method: string, url: string) => void) => void
  /** Takes no more work, lets requests under way finish, and resolves when all connections are closed, within seconds. */
  close: () => Promise<void>
}

/** The machine refuses the address. */
export class ListenError extends SandboxError {}

/** What the sandbox answers itself, in front of the Express app: Express costs half the speed (docs/decisions). */
const apiPath = /^\/(v1|health|media-proxy)(?=[/?]|$)/

/** Serves a sandbox whose data are there. @throws {ListenError} when the address cannot be had. */
export async function listen(sandbox: Sandbox, { port, host, baseUrl, metrics = false, ...site }: ListenOptions): Promise<Listening> {
  const closing = createClosing()
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      requireHostHeader: false,
    },
    closing.listen(createListener(sandbox, { ...site, hosts: [host] })),
  )
  closing.watch(server)
  server.on('clientError', refuseMalformed)
  // Node would answer 417, which the reference does not have.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  countConnections(server, sandbox.budget)
  if (metrics) await keepMetrics(server, sandbox)
  await bind(server, { port, host })
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
  if (baseUrl === undefined) sandbox.baseUrl = url
  sandbox.showDigest()
  return {
    url,
    onRequest: (callback) =>
      server.on('request', ({ method = '', url = '' }, response) => {
        callback(method, url)
        response.once('close', () => callback(method, url))
      }),
    close: () => closing.close(server),
  }
}

/** Counts from now on. Who wants that installs the library, which nobody else loads. @throws {SandboxError} without it */
async function keepMetrics(server: Server, sandbox: Sandbox): Promise<void> {
  const { createMetrics } = await import('./metrics.ts').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new SandboxError('Failed to count for the metrics: prom-client is not installed. Install it: npm install prom-client.', {
      cause: error,
    })
  })
  const { observe, write } = createMetrics(sandbox)
  server.on('request', observe)
  sandbox.showMetrics(write)
}

function createListener(sandbox: Sandbox, options: SiteOptions): RequestListener {
  const api = sandbox.openSite(options, nodePace)
  let app: Promise<RequestListener> | undefined
  const loadApp = () => (app ??= import('../adapters/express.ts').then(({ createApp }) => createApp(sandbox, options)))
  return (request, response) => {
    // Node would answer without a body.
    const refused = refuseHosts(request)
    readTarget(request)
    if (refused !== undefined) {
      send(response, refused, true)
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

/** What a connection takes of the budget, bytes: its buffers, and headers of the largest size. */
const connectionBytes = 65_536

/** Counts the connections. One for which no room is left is told so, and closed. */
function countConnections(server: Server, budget: Budget | undefined): void {
  if (budget === undefined) return
  server.on('connection', (socket) => {
    budget.add(connectionBytes)
    socket.once('close', () => budget.add(-connectionBytes))
    if (budget.used <= budget.limit * mostOverdrawn) return
    const limit = Math.round(budget.limit / mebibyte)
    refuse(socket, '503 Service Unavailable', `The sandbox has used its budget of ${limit} MB of memory (--max-memory).`)
  })
}

/** Until so much of the budget is used, connections are taken: who may free memory must get through. */
const mostOverdrawn = 1.25

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
  EADDRINUSE: 'the port is taken. Choose another port, or port 0 for any that is free',
  EACCES: 'the port needs more rights. Choose a port above 1023',
  EADDRNOTAVAIL: 'the host is no address of this machine. Choose another host',
  ENOTFOUND: 'the host is no address of this machine. Choose another host',
}

/** Answers what is no HTTP in the form of every error, and hangs up. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const why = malformed[error.code ?? ''] ?? 'The request is not well-formed HTTP.'
  refuse(socket, '400 Bad Request', why)
}

/** Answers on a connection in the form of every error, and closes it. */
function refuse(socket: Socket, status: string, error: string): void {
  const body = JSON.stringify({ error })
  socket.end(
    `HTTP/1.1 ${status}\r\n${safeLines}Content-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const safeLines = Object.entries(safeHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')

// All with 400: the reference knows neither 408 nor 431.
const malformed: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The address and the headers of the request are larger than ${maxHeaderSize} bytes.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
}
