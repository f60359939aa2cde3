import { checkForeignRequest, checkOrigin, checkFetchSite } from '../../control/guard.ts'
import type { Head } from '../../control/guard.ts'
import { controlPrefix, createControlPlane } from '../../control/control-plane.ts'
import type { MemoryLimit } from '../../world/memory-limit.ts'
import { jsonHeaders, createErrorReply } from '../../api/envelope.ts'
import { parsePicturePath } from '../../world/public-files.ts'
import type { Call, Reply } from '../../api/route.ts'
import { normaliseUrl } from '../../lib/url.ts'
import { MemoryLimitError } from '../../errors.ts'
import type { ApiError } from '../../errors.ts'
import type { PausePolicy } from '../../world/work.ts'
import { serveThumbnail, serveUserPicture } from '../../pictures/serve-pictures.ts'
import type { ServedSandbox } from '../../sandbox/served-sandbox.ts'
import type { OpenApiDocument } from '../../openapi/document.ts'
import type { ExampleSandbox } from '../../openapi/response-examples.ts'
import type { ControlExampleSandbox } from '../../openapi/control-response-examples.ts'
import { parseRoutingOptions } from './routing-options.ts'
import type { SiteOptions } from './routing-options.ts'

/** Routes requests to the API, the control plane and the OpenAPI documents. */
export interface RequestRouting {
  handle: (call: Call) => Promise<Reply>
  /** Maximum size of a request body, bytes. */
  bodyLimit: (head: Head) => number
  /**
   * True if the response gets the API's CORS headers. The control plane sets its own CORS headers.
   */
  isShared: (head: Head) => boolean
  /**
   * Returns an error if a request must not load the console or the reference, because its host or
   * origin is foreign.
   */
  rejectForeignPage: (head: Head) => Reply | undefined
  /** Memory limit of the server. Bodies and responses in flight count towards it. */
  memory: MemoryLimit | undefined
}

/**
 * Creates the routing for a sandbox. `pace` sets the pauses in long operations. It is a parameter
 * so that tests without a server do not load its module.
 */
