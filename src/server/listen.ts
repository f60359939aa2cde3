import type { RequestListener } from 'node:http'
import { answer, readTarget, refuseHosts, send } from '../adapters/node.ts'
import { nodePace } from '../adapters/pace.ts'
import { mebibyte } from '../engine/budget.ts'
import type { Budget } from '../engine/budget.ts'
import type { SiteOptions } from '../site/options.ts'
import { openSite } from '../site/site.ts'
import type { Sandbox } from '../sandbox.ts'
import { asksWhetherReady, refuseConnection } from './port.ts'
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
  /**
   * Called when data cannot be made that come behind the first answers. @default says so on stderr
   */
  onUnready?: ((error: unknown) => void) | undefined
}

/**
 * What the sandbox answers itself, in front of the Express app: Express costs half the speed
 * (docs/decisions).
 */
const apiPath = /^\/(v1|health|media-proxy)(?=[/?]|$)/

/**
 * Serves a sandbox on an open port. The rest of its data, and what large tables need, are made
 * meanwhile, between the requests.
 */
export function listen(
  sandbox: Sandbox,
  port: OpenPort,
  { host, baseUrl, onRequest, observe, onUnready = tell, ...site }: ListenOptions,
): void {
  countConnections(port, sandbox.budget)
  if (baseUrl === undefined) sandbox.baseUrl = port.url
  sandbox.servePictures()
  sandbox.showDigest()
  const listener = createListener(sandbox, { ...site, hosts: [host] })
  let isWhole = false
  const waiting: (() => void)[] = []
  const goOn = () => {
    isWhole = true
    for (const answer of waiting.splice(0)) answer()
  }
  port.serve((request, response) => {
    if (onRequest !== undefined) {
      const { method = '', url = '' } = request
      onRequest(method, url)
      response.once('close', () => onRequest(method, url))
    }
    observe?.(request, response)
    if (isWhole || !asksWhetherReady(request)) listener(request, response)
    else waiting.push(() => listener(request, response))
  })
  sandbox.warm(goOn).catch((error: unknown) => {
    goOn()
    onUnready(error)
  })
}

function createListener(sandbox: Sandbox, options: SiteOptions): RequestListener {
  const api = openSite(sandbox, options, nodePace)
  let app: Promise<RequestListener> | undefined
  const loadApp = () =>
    (app ??= import('../adapters/express.ts').then(({ createApp }) => createApp(sandbox, options)))
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
    try {
      if (isApi) answer(request, response, api)?.catch(fail)
      else
        loadApp()
          .then((appListener) => appListener(request, response))
          .catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}

function tell(error: unknown, where = ''): void {
  process.stderr.write(`${where}${error instanceof Error ? error.stack : String(error)}\n`)
}

/** What a connection takes of the budget, bytes: its buffers, and headers of the largest size. */
const connectionBytes = 65_536

/** Counts the connections. One for which no room is left is told so, and closed. */
function countConnections(port: OpenPort, budget: Budget | undefined): void {
  if (budget === undefined) return
  port.onConnection((socket) => {
    budget.add(connectionBytes)
    socket.once('close', () => budget.add(-connectionBytes))
    if (budget.used <= budget.limit * mostOverdrawn) return
    const limit = Math.round(budget.limit / mebibyte)
    refuseConnection(
      socket,
      '503 Service Unavailable',
      `The sandbox has used its budget of ${limit} MB of memory (--max-memory).`,
    )
  })
}

/**
 * Until so much of the budget is used, connections are taken: who may free memory must get through.
 */
const mostOverdrawn = 1.25
