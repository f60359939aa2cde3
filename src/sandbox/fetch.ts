import statuses from 'statuses'
import { joinChunks, takeFirstHalf } from '../lib/chunks.ts'
import { publicHost } from '../world/public-files.ts'
import type { Call, Reply } from '../api/route.ts'
import { trimStackToCaller, SandboxError } from '../errors.ts'
import { serveUserPicture } from '../pictures/serve-pictures.ts'
import { createPreflightResponse, shareWithPages } from './cors.ts'
import { web } from '../lib/node-globals.ts'

/** The part of a sandbox that handles requests. */
export interface CallHandler {
  readonly baseUrl: string
  /** Accepts a promise while the host reads the body of the request. */
  handle: (call: Call | Promise<Call>) => Promise<Reply>
}

/** The type of the global `fetch`, taken from the types of Node.js, Bun, Deno or browsers. */
export type Fetch = typeof globalThis extends {
  fetch: infer Global extends (...args: never[]) => unknown
}
  ? (...args: Parameters<Global>) => ReturnType<Global>
  : (input: string, init?: object) => Promise<unknown>

const statusTexts: Readonly<Partial<Record<number, string>>> = statuses.message

/**
 * Creates a `fetch` that sends requests to the sandbox and never to the network. You can pass it to
 * `Bun.serve` and `Deno.serve` if `baseUrl` is the server's URL.
 *
 * @throws {SandboxError} if the URL is outside the base URL. {DOMException} if the signal aborts
 * the request.
 */
export function createFetch(sandbox: CallHandler): Fetch {
  return async function fetchOfSandbox(input, init) {
    const request = new web.Request(input, init && pickRequestOptions(init))
    const { url, method, signal } = request
    const isPublic = isUnder(url, publicHost)
    if (!isPublic && !isUnder(url, sandbox.baseUrl)) {
      const problem = `the sandbox only handles URLs that start with ${sandbox.baseUrl} or ${publicHost}`
      const error = new SandboxError(
        `Failed to fetch (${url.slice(0, 200)}): ${problem}. Use one of these, or change the ` +
          'option baseUrl.',
      )
      throw trimStackToCaller(error, fetchOfSandbox)
    }
    signal.throwIfAborted()
    const isFromPage = request.headers.has('origin')
    if (isFromPage && method === 'OPTIONS') return createPreflightResponse(request)
    const answer = isPublic
      ? toCall(request, publicHost).then((call) => serveUserPicture(call))
      : sandbox.handle(toCall(request, sandbox.baseUrl))
    const reply = await waitUnlessAborted(answer, signal)
    if (reply.cut === 'before') throw createConnectionError('fetch failed')
    const response = toResponse(reply, method)
    return Object.defineProperty(isFromPage ? shareWithPages(response) : response, 'url', {
      value: url.replace(/#.*$/s, ''),
      enumerable: true,
    })
  }
}

/**
 * Copies only request options. `Bun.serve` and `Deno.serve` pass the server as the second argument,
 * and Bun would use the server's `url` for the request.
 */
function pickRequestOptions(init: object): RequestInit {
  const options = init as Record<string, unknown>
  return Object.fromEntries(
    optionNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  )
}

const optionNames = [
  'method',
  'headers',
  'body',
  'duplex',
  'signal',
  'mode',
  'credentials',
  'cache',
  'redirect',
  'referrer',
  'referrerPolicy',
  'integrity',
  'keepalive',
  'priority',
  'window',
  'dispatcher',
]

/** True if a URL is under the base URL. */
function isUnder(url: string, baseUrl: string): boolean {
  return url.startsWith(baseUrl) && /^(?:[/?#]|$)/.test(url.slice(baseUrl.length))
}

/** Waits for a response, or rejects with the signal's reason if the signal aborts first. */
async function waitUnlessAborted<Value>(
  answer: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([answer, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/**
 * Converts a web request under the base URL to a call.
 *
 * @internal
 */
export async function toCall(request: Request, baseUrl: string): Promise<Call> {
  const { url, method, headers, signal } = request
  const rest = url.startsWith(baseUrl)
    ? url.slice(baseUrl.length)
    : url.replace(/^[a-z]+:\/\/[^/?#]+/i, '')
  const bytes =
    method === 'GET' || method === 'HEAD'
      ? new Uint8Array()
      : new Uint8Array(await request.arrayBuffer())
  return {
    method,
    url: rest.replace(/#.*$/s, ''),
    header: (name) => headers.get(name),
    headers: () => Object.fromEntries(headers),
    body: null,
    bytes,
    signal,
  }
}

/**
 * Converts a reply to a web response. `method` is the request method.
 *
 * @internal
 */
export function toResponse({ status, headers, body, cut }: Reply, method: string): Response {
  const head = { status, statusText: statusTexts[status] ?? '', headers }
  if (method === 'HEAD') return new web.Response(null, head)
  if (cut === 'midway') return new web.Response(createFailingBody(takeFirstHalf(body)), head)
  return new web.Response(Array.isArray(body) ? joinChunks(body) : (body as BodyInit | null), head)
}

/**
 * Creates the error that `fetch` throws for a closed connection. Retry libraries compare the whole
 * message, so it must be exact.
 */
function createConnectionError(message: 'fetch failed' | 'terminated'): TypeError {
  return new TypeError(message, { cause: createConnectionReset() })
}

/**
 * Creates the `cause` of errors that report a closed connection.
 *
 * @internal
 */
export function createConnectionReset(): Error & { code: string } {
  const reason = new Error('A fault of the sandbox closed the connection.')
  return Object.assign(reason, { code: 'ECONNRESET' })
}

/** Creates a body that fails after the given bytes. */
function createFailingBody(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = false
  return new web.ReadableStream({
    pull(controller) {
      // Fails on the read after the data, because an error discards unread data.
      if (isSent) controller.error(createConnectionError('terminated'))
      else controller.enqueue(bytes)
      isSent = true
    },
  })
}