export function createRouting(
  served: ServedSandbox,
  options: SiteOptions,
  pace?: PausePolicy,
): RequestRouting {
  const { hosts, allowHosts, allowOrigins, cors, controlToken } = parseRoutingOptions(options)
  if (pace !== undefined) served.follow(pace)
  const guarded = { hosts, allowHosts, baseUrl: () => served.sandbox.baseUrl }
  const trusted = { ...guarded, allowOrigins }
  const plane = createControlPlane({
    main: served,
    ready: () => served.sandbox.ready,
    bodyLimit: served.sandbox.bodyLimit,
    ...guarded,
    memory: served.memory,
    token: controlToken,
    log: (message, level) => served.host.options.log?.(message, level),
  })
  const documents: Documents = {
    api: createWriteOnce(),
    responses: createWriteOnce(),
    control: createWriteOnce(),
  }
  const open: SegmentHandling = {
    // Other sites may display media if they have the link, but must not change data.
    findRejection: (head) =>
      checkForeignRequest(head, trusted) ?? (isRead(head) ? undefined : checkFetchSite(head)),
    handle: (call) => served.handle(call),
    bodyLimit: (head) => served.host.getBodyLimit(head),
    isShared: true,
  }
  const api: SegmentHandling = {
    ...open,
    findRejection: (head) => checkForeignRequest(head, trusted) ?? checkFetchSite(head),
  }
  const files: SegmentHandling = {
    ...open,
    handle: (call) =>
      served.host.world.servesPictures && parsePicturePath(call.url) !== undefined
        ? serveUserPicture(call)
        : served.handle(call),
  }
  const health: SegmentHandling = {
    ...open,
    findRejection: (head) => (isHealth(head) ? checkOrigin : checkForeignRequest)(head, trusted),
  }
  const document: SegmentHandling = {
    ...open,
    handle: (call) =>
      isDocument(call) ? serveDocument(call, served, documents) : served.handle(call),
  }
  const control: SegmentHandling = {
    // The control plane has its own guard. Does not decode percent-encoded paths, because a proxy
    // that protects the control plane compares raw paths.
    findRejection: () => undefined,
    async handle(call) {
      const rest = { ...call, url: call.url.slice(controlPrefix.length) }
      if (isDocument(rest))
        return plane.rejectForeignPage(call) ?? serveControlDocument(call, served, documents)
      if (/^\/(?:files|media)\//.test(rest.url))
        return plane.rejectForeignPage(call) ?? servePicture(rest)
      return plane.handle(call)
    },
    bodyLimit: (head) => plane.bodyLimit(head),
    isShared: false,
  }
  const places = new Map([
    ['/v1', api],
    [controlPrefix, control],
    ['/files', files],
    ['/health', health],
    ['/openapi.json', document],
  ])
  const placeOf = ({ url }: Head) => places.get(getFirstSegment(normaliseUrl(url))) ?? open
  return {
    handle(call) {
      const { findRejection, handle } = placeOf(call)
      const refusal = findRejection(call)
      return refusal === undefined ? handle(call) : served.handle({ ...call, refusal })
    },
    bodyLimit(head) {
      const { findRejection, bodyLimit } = placeOf(head)
      return findRejection(head) === undefined ? bodyLimit(head) : 0
    },
    isShared(head) {
      const { findRejection, isShared } = placeOf(head)
      return cors && isShared && findRejection(head) === undefined
    },
    rejectForeignPage: plane.rejectForeignPage,
    memory: served.memory,
  }
}

/** Rules for all requests whose paths start with the same segment. */
interface SegmentHandling {
  /** Returns an error if a request is not allowed. */
  findRejection: (head: Head) => ApiError | undefined
  handle: (call: Call) => Promise<Reply>
  /** Maximum size of a body, bytes. */
  bodyLimit: (head: Head) => number
  /** True if the responses carry the API's CORS headers. */
  isShared: boolean
}

/** Returns the first path segment with its slash: `/v1` for `/v1/accounts?x=1`. */
function getFirstSegment(url: string): string {
  let end = 1
  while (end < url.length && url[end] !== '/' && url[end] !== '?') end += 1
  return url.slice(0, end)
}

/** Returns a record's picture for the console. */
function servePicture(call: Call): Promise<Reply> {
  return call.url.startsWith('/media/') ? serveThumbnail(call) : serveUserPicture(call)
}

/** True for health checks, which may have any Host header. */
function isHealth({ method, url }: Head): boolean {
  return isRead({ method }) && /^\/health(?:\?|$)/.test(normaliseUrl(url))
}

function isDocument({ method, url }: Pick<Call, 'method' | 'url'>): boolean {
  return isRead({ method }) && /^\/openapi\.json(?:\?|$)/.test(url)
}

function isRead({ method }: Pick<Call, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** OpenAPI documents of the server. */
interface Documents {
  /** The API document, with example ids and bodies from the loaded scenario. */
  api: WriteOnce
  /** The API document with an example response of each operation. */
  responses: WriteOnce
  control: WriteOnce
}

/** Caches the result of `write` until the sources change. */
type WriteOnce = (sources: readonly unknown[], write: () => Promise<string>) => Promise<string>

function createWriteOnce(): WriteOnce {
  let written: { sources: readonly unknown[]; text: Promise<string> } | undefined
  return (sources, write) => {
    if (
      written !== undefined &&
      sources.every((source, place) => source === written?.sources[place])
    )
      return written.text
    const writing = { sources, text: write() }
    written = writing
    // Removes a failed result from the cache.
    writing.text.catch(() => {
      if (written === writing) written = undefined
    })
    return writing.text
  }
}

async function serveControlDocument(
  { method }: Call,
  served: ServedSandbox,
  documents: Documents,
): Promise<Reply> {
  return toJsonReply(
    method,
    documents.control([served.sandbox.baseUrl], () => writeControlDocument(served)),
  )
}

async function writeControlDocument(served: ServedSandbox): Promise<string> {
  const [{ createControlOpenApi }, { addControlResponseExamples }] = await Promise.all([
    import('../../openapi/control.ts'),
    import('../../openapi/control-response-examples.ts'),
    served.sandbox.ready,
  ])
  return JSON.stringify(
    await addControlResponseExamples(
      createControlOpenApi(served.sandbox),
      await createControlExampleSandbox(served),
      served.control,
    ),
  )
}

/**
 * Creates a small sandbox with a story for the control plane's examples, because the server's own
 * sandbox may be very large.
 */
async function createControlExampleSandbox(served: ServedSandbox): Promise<ControlExampleSandbox> {
  const copy = served.fork()
  await copy.control.loadScenario({ name: 'launch-day' })
  const key = copy.control.state().keys[0]?.key ?? ''
  const header = (name: string) => (name === 'x-api-key' ? key : null)
  return {
    world: copy,
    sendRequest: (url) => copy.handle({ method: 'GET', url, header, body: null }),
  }
}

async function serveDocument(
  { method, url }: Call,
  served: ServedSandbox,
  documents: Documents,
): Promise<Reply> {
  const sources = [served.host.active, served.sandbox.baseUrl]
  const plain = () => documents.api(sources, () => writeDocument(served))
  const hasResponses = /[?&]responses=true(?:&|$)/.test(url)
  return toJsonReply(
    method,
    hasResponses
      ? documents.responses(sources, async () => writeResponses(await plain(), served))
      : plain(),
  )
}

async function writeDocument(served: ServedSandbox): Promise<string> {
  const { routes } = served
  const [{ createOpenApiWithPauses }, { addExamples }] = await Promise.all([
    import('../../openapi/openapi.ts'),
    import('../../openapi/examples.ts'),
    served.sandbox.ready,
  ])
  const bare = await createOpenApiWithPauses(routes, { baseUrl: served.sandbox.baseUrl })
  // Waits until the world is free.
  return JSON.stringify(await served.run(null, () => addExamples(bare, routes, served.control)))
}

async function writeResponses(plain: string, served: ServedSandbox): Promise<string> {
  const { addResponseExamples } = await import('../../openapi/response-examples.ts')
  const copy = await served.run(null, () => served.fork())
  const document = JSON.parse(plain) as OpenApiDocument
  return JSON.stringify(
    await addResponseExamples(document, served.routes, () => createExampleSandbox(copy)),
  )
}

/** Returns a document, or 507 if memory is insufficient for creating its examples. */
async function toJsonReply(method: string, document: Promise<string>): Promise<Reply> {
  try {
    const body = await document
    return { status: 200, headers: jsonHeaders, body: method === 'HEAD' ? null : body }
  } catch (error) {
    if (!(error instanceof MemoryLimitError)) throw error
    return createErrorReply(507, error.message)
  }
}

/** Forks the sandbox for the examples, without active faults. */
function createExampleSandbox(served: Pick<ServedSandbox, 'fork'>): ExampleSandbox {
  const copy = served.fork()
  copy.control.faults.clear()
  return { control: copy.control, handle: (call) => copy.handle(call) }
}
