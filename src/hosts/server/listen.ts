import type { RequestListener } from 'node:http'
import { handleNodeRequest, normaliseRequestTarget, rejectInvalidHost, sendReply } from '../node.ts'
import { nodePace } from '../pace.ts'
import { mebibyte } from '../../world/memory-limit.ts'
import type { MemoryLimit } from '../../world/memory-limit.ts'
import type { SiteOptions } from './routing-options.ts'
import { createRouting } from './routing.ts'
import { createScenarioParser } from '../scenario-parser.ts'
import type { ServedSandbox } from '../../sandbox/served-sandbox.ts'
import { rejectConnection } from './port.ts'
import type { OpenPort } from './port.ts'
import { isError } from '../../lib/realms.ts'

/** Options of the listener. */
export interface ListenOptions extends Omit<SiteOptions, 'hosts'> {
  /** Host name or address to listen on. */
  host: string
  /**
   * URL that clients use, which becomes the sandbox's base URL.
   * @default the URL of the port
   */
  baseUrl?: string | undefined
  /** Called with each request, to update the metrics. */
  observe?: RequestListener | undefined
}

/**
 * Paths whose requests bypass the Express app, because Express would halve their throughput
 * (docs/decisions).
 */
const apiPath = /^\/(v1|health|media-proxy)(?=[/?]|$)/

/** Serves a sandbox on an open port. The sandbox must be ready. */
export function listen(
  served: ServedSandbox,
  port: OpenPort,
  { host, baseUrl, observe, ...site }: ListenOptions,
): void {
  countConnections(port, served.memory)
  if (baseUrl === undefined) served.sandbox.baseUrl = port.url
  served.servePictures()
  served.host.showDigest()
  const listener = createListener(served, { ...site, hosts: [host] })
  port.serve((request, response) => {
    observe?.(request, response)
    listener(request, response)
  })
}

function createListener(served: ServedSandbox, options: SiteOptions): RequestListener {
  served.parseWith(createScenarioParser())
  const api = createRouting(served, options, nodePace)
  let app: Promise<RequestListener> | undefined
  const loadApp = () =>
    (app ??= import('../express.ts').then((express) => express.createServedApp(served, options)))
  return (request, response) => {
    // Rejects the request here, because Node.js would reject it without a response body.
    const refused = rejectInvalidHost(request)
    normaliseRequestTarget(request)
    if (refused !== undefined) {
      sendReply(response, refused, { isLast: true })
      return
    }
    // The app handles requests from browser pages, because it adds CORS headers, and all requests
    // outside the API.
    const isApi = request.headers.origin === undefined && apiPath.test(request.url ?? '')
    const fail = (error: unknown) => {
      logError(error, `${request.method} ${request.url}: `)
      response.destroy()
    }
    if (isApi) handleNodeRequest(request, response, api).catch(fail)
    else
      loadApp()
        .then((appListener) => appListener(request, response))
        .catch(fail)
  }
}

function logError(error: unknown, where = ''): void {
  process.stderr.write(`${where}${isError(error) ? error.stack : String(error)}\n`)
}

/** Memory per connection, bytes: its buffers, and headers of the maximum size. */
const connectionBytes = 65_536

/** Counts the connections. Connections beyond the memory limit get a 503 and are closed. */
function countConnections(port: OpenPort, memory: MemoryLimit | undefined): void {
  if (memory === undefined) return
  port.onConnection((socket) => {
    memory.hold(connectionBytes)
    socket.once('close', () => memory.hold(-connectionBytes))
    if (!memory.exceeds(maxOverdraft)) return
    const limit = Math.round(memory.limit / mebibyte)
    rejectConnection(
      socket,
      '503 Service Unavailable',
      `The sandbox has reached its memory limit of ${limit} MB (--max-memory).`,
    )
  })
}

/**
 * Connections are accepted up to this multiple of the memory limit, so that clients can still
 * connect to delete data.
 */
const maxOverdraft = 1.25
