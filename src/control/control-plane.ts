import type { MemoryLimit } from '../world/memory-limit.ts'
import type { Log } from '../lib/log.ts'
import { jsonHeaders, createErrorReply } from '../api/envelope.ts'
import { findJsonBodyProblem, decodeBody } from '../api/json-body.ts'
import type { Call, Reply } from '../api/route.ts'
import { countBytes, toChunks } from '../lib/chunks.ts'
import { decodeUrlPart, parseQuery, splitUrl } from '../lib/url.ts'
import {
  MemoryLimitError,
  truncateForMessage,
  SandboxError,
  TooManyRowsError,
  UnavailableError,
} from '../errors.ts'
import type { ApiError } from '../errors.ts'
import { checkInput, NotFoundError } from '../api/check-input.ts'
import { streamEvents } from './event-stream.ts'
import { createCorsHeaders, checkForeignRequest, checkFetchSite, hasControlToken } from './guard.ts'
import type { GuardOptions, Head } from './guard.ts'
import { controlRoutes } from './routes/all-routes.ts'
import type { ControlRoute } from './routes/route.ts'
import { eventsRoute } from './routes/server.ts'
import { writeJson, TextResponse } from './json-pieces.ts'
import type { Lease, ServedWorld } from './served-world.ts'
import { isError } from '../lib/realms.ts'

/** HTTP interface of the control plane, independent of the host. */
export interface ControlPlane {
  handle: (call: Call) => Promise<Reply>
  /**
   * Returns an error for requests that must not load the console or the API reference, even with a
   * token.
   */
  rejectForeignPage: (head: Head) => Reply | undefined
  /** Maximum size of a request body, bytes. */
  bodyLimit: (head: Head) => number
}

export interface ControlPlaneOptions extends Omit<GuardOptions, 'allowOrigins'> {
  /** The main world. */
  main: ServedWorld
  /** Token that clients must send as `Authorization: Bearer TOKEN`. */
  token?: string
  /** Resolves after the data is loaded. */
  ready: () => Promise<void>
  /** Maximum size of a request body, bytes. Snapshots have a separate limit. */
  bodyLimit: number
  /** Memory limit of the server. */
  memory?: MemoryLimit
  log: Log
}

/** Path prefix of the control plane. */
export const controlPrefix = '/_sandbox'

/** Maximum size of a snapshot, bytes. */
const maxSnapshotBytes = 256 * 1024 * 1024
/** Maximum number of open event streams. */
const maxStreams = 100
const eventsType = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** Creates the control plane of a sandbox. */
export function createControlPlane(planeOptions: ControlPlaneOptions): ControlPlane {
  const options: PlaneState = { ...planeOptions, streams: { open: 0 } }
  return {
    rejectForeignPage(head) {
      const refused = checkForeignRequest(head, options)
      return refused && createErrorReply(refused.status, refused.message)
    },
    bodyLimit(head) {
      const isAdmitted =
        findRejection(head, options) === undefined && hasControlToken(head, options.token)
      return isAdmitted && findControlRoute(head).route?.isLarge === true
        ? maxSnapshotBytes
        : options.bodyLimit
    },
    async handle(call) {
      const refused = findRejection(call, options)
      if (refused !== undefined) return createErrorReply(refused.status, refused.message)
      const isPreflight = call.method === 'OPTIONS' && call.header('origin') !== null
      const reply = isPreflight
        ? { status: 204, headers: {}, body: null }
        : await handleControlRequest(options, call)
      return { ...reply, headers: { ...reply.headers, ...createCorsHeaders(call, methods) } }
    },
  }
}

function findRejection(head: Head, options: GuardOptions): ApiError | undefined {
  return checkForeignRequest(head, options) ?? checkFetchSite(head)
}

type PlaneState = ControlPlaneOptions & { streams: { open: number } }

async function handleControlRequest(options: PlaneState, call: Call): Promise<Reply> {
  if (!hasControlToken(call, options.token))
    return createErrorReply(
      401,
      "The control token is missing or wrong. Send 'Authorization: Bearer <TOKEN>' with the " +
        'token that the server was started with.',
    )
  try {
    const { route, id, item, query } = findControlRoute(call)
    if (route === undefined)
      return createErrorReply(
        404,
        `There is no control route ${call.method} ${truncateForMessage(splitUrl(call.url).path)}. The routes ` +
          `are ${routeList}.`,
      )
    if (call.isBodyWithoutRoom === true)
      throw options.memory?.error(`${route.method} ${controlPrefix}${route.path}`)
    const limit = route.isLarge ? maxSnapshotBytes : options.bodyLimit
    if (call.isBodyTooLarge === true || getLength(call) > limit)
      return createErrorReply(413, `The request body is larger than ${limit} bytes.`)
    const { world, ...rest } = query
    const name = world === undefined ? undefined : String(world)
    const verb = `${route.method} ${controlPrefix}${route.path}`
    const input = {
      id,
      item,
      query: checkInput(route.query, rest, { verb }),
      body: readBody(call, route, verb),
    }
    if (route.skipsQueue !== true || world !== undefined) await options.ready()
    const leases: Lease[] = []
    try {
      const { uses = () => [name] } = route
      for (const each of uses({ ...input, world: name })) {
        const lease = await options.main.acquireLease(each)
        if (lease !== undefined) leases.push(lease)
      }
      const reply = await runControlRoute(options, { route, input, world: name })
      for (const lease of leases) lease.check()
      return reply
    } catch (error) {
      // Reports a lost lease instead of this error, because the world may have been closed when
      // another server took over its lease.
      for (const lease of leases) lease.check()
      throw error
    } finally {
      for (const lease of leases) lease.release()
    }
  } catch (error) {
    if (error instanceof UnavailableError) return createErrorReply(503, error.message)
    if (error instanceof MemoryLimitError) return createErrorReply(507, error.message)
    if (error instanceof TooManyRowsError) return createErrorReply(413, error.message)
    if (error instanceof NotFoundError) return createErrorReply(404, error.message, error.field)
    if (error instanceof SandboxError) return createErrorReply(400, error.message, error.field)
    options.log(
      `${call.method} ${truncateForMessage(call.url)}: ` +
        `${isError(error) ? (error.stack ?? error.message) : String(error)}`,
      'error',
    )
    return createErrorReply(
      500,
      'The control plane failed to handle the request. This is a bug in the sandbox. See the ' +
        'log of the sandbox.',
    )
  }
}

