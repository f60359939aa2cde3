import type { IncomingMessage, ServerResponse } from 'node:http'
import { createErrorReply } from '../api/envelope.ts'
import { mebibyte } from '../world/memory-limit.ts'
import type { MemoryLimit } from '../world/memory-limit.ts'
import { countBytes, takeFirstHalf } from '../lib/chunks.ts'
import type { AbortNotifier, Call, Reply } from '../api/route.ts'
import { isBytes } from '../lib/realms.ts'

export interface NodeRequestHandler {
  handle: (call: Call) => Promise<Reply>
  /** Maximum size of a request body, bytes. Longer bodies are discarded. */
  bodyLimit: (head: Pick<Call, 'method' | 'url' | 'header'>) => number
  /** Memory limit of the server. Bodies and responses in flight count towards it. */
  memory?: MemoryLimit | undefined
}

/**
 * Handles a Node.js request. `parsed` is the body if a middleware may have read it already. Throws
 * no error if the client disconnects.
 */
export async function handleNodeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { handle, bodyLimit, memory, parsed }: NodeRequestHandler & { parsed?: unknown },
): Promise<void> {
  const { headers } = request
  const call = toCall(request, response)
  const problem = findReadBodyProblem(request, parsed)
  if (problem !== undefined) {
    sendReply(response, createErrorReply(500, problem))
    return
  }
  if (!hasBody(headers) && !isMockWithBody(request, parsed)) {
    sendReply(response, await handle(call), { memory })
    return
  }
  const held = new HeldMemory(memory)
  try {
    const limit = isShort(headers['content-length']) ? shortBody : bodyLimit(call)
    const body = await readBody(request, { limit, parsed, held })
    const isDropped = body === tooLarge || body === withoutRoom
    if (isDropped) {
      call.isBodyTooLarge = body === tooLarge
      call.isBodyWithoutRoom = body === withoutRoom
    } else putBody(call, body)
    const reply = await handle(call)
    sendReply(response, reply, { memory, isLast: isDropped && !request.readableEnded })
  } catch (error) {
    if (!(error instanceof AbortedRequest)) throw error
    response.destroy()
  } finally {
    held.release()
  }
}

/**
 * Bodies up to this size, in bytes, are read without looking up the route's limit. The lookup would
 * take longer than reading the body.
 */
const shortBody = 16_384

function isShort(contentLength: string | undefined): boolean {
  return Number(contentLength) <= shortBody
}

/**
 * @note Sets all fields at once. Adding a field later, or spreading the object, would slow down
 * each request.
 */
function toCall(request: IncomingMessage, response: ServerResponse): Call {
  const { method = 'GET', url = '/', headers } = request
  return {
    method,
    url,
    header: (name) => toSingleValue(headers[name]),
    headers: () => headers,
    body: null,
    bytes: undefined,
    isBodyTooLarge: false,
    isBodyWithoutRoom: false,
    signal: new ConnectionSignal(response),
  }
}

/** Reports that the client disconnected. An `AbortController` for each request would be slow. */
class ConnectionSignal implements AbortNotifier {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  get aborted(): boolean {
    return this.#response.destroyed
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#response.on('close', listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#response.off('close', listener)
  }
}

/** Returns the head of a request. */
export function createCallHead({
  method = 'GET',
  url = '/',
  headers,
}: IncomingMessage): Pick<Call, 'method' | 'url' | 'header' | 'headers'> {
  return { method, url, header: (name) => toSingleValue(headers[name]), headers: () => headers }
}

/**
 * Rejects requests with several `Host` headers. Also rejects requests without a `Host` header,
 * except for HTTP/1.0 (RFC 9112 §3.2).
 */
export function rejectInvalidHost({
  httpVersion,
  rawHeaders,
  headers,
}: Omit<IncomingMessage, 'rawHeaders'> & { rawHeaders?: string[] }): Reply | undefined {
  let hosts = 0
  // Mocks of requests have no raw headers, and usually no host.
  if (rawHeaders === undefined) return undefined
  // Adapters for serverless functions have no raw headers either.
  if (rawHeaders.length === 0) hosts = headers.host === undefined ? 0 : 1
  else
    for (let index = 0; index < rawHeaders.length; index += 2)
      if (isHost(rawHeaders[index] ?? '')) hosts += 1
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined
  const found = hosts === 0 ? 'no Host header' : 'more than one Host header'
  return createErrorReply(400, `The request has ${found}.`)
}

function isHost(name: string): boolean {
  return name.length === 'host'.length && name.toLowerCase() === 'host'
}

/**
 * Replaces a request target in absolute form, `http://host/v1/…`, with a path and a `Host` header
 * (RFC 9112 §3.2.2). Clients send the absolute form to proxies.
 */
