import type { Control } from '../control/control.ts'
import type { Head } from '../control/guard.ts'
import { controlPrefix, createControlPlane } from '../control/plane.ts'
import { jsonHeaders } from '../engine/pipeline/envelope.ts'
import type { Call, Reply, Route } from '../engine/route.ts'
import { plainUrl } from '../engine/url.ts'
import type { Rehearsal } from '../openapi/answers.ts'
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
  /** A copy with the same data. */
  fork: () => Pick<SiteHost, 'control' | 'handle'>
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
  const documents: Documents = {}
  return {
    handle(call) {
      if (isControlDocument(call)) return answerControlDocument(call, host, plane.turnAway(call))
      if (isControl(call.url)) return plane.handle({ ...call, url: plainUrl(call.url) })
      if (!isDocument(call)) return host.handle(call)
      return host.control.served.inTurn(null, () => answerDocument(call, { host, routes, documents }))
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

function isDocument({ method, url }: Pick<Call, 'method' | 'url'>): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/openapi\.json(?:\?|$)/.test(plainUrl(url))
}

/** The document that was handed out last: the answers in it are asked again only when its examples are others. */
interface Documents {
  plain?: string
  answered?: Promise<string>
}

function isControlDocument({ method, url }: Call): boolean {
  return (
    (method === 'GET' || method === 'HEAD') && url.startsWith(controlPrefix) && isDocument({ method, url: url.slice(controlPrefix.length) })
  )
}

async function answerControlDocument({ method }: Call, { baseUrl }: SiteHost, refused: Reply | undefined): Promise<Reply> {
  if (refused !== undefined) return refused
  const { createControlOpenApi } = await import('../openapi/control.ts')
  return toJsonReply(method, JSON.stringify(createControlOpenApi({ baseUrl })))
}

async function answerDocument(
  { method }: Call,
  { host, routes, documents }: { host: SiteHost; routes: readonly Route[]; documents: Documents },
): Promise<Reply> {
  const { baseUrl, control, ready } = host
  const [{ createOpenApi }, { addExamples }, { addAnswers }] = await Promise.all([
    import('../openapi/openapi.ts'),
    import('../openapi/examples.ts'),
    import('../openapi/answers.ts'),
    ready,
  ])
  const document = addExamples(createOpenApi(routes, { baseUrl }), routes, control)
  const plain = JSON.stringify(document)
  if (documents.plain !== plain || documents.answered === undefined) {
    documents.plain = plain
    documents.answered = addAnswers(document, () => rehearse(host)).then((answered) => JSON.stringify(answered))
  }
  const body = await documents.answered
  return toJsonReply(method, body)
}

function toJsonReply(method: string, body: string): Reply {
  return { status: 200, headers: jsonHeaders, body: method === 'HEAD' ? null : body }
}

/** A copy to try the examples on, with the key of its first owner and without the faults that are in force. */
function rehearse(host: SiteHost): Rehearsal {
  const copy = host.fork()
  const { keys } = copy.control.state()
  copy.control.faults.clear()
  return { key: (keys.find(({ role }) => role === 'owner') ?? keys[0])?.key ?? '', handle: (call) => copy.handle(call) }
}