async function runControlRoute(
  options: PlaneState,
  {
    route,
    input,
    world,
  }: {
    route: ControlRoute
    input: { id: string; item: string; query: unknown; body: unknown }
    world: string | undefined
  },
): Promise<Reply> {
  // Creates a missing world only for requests that write.
  const served =
    world === undefined
      ? options.main
      : options.main.world(world, { isMade: route.method !== 'GET' })
  if (route === eventsRoute) return openEventStream(served, options.streams)
  const job = () =>
    route.run(served.control, { ...(input as Parameters<ControlRoute['run']>[1]), served })
  const acknowledge = route.method === 'GET' ? undefined : await served.admit()
  const result = await (route.skipsQueue === true
    ? job()
    : served.run(route.operation ?? null, job))
  await acknowledge?.()
  if (result instanceof TextResponse)
    return { status: 200, headers: { 'content-type': result.contentType }, body: result.text }
  return { status: 200, headers: jsonHeaders, body: await served.slice(writeJson(result)) }
}

/** Opens an event stream. Limits the number of open streams to protect the server's resources. */
function openEventStream(world: ServedWorld, streams: { open: number }): Reply {
  if (streams.open >= maxStreams)
    return createErrorReply(
      503,
      `There are already ${maxStreams} open event streams (the limit). Close some first.`,
    )
  return {
    status: 200,
    headers: eventsType,
    body: null,
    stream(send, end) {
      streams.open += 1
      const stop = streamEvents(world, send, end)
      return () => {
        streams.open -= 1
        stop()
      }
    },
  }
}

const methods = [...new Set(controlRoutes.map(({ method }) => method))]
const routeList = controlRoutes
  .map(({ method, path }) => `${method} ${controlPrefix}${path.replace(/:(\w+)/g, '{$1}')}`)
  .join(', ')

/**
 * Finds the control route for a request. In a path such as `/data/posts/7`, `id` is the second
 * segment and `item` the third.
 */
function findControlRoute({ method, url }: Pick<Head, 'method' | 'url'>): {
  route: ControlRoute | undefined
  id: string
  item: string
  query: Record<string, string | string[]>
} {
  const { path: wholePath } = splitUrl(url)
  const path = wholePath.slice(controlPrefix.length)
  const [, parent = '', id = '', item = ''] = /^(\/\w+)\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []
  const isIt = (candidate: ControlRoute) =>
    candidate.path === path ||
    (parent !== '' &&
      candidate.path.startsWith(`${parent}/:`) &&
      candidate.path.split('/').length === path.split('/').length)
  const route = controlRoutes.find((candidate) => candidate.method === method && isIt(candidate))
  return {
    route,
    id: decodeUrlPart(id),
    item: decodeUrlPart(item),
    query: parseQuery(url.slice(wholePath.length)),
  }
}

function getLength({ bytes, body }: Call): number {
  return bytes === undefined ? (body ?? '').length : countBytes(toChunks(bytes))
}

function readBody(
  sent: Call,
  { body: schema, isBodyOptional = false }: ControlRoute,
  verb: string,
): unknown {
  const call = decodeBody(sent)
  if (call.body === null && (schema === null || isBodyOptional)) return undefined
  if (call.body === null)
    throw new SandboxError(`Failed to ${verb}: the request has no body. Send JSON.`)
  // Requires this content type to block HTML forms from other sites, which browsers send without a
  // preflight.
  const problem = findJsonBodyProblem(call)
  if (problem !== undefined)
    throw new SandboxError(
      `Failed to ${verb}: ${problem}. A body must be JSON in UTF-8 with ` +
        `Content-Type: application/json.`,
    )
  const body = parse(call.body, verb)
  if (schema !== null) return checkInput(schema, body, { verb })
  if (typeof body !== 'object' || body === null || Object.keys(body).length > 0)
    throw new SandboxError(
      `Failed to ${verb}: this route accepts no body. Send the request without one.`,
    )
  return undefined
}

function parse(text: string, verb: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SandboxError(`Failed to ${verb}: the body is not well-formed JSON.`, { cause: error })
  }
}
