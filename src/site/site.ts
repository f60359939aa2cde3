import type { Control } from '../control/control.ts'
import { guard, guardOrigin } from '../control/guard.ts'
import type { Head } from '../control/guard.ts'
import { controlPrefix, createControlPlane } from '../control/plane.ts'
import type { Budget } from '../engine/budget.ts'
import { jsonHeaders } from '../engine/pipeline/envelope.ts'
import { parsePicturePath } from '../engine/public-files.ts'
import type { Answer, Call, Reply, Route } from '../engine/route.ts'
import { plainUrl } from '../engine/url.ts'
import type { ApiError } from '../errors.ts'
import type { Pace } from '../engine/work.ts'
import type { Rehearsal } from '../openapi/answers.ts'
import type { ControlRehearsal } from '../openapi/control-answers.ts'
import { parseSiteOptions } from './options.ts'
import type { SiteOptions } from './options.ts'

/** Everything that a server answers: the API, its control plane and its documents. */
export interface Site {
  /** Answers at once where nothing has to be waited for. */
  handle: (call: Call) => Answer
  /** The largest body to read for a request, bytes. */
  bodyLimit: (head: Head) => number
  /** Whether the answer to a request may be read by the page that sent it. The control plane decides that by itself. */
  isShared: (head: Head) => boolean
  /** The refusal of a request that may not load the console or the reference, because of a foreign host or a foreign origin. */
  turnAway: (head: Head) => Reply | undefined
  /** The memory of the server, which bodies and answers take while they are under way. */
  budget: Budget | undefined
}

/** The part of a sandbox that a site needs. */
export interface SiteHost {
  readonly baseUrl: string
  readonly bodyLimit: number
  readonly budget: Budget | undefined
  /** Whether it serves the pictures of users too, which the platform's public host does otherwise. */
  readonly servesPictures: boolean
  bodyLimitOf: (head: Head) => number
  readonly ready: Promise<void>
  /** What stands for the scenario: another object once another one was loaded. */
  readonly loaded: object
  readonly control: Control
  /** The routes that it answers. */
  readonly routes: readonly Route[]
  /** Tells whoever runs it. */
  tell: (message: string) => void
  follow: (pace: Pace) => void
  /** A copy with the same data. */
  fork: () => Pick<SiteHost, 'control' | 'handle' | 'fork'>
  handle: (call: Call) => Promise<Reply>
  /** The same, at once where nothing has to be waited for. */
  answer: (call: Call) => Answer
  /** Answers as the platform's public host. */
  handlePublic: (call: Call) => Promise<Reply>
}

/**
 * Opens the site of a sandbox. `pace` is how it does long work from now on. It stands beside the sandbox, not in it: whoever serves nothing
 * does not load it.
 */
export function openSite(host: SiteHost, options: SiteOptions, pace?: Pace): Site {
  const { hosts, allowHosts, allowOrigins, cors, controlToken } = parseSiteOptions(options)
  if (pace !== undefined) host.follow(pace)
  const guarded = { hosts, allowHosts, baseUrl: () => host.baseUrl }
  const trusted = { ...guarded, allowOrigins }
  const refusalOf = (head: Head) => (isHealth(head) ? guardOrigin : guard)(head, trusted)
  const plane = createControlPlane({
    control: host.control,
    ready: () => host.ready,
    bodyLimit: host.bodyLimit,
    ...guarded,
    budget: host.budget,
    token: controlToken,
    log: (message) => host.tell(message),
  })
  const documents: Documents = { api: createWriteOnce(), control: createWriteOnce() }
  return {
    handle(call) {
      // Nothing else begins like that, and most requests do.
      if (call.url.startsWith('/v1/')) return host.answer(admitted(call, guard(call, trusted)))
      if (isControlDocument(call)) return plane.turnAway(call) ?? answerControlDocument(call, host, documents)
      if (isControl(call.url)) return plane.handle({ ...call, url: plainUrl(call.url) })
      const refusal = refusalOf(call)
      if (refusal !== undefined) return host.answer(admitted(call, refusal))
      if (host.servesPictures && parsePicturePath(call.url) !== undefined) return host.handlePublic(call)
      return isDocument(call) ? answerDocument(call, host, documents) : host.answer(call)
    },
    bodyLimit(head) {
      const plainHead = { ...head, url: plainUrl(head.url) }
      if (isControl(head.url)) return plane.bodyLimit(plainHead)
      return refusalOf(head) === undefined ? host.bodyLimitOf(plainHead) : 0
    },
    isShared: (head) => cors && !isControl(head.url) && refusalOf(head) === undefined,
    turnAway: plane.turnAway,
    budget: host.budget,
  }
}