export function normaliseRequestTarget(request: IncomingMessage): void {
  // Mocks of requests usually have no host.
  if ((request as Partial<IncomingMessage>).rawHeaders === undefined)
    request.headers.host ??= 'localhost'
  if (request.url?.startsWith('/') === true) return
  const [target, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(request.url ?? '') ?? []
  if (target === undefined) return
  const rest = (request.url ?? '').slice(target.length)
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  request.headers.host = host
}

/**
 * Handles a request after the earlier requests on its connection, as RFC 9112 §9.3.2 requires. By
 * then, Node.js has assigned the socket to this request's response.
 */
export function runInConnectionOrder(response: ServerResponse, run: () => void): void {
  if (response.socket !== null) run()
  else response.once('socket', () => run())
}

/**
 * Headers of every response. They prevent browsers from treating JSON or a file as an HTML page.
 */
export const safeHeaders = { 'x-content-type-options': 'nosniff' } as const

/** Options for sending a response. */
interface SendReplyOptions {
  /** Memory limit of the server, which counts long responses until they are sent. */
  memory?: MemoryLimit | undefined
  /** True to close the connection after the response, because part of the request was not read. */
  isLast?: boolean
}

/** Writes a reply. */
export function sendReply(
  response: ServerResponse,
  reply: Reply,
  { memory, isLast = false }: SendReplyOptions = {},
): void {
  const { status, headers, body, cut, stream } = reply
  if (cut === 'before') {
    response.destroy()
    return
  }
  if (stream !== undefined) {
    response.writeHead(status, { ...safeHeaders, ...headers })
    response.flushHeaders()
    // Disconnects clients that do not read, because unsent text would accumulate.
    const stop = stream(
      (text) => (response.writableLength > maxUnsent ? response.destroy() : response.write(text)),
      () => response.end(),
    )
    response.on('close', stop)
    return
  }
  const length = body === null ? 0 : getBodyLength(body)
  if (memory !== undefined && length >= shortReply) {
    // Responses to writes are always sent, because the write has already taken effect.
    if (response.req.method === 'GET' && !memory.hasRoomForResponse(length)) {
      sendReply(response, createMemoryRejection(memory), { isLast })
      return
    }
    holdResponseMemory(length, response, memory)
  }
  // An object, because middleware that replaces `writeHead`, such as on-headers before 1.1, drops the
  // headers of a flat list.
  const head: Record<string, string> = { ...safeHeaders, ...headers }
  if (body !== null) head['content-length'] ??= String(length)
  if (isLast) head['connection'] = 'close'
  response.writeHead(status, head)
  if (cut === 'midway')
    response.write(takeFirstHalf(body), () => {
      // A response that is not sent through a socket, as in serverless functions, has no reset.
      response.socket?.resetAndDestroy?.()
      response.destroy()
    })
  else if (typeof body === 'string' && length >= shortReply)
    // Sends bytes, because Node.js keeps the data in memory until it is sent, and a string may take
    // twice the space.
    response.end(Buffer.from(body))
  else if (body === null || typeof body === 'string' || isBytes(body)) response.end(body)
  else sendPieces(response, body, length)
}

/**
 * Maximum size of a body to concatenate, bytes. Copying a longer body takes more time than sending
 * its chunks separately.
 */
const maxJoinedLength = 8_192

function sendPieces(response: ServerResponse, pieces: readonly Uint8Array[], length: number): void {
  if (length <= maxJoinedLength) {
    // Node.js sends a Latin-1 string in the same packet as the headers.
    response.end(Buffer.concat(pieces, length).toString('latin1'), 'latin1')
    return
  }
  response.cork()
  for (const piece of pieces) response.write(piece)
  response.end()
}

function getBodyLength(body: string | Uint8Array | readonly Uint8Array[]): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return isBytes(body) ? body.length : countBytes(body)
}

/**
 * Memory used per byte of a body in flight: for its chunk, the joined body, and the parsed value.
 */
const bytesPerByte = 4
/** Minimum size of responses that count towards the memory limit, bytes. */
const shortReply = 65_536

/** The memory reserved for a body in flight. */
class HeldMemory {
  readonly #memory: MemoryLimit | undefined
  #bytes = 0

  constructor(memory: MemoryLimit | undefined) {
    this.#memory = memory
  }

  /** Reserves memory for a body chunk. Returns false if the limit is reached. */
  take(length: number): boolean {
    this.#bytes += length * bytesPerByte
    this.#memory?.hold(length * bytesPerByte)
    return this.#memory?.isFull !== true
  }

