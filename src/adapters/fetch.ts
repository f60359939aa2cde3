import { concatenate, firstHalf } from '../engine/json-bytes.ts'
import type { Call, Reply } from '../engine/route.ts'

/** The part of a sandbox that answers calls. */
export interface Answering {
  readonly baseUrl: string
  handle: (call: Call) => Promise<Reply>
}

// A byte order mark stays, as in the Node server: JSON with one is malformed.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Makes a function with the signature of `fetch` that sends requests to the sandbox and never to the network. */
export function createFetch(sandbox: Answering): (input: RequestInfo | URL, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = new Request(input, init)
    const reply = await sandbox.handle(await toCall(request, sandbox.baseUrl))
    if (reply.cut === 'before') throw new TypeError(`fetch failed: ${cutMessage}`)
    return toResponse(reply, request.method)
  }
}

/** Converts a web request to the base address to a call. */
export async function toCall(request: Request, baseUrl: string): Promise<Call> {
  const { url, method, headers } = request
  const rest = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url.replace(/^[a-z]+:\/\/[^/?#]+/i, '')
  const bytes = method === 'GET' || method === 'HEAD' ? new Uint8Array() : new Uint8Array(await request.arrayBuffer())
  const body = bytes.length === 0 ? null : decoder.decode(bytes)
  return { method, url: rest.replace(/#.*$/s, ''), header: (name) => headers.get(name), body, bytes }
}

/** Converts a reply to a web response to a request with this method. */
export function toResponse({ status, headers, body, cut }: Reply, method: string): Response {
  if (method === 'HEAD') return new Response(null, { status, headers })
  if (cut === 'midway') return new Response(cutShort(firstHalf(body)), { status, headers })
  return new Response(Array.isArray(body) ? concatenate(body) : (body as BodyInit | null), { status, headers })
}

const cutMessage = 'the sandbox was told to cut the connection'

/** A body that fails behind these bytes. */
function cutShort(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = false
  return new ReadableStream({
    pull(controller) {
      // An error would take back what waits to be read: it comes when somebody reads on.
      if (isSent) controller.error(new TypeError(`terminated: ${cutMessage}`))
      else controller.enqueue(bytes)
      isSent = true
    },
  })
}