function admitted(call: Call, refusal: ApiError | undefined): Call {
  return refusal === undefined ? call : { ...call, refusal }
}

function isControl(sent: string): boolean {
  const url = plainUrl(sent)
  return url.startsWith(controlPrefix) && /^(?:[/?]|$)/.test(url.slice(controlPrefix.length))
}

/** Whether a request only asks whether the server is up: whoever watches it may call it by any name. */
function isHealth({ method, url }: Head): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/health(?:\?|$)/.test(plainUrl(url))
}

function isDocument({ method, url }: Pick<Call, 'method' | 'url'>): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/openapi\.json(?:\?|$)/.test(plainUrl(url))
}

/** The documents of the site. */
interface Documents {
  /** Of the API: with examples of the scenario that is loaded, as they were when somebody first asked. */
  api: WriteOnce
  control: WriteOnce
}

/** Gives what `write` wrote for these sources: it is written once, and anew for others. */
type WriteOnce = (sources: readonly unknown[], write: () => Promise<string>) => Promise<string>

function createWriteOnce(): WriteOnce {
  let written: { sources: readonly unknown[]; text: Promise<string> } | undefined
  return (sources, write) => {
    if (written !== undefined && sources.every((source, place) => source === written?.sources[place])) return written.text
    const writing = { sources, text: write() }
    written = writing
    // Whoever asks next tries again.
    writing.text.catch(() => {
      if (written === writing) written = undefined
    })
    return writing.text
  }
}

function isControlDocument({ method, url }: Call): boolean {
  return (
    (method === 'GET' || method === 'HEAD') && url.startsWith(controlPrefix) && isDocument({ method, url: url.slice(controlPrefix.length) })
  )
}

async function answerControlDocument({ method }: Call, host: SiteHost, documents: Documents): Promise<Reply> {
  return toJsonReply(method, await documents.control([host.baseUrl], () => writeControlDocument(host)))
}

async function writeControlDocument(host: SiteHost): Promise<string> {
  const [{ createControlOpenApi }, { addControlAnswers }] = await Promise.all([
    import('../openapi/control.ts'),
    import('../openapi/control-answers.ts'),
    host.ready,
  ])
  return JSON.stringify(await addControlAnswers(createControlOpenApi(host), await rehearseControl(host)))
}

/** A small sandbox with a story to try the control plane on: a snapshot of the host itself may be as large as it likes. */
async function rehearseControl(host: SiteHost): Promise<ControlRehearsal> {
  const copy = host.fork()
  await copy.control.loadScenario({ name: 'launch-day' })
  const key = copy.control.state().keys[0]?.key ?? ''
  const header = (name: string) => (name === 'x-api-key' ? key : null)
  return { control: copy.control, ask: (url) => copy.handle({ method: 'GET', url, header, body: null }) }
}

async function answerDocument({ method }: Call, host: SiteHost, documents: Documents): Promise<Reply> {
  return toJsonReply(method, await documents.api([host.loaded, host.baseUrl], () => writeDocument(host)))
}

async function writeDocument(host: SiteHost): Promise<string> {
  const { routes } = host
  const [{ writeOpenApi }, { addExamples }, { addAnswers }, { inSlices }] = await Promise.all([
    import('../openapi/openapi.ts'),
    import('../openapi/examples.ts'),
    import('../openapi/answers.ts'),
    import('../openapi/slices.ts'),
    host.ready,
  ])
  const bare = await inSlices(writeOpenApi(routes, { baseUrl: host.baseUrl }))
  // A busy world has to be waited for.
  const [document, copy] = await host.control.served.inTurn(null, () => [addExamples(bare, routes, host.control), host.fork()] as const)
  return JSON.stringify(await addAnswers(document, routes, () => rehearse(copy)))
}

function toJsonReply(method: string, body: string): Reply {
  return { status: 200, headers: jsonHeaders, body: method === 'HEAD' ? null : body }
}

/** A copy to try the examples on, without the faults that are in force. */
function rehearse(host: Pick<SiteHost, 'fork'>): Rehearsal {
  const copy = host.fork()
  copy.control.faults.clear()
  return { control: copy.control, handle: (call) => copy.handle(call) }
}
