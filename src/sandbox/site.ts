import type { Control } from '../control/control.ts'
import type { Head } from '../control/guard.ts'
import { controlPrefix, createControlPlane } from '../control/plane.ts'
import type { Budget } from '../engine/budget.ts'
import { jsonHeaders } from '../engine/pipeline/envelope.ts'
import type { Call, Reply, Route } from '../engine/route.ts'
import { plainUrl } from '../engine/url.ts'
import type { Rehearsal } from '../openapi/answers.ts'

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
  /** The memory of the server, which bodies and answers take while they are under way. */
  budget: Budget | undefined
}

/** The part of a sandbox that a site needs. */
export interface SiteHost {
  readonly baseUrl: string
  readonly bodyLimit: number
  readonly budget: Budget | undefined
  bodyLimitOf: (head: Head) => number
  readonly ready: Promise<void>
  /** What stands for the scenario: another object once another one was loaded. */
  readonly loaded: object
  readonly control: Control
  /** A copy with the same data. */
  fork: () => Pick<SiteHost, 'control' | 'handle'>
  handle: (call: Call) => Promise<Reply>
}

/** Builds the site of a sandbox that answers those routes. */
export function createSite(
  host: SiteHost,
  { hosts, controlToken, routes, log = () => {} }: SiteOptions & { routes: readonly Route[]; log?: (message: string) => void },
): Site {
  const plane = createControlPlane({
    control: host.control,
    ready: () => host.ready,
    bodyLimit: host.bodyLimit,
    budget: host.budget,
    hosts,
    token: controlToken,
    baseUrl: () => host.baseUrl,
    log,
  })
  const documents: Documents = {}
  return {
    handle(call) {
      if (isControlDocument(call)) return answerControlDocument(call, host, { refused: plane.turnAway(call), documents })
      if (isControl(call.url)) return plane.handle({ ...call, url: plainUrl(call.url) })
      return isDocument(call) ? answerDocument(call, { host, routes, documents }) : host.handle(call)
    },
    bodyLimit(head) {
      const plainHead = { ...head, url: plainUrl(head.url) }
      return isControl(head.url) ? plane.bodyLimit(plainHead) : host.bodyLimitOf(plainHead)
    },
    isControl,
    turnAway: plane.turnAway,
    budget: host.budget,
  }
}

function isControl(sent: string): boolean {
  const url = plainUrl(sent)
  return url.startsWith(controlPrefix) && /^(?:[/?]|$)/.test(url.slice(controlPrefix.length))
}

function isDocument({ method, url }: Pick<Call, 'method' | 'url'>): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/openapi\.json(?:\?|$)/.test(plainUrl(url))
}

/** The documents as they were written, each once. */
interface Documents {
  /** Of the API: with examples of the scenario that `of` stands for, as they were when somebody first asked. */
  api?: { of: object; baseUrl: string; text: Promise<string> }
  control?: { baseUrl: string; text: Promise<string> }
}

function isControlDocument({ method, url }: Call): boolean {
  return (
    (method === 'GET' || method === 'HEAD') && url.startsWith(controlPrefix) && isDocument({ method, url: url.slice(controlPrefix.length) })
  )
}

async function answerControlDocument(
  { method }: Call,
  { baseUrl }: SiteHost,
  { refused, documents }: { refused: Reply | undefined; documents: Documents },
): Promise<Reply> {
  if (refused !== undefined) return refused
  if (documents.control?.baseUrl !== baseUrl) {
    const text = import('../openapi/control.ts').then(({ createControlOpenApi }) => JSON.stringify(createControlOpenApi({ baseUrl })))
    documents.control = { baseUrl, text }
  }
  return toJsonReply(method, await documents.control.text)
}

async function answerDocument(
  { method }: Call,
  { host, routes, documents }: { host: SiteHost; routes: readonly Route[]; documents: Documents },
): Promise<Reply> {
  const { baseUrl, loaded } = host
  if (documents.api?.of !== loaded || documents.api.baseUrl !== baseUrl) {
    documents.api = { of: loaded, baseUrl, text: writeDocument(host, routes) }
    // Whoever asks next tries again.
    documents.api.text.catch(() => delete documents.api)
  }
  return toJsonReply(method, await documents.api.text)
}

async function writeDocument(host: SiteHost, routes: readonly Route[]): Promise<string> {
  const [{ createOpenApi }, { addExamples }, { addAnswers }] = await Promise.all([
    import('../openapi/openapi.ts'),
    import('../openapi/examples.ts'),
    import('../openapi/answers.ts'),
    host.ready,
  ])
  const document = addExamples(createOpenApi(routes, { baseUrl: host.baseUrl }), routes, host.control)
  return JSON.stringify(await addAnswers(document, () => rehearse(host)))
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
