import type { RequestListener } from 'node:http'
import { answer, readTarget, refuseHosts, send } from '../node.ts'
import { nodePace } from '../pace.ts'
import { mebibyte } from '../../world/memory-limit.ts'
import type { MemoryLimit } from '../../world/memory-limit.ts'
import type { SiteOptions } from './routing-options.ts'
import { openSite } from './routing.ts'
import { createScenarioParser } from '../scenario-parser.ts'
import type { ServedSandbox } from '../../sandbox/served-sandbox.ts'
import { refuseConnection } from './port.ts'
import type { OpenPort } from './port.ts'

/** For whom to listen. */
export interface ListenOptions extends Omit<SiteOptions, 'hosts'> {
  /** The address that the port listens at. */
  host: string
  /**
   * The address that clients use. @default the one of the port, which the sandbox takes for its own
   */
  baseUrl?: string | undefined
  /**
   * Called with the method and the address of a request when it comes, and again when it is over,
   * answered or not.
   */
  onRequest?: ((method: string, url: string) => void) | undefined
  /** Called with each request, to count it. */
  observe?: RequestListener | undefined
}

/**
 * What the sandbox answers itself, in front of the Express app: Express costs half the speed
 * (docs/decisions).
 */
const apiPath = /^\/(v1|health|media-proxy)(?=[/?]|$)/

/** Serves a sandbox on an open port, once it is ready. */
export function listen(
  served: ServedSandbox,
  port: OpenPort,
  { host, baseUrl, onRequest, observe, ...site }: ListenOptions,
): void {
  countConnections(port, served.memory)
  if (baseUrl === undefined) served.sandbox.baseUrl = port.url
  served.servePictures()
  served.showDigest()
  const listener = createListener(served, { ...site, hosts: [host] })
  port.serve((request, response) => {
    if (onRequest !== undefined) {
      const { method = '', url = '' } = request
      onRequest(method, url)
      response.once('close', () => onRequest(method, url))
    }
    observe?.(request, response)
    listener(request, response)
  })
}

function createListener(served: ServedSandbox, options: SiteOptions): RequestListener {
  served.parseWith(createScenarioParser())
  const api = openSite(served, options, nodePace)
  let app: Promise<RequestListener> | undefined
  const loadApp = () =>
    (app ??= import('../express.ts').then((express) => express.createServedApp(served, options)))
  return (request, response) => {
    // Node would answer without a body.
    const refused = refuseHosts(request)
    readTarget(request)
    if (refused !== undefined) {
      send(response, refused, { isLast: true })
      return
    }
    // Requests of browser pages need CORS: that is the app's, as is everything but the API.
    const isApi = request.headers.origin === undefined && apiPath.test(request.url ?? '')
    const fail = (error: unknown) => {
      tell(error, `${request.method} ${request.url}: `)
      response.destroy()
    }
    if (isApi) answer(request, response, api).catch(fail)
    else
      loadApp()
        .then((appListener) => appListener(request, response))
        .catch(fail)
  }
}

function tell(error: unknown, where = ''): void {
  process.stderr.write(`${where}${error instanceof Error ? error.stack : String(error)}\n`)
}

/** The memory of a connection: its buffers, and headers of the largest size, bytes. */
const connectionBytes = 65_536

/** Counts the connections. One for which no memory is left gets a 503, and is closed. */
function countConnections(port: OpenPort, memory: MemoryLimit | undefined): void {
  if (memory === undefined) return
  port.onConnection((socket) => {
    memory.hold(connectionBytes)
    socket.once('close', () => memory.hold(-connectionBytes))
    if (memory.used <= memory.limit * maxOverdraft) return
    const limit = Math.round(memory.limit / mebibyte)
    refuseConnection(
      socket,
      '503 Service Unavailable',
      `The sandbox has used its budget of ${limit} MB of memory (--max-memory).`,
    )
  })
}

/**
 * Below this share of the limit connections are taken: a client that frees memory must get through.
 */
const maxOverdraft = 1.25
