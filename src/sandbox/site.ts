import type { Control } from '../control/control.ts'
import type { Head } from '../control/guard.ts'
import { controlPrefix, createControlPlane } from '../control/plane.ts'
import { jsonHeaders } from '../engine/pipeline/envelope.ts'
import type { Call, Reply, Route } from '../engine/route.ts'
import { plainUrl } from '../engine/url.ts'
import { routes as allRoutes } from '../world/routes.ts'

/** Says who may use the control plane of a server, besides loopback clients and those of its base address. */
export interface SiteOptions {
  /** Names and addresses that the server listens on. */
  hosts?: readonly string[]
  /** A token that clients of the control plane must send as `Authorization: Bearer TOKEN`. */
  controlToken?: string
}

/** Everything that a server answers: the API, its control plane and its documents. */
export interface Site {
  handle: (call: Call) => Promise<Reply>
  /** The largest body to read for a request, bytes. */
  bodyLimit: (head: Head) => number
  /** Whether a path belongs to the control plane, which decides by itself which pages of a browser may use it. */
  isControl: (url: string) => boolean
  /** The refusal of a request that may not load the page of the console, because of a foreign host or a foreign origin. */
  turnAway: (head: Head) => Reply | undefined
}

/** The part of a sandbox that a site needs. */
export interface SiteHost {
  readonly baseUrl: string
  readonly bodyLimit: number
  readonly ready: Promise<void>
  readonly control: Control
  handle: (call: Call) => Promise<Reply>
}

const fileRoutes = allRoutes.filter((route) => route.fileLimit !== undefined)

/** Builds the site of a sandbox that answers those routes. */
export function createSite(
  host: SiteHost,
  { hosts, controlToken, routes, log = () => {} }: SiteOptions & { routes: readonly Route[]; log?: (message: string) => void },
): Site {
  const plane = createControlPlane({
    control: host.control,
    ready: () => host.ready,
    bodyLimit: host.bodyLimit,
    hosts,
    token: controlToken,
    baseUrl: () => host.baseUrl,
    log,
  })
  return {
    handle(call) {
      if (isControl(call.url)) return plane.handle({ ...call, url: plainUrl(call.url) })
      return isDocument(call) ? answerDocument(call, host, routes) : host.handle(call)
    },
    bodyLimit(head) {
      const plainHead = { ...head, url: plainUrl(head.url) }
      return isControl(head.url) ? plane.bodyLimit(plainHead) : (fileLimit(plainHead) ?? host.bodyLimit)
    },
    isControl,
    turnAway: plane.turnAway,
  }
}

function isControl(sent: string): boolean {
  const url = plainUrl(sent)
  return url.startsWith(controlPrefix) && /^(?:[/?]|$)/.test(url.slice(controlPrefix.length))
}

/** The largest body of a request to a route that takes files; undefined for all other requests. */
function fileLimit({ method, url }: Head): number | undefined {
  const isMeant = (route: Route) => route.method === method && url.startsWith(route.path.slice(0, route.path.indexOf(':')))
  return fileRoutes.find(isMeant)?.fileLimit
}

function isDocument({ method, url }: Call): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/openapi\.json(?:\?|$)/.test(plainUrl(url))
}

async function answerDocument({ method }: Call, { baseUrl, control, ready }: SiteHost, routes: readonly Route[]): Promise<Reply> {
  const [{ createOpenApi }, { addExamples }] = await Promise.all([import('../openapi/openapi.ts'), import('../openapi/examples.ts'), ready])
  const body = JSON.stringify(addExamples(createOpenApi(routes, { baseUrl }), routes, control))
  return { status: 200, headers: jsonHeaders, body: method === 'HEAD' ? null : body }
}