  release(): void {
    this.#memory?.hold(-this.#bytes)
    this.#bytes = 0
  }
}

/** Counts a long response towards the memory limit until it is sent. */
function holdResponseMemory(length: number, response: ServerResponse, memory: MemoryLimit): void {
  if (response.destroyed) return
  memory.holdResponse(length)
  response.once('close', () => memory.holdResponse(-length))
}

function createMemoryRejection({ limit }: MemoryLimit): Reply {
  return createErrorReply(
    503,
    'Unread responses have used up their share of the memory limit of ' +
      `${Math.round(limit / mebibyte)} MB (--max-memory, maxMemory). Read these responses to the ` +
      'end, or close their connections, then send the request again.',
  )
}

class AbortedRequest extends Error {
  override readonly name = 'AbortedRequest'
}

/** Maximum number of unsent bytes in a stream. */
const maxUnsent = mebibyte

/**
 * Maximum size of a request body to join, bytes. Joining the 64 MiB of an upload would block the
 * server for up to 300 ms.
 */
const maxJoinedBody = mebibyte

/** The body of a request. A long one is in chunks. */
type Body = Uint8Array | readonly Uint8Array[] | string | null

const tooLarge = Symbol('too large')
const withoutRoom = Symbol('without room')

/**
 * Maximum number of bytes to read and discard after the size limit is exceeded. Most clients do not
 * read the response until they have sent the whole body.
 */
const drainedBytes = 64 * 1024 * 1024

function readBody(
  request: IncomingMessage,
  { limit, parsed, held }: { limit: number; parsed: unknown; held: HeldMemory },
): Promise<Body | typeof tooLarge | typeof withoutRoom> {
  // Body-parser 1 sets `body` to `{}` without reading the stream.
  if (!isUnread(request))
    return Promise.resolve(parsed === undefined ? null : serialiseParsedBody(parsed))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let hasRoom = true
    let isRead = false
    const finish = (body: Body | typeof tooLarge | typeof withoutRoom) => {
      isRead = true
      resolve(body)
    }
    // Creates the error only if needed. Every request emits `close`, and capturing a stack trace is
    // slow.
    const leave = (cause?: unknown) => {
      if (!isRead) reject(new AbortedRequest('The client disconnected.', { cause }))
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit && hasRoom) hasRoom = held.take(chunk.length)
      if (size <= limit && hasRoom) chunks.push(chunk)
      else {
        chunks.length = 0
        held.release()
      }
      if (size <= limit + drainedBytes) return
      request.pause()
      finish(hasRoom ? tooLarge : withoutRoom)
    })
    request.on('end', () => {
      if (!hasRoom) finish(withoutRoom)
      else if (size > limit) finish(tooLarge)
      else if (size === 0) finish(null)
      else if (chunks.length === 1 && chunks[0] !== undefined) finish(chunks[0])
      else finish(size > maxJoinedBody ? chunks : Buffer.concat(chunks, size))
    })
    request.on('error', leave)
    request.on('close', leave)
  })
}

/** True if nothing has read the body yet. Mocks of requests are no streams. */
function isUnread(request: IncomingMessage): boolean {
  return request.readable && !request.readableDidRead
}

/**
 * Returns why the body cannot be restored from what a middleware parsed, or undefined. JSON and
 * bytes can be restored.
 */
function findReadBodyProblem(request: IncomingMessage, parsed: unknown): string | undefined {
  const { headers } = request
  if (isUnread(request) || isBytes(parsed) || !hasBody(headers)) return undefined
  const type = headers['content-type'] ?? ''
  if (parsed !== undefined && /^application\/(?:json|[^;]+\+json)\s*(?:;|$)/i.test(type))
    return undefined
  return (
    `Middleware before the sandbox has read a body of type ${type.slice(0, 100) || '(none)'}, which ` +
    'cannot be restored. Mount the sandbox before that middleware, or use express.json() or ' +
    'express.raw().'
  )
}

/** True for a mock of a request with a body, such as those of node-mocks-http. Mocks have no raw headers. */
function isMockWithBody(request: IncomingMessage, parsed: unknown): boolean {
  const { rawHeaders, headers }: Partial<IncomingMessage> = request
  return rawHeaders === undefined && parsed !== undefined && headers?.['content-type'] !== undefined
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Converts a parsed body back to the text or bytes that the pipeline reads. */
function serialiseParsedBody(parsed: unknown): Uint8Array | string {
  return typeof parsed === 'string' || isBytes(parsed) ? parsed : JSON.stringify(parsed)
}

function putBody(call: Call, body: Body): void {
  if (typeof body === 'string' || body === null) call.body = body
  else call.bytes = body
}

function toSingleValue(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}
