import type { IncomingMessage, ServerResponse } from 'node:http'
import { firstHalf, sizeOf, toPieces } from '../engine/json-bytes.ts'
import type { Call, Reply } from '../engine/route.ts'

/** What answers the calls of a Node server. */
export interface Answerer {
  handle: (call: Call) => Promise<Reply>
  /** The largest body to read for a request, bytes. A longer body is dropped. */
  bodyLimit: (head: Pick<Call, 'method' | 'url' | 'header'>) => number
}

/** Answers a Node request. `parsed` is the body where a middleware has read it already. A client that goes away is no error. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { handle, bodyLimit, parsed }: Answerer & { parsed?: unknown },
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request
  const head = { method, url, header: (name: string) => single(headers[name]) }
  try {
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    const body = hasBody ? await readBody(request, bodyLimit(head), parsed) : null
    const reply = await handle({ ...head, ...toBody(body === tooLarge ? null : body), isBodyTooLarge: body === tooLarge })
    send(response, reply, body === tooLarge && !request.readableEnded)
  } catch (error) {
    if (!(error instanceof AbortedRequest)) throw error
    response.destroy()
  }
}

/**
 * Reads a request target in absolute form, `http://host/v1/…`, as clients send it to a proxy: afterwards the request has the usual form,
 * and the host of the target as its `Host` (RFC 9112 §3.2.2).
 */
export function readTarget(request: IncomingMessage): void {
  const [target, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(request.url ?? '') ?? []
  if (target === undefined) return
  const rest = (request.url ?? '').slice(target.length)
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  request.headers.host = host
}

/** Writes a reply. `isLast` closes the connection afterwards, because the rest of the request was not read. */
export function send(response: ServerResponse, { status, headers, body, cut, stream }: Reply, isLast = false): void {
  if (cut === 'before') {
    response.destroy()
    return
  }
  if (stream !== undefined) {
    response.writeHead(status, { ...headers })
    response.flushHeaders()
    // A client that does not read loses its connection, because the unsent text would pile up.
    const stop = stream(
      (text) => (response.writableLength > mostUnsent ? response.destroy() : response.write(text)),
      () => response.end(),
    )
    response.on('close', stop)
    return
  }
  const pieces = toPieces(body)
  const length = body === null ? {} : { 'content-length': sizeOf(pieces) }
  response.writeHead(status, { ...length, ...headers, ...(isLast ? { connection: 'close' } : {}) })
  if (cut === 'midway') {
    response.write(firstHalf(body), () => response.socket?.resetAndDestroy())
    return
  }
  response.cork()
  for (const piece of pieces) response.write(piece)
  response.end()
}

class AbortedRequest extends Error {
  override readonly name = 'AbortedRequest'
}

/** The most bytes of a stream that may wait for a client. */
const mostUnsent = 4 * 1024 * 1024

const tooLarge = Symbol('too large')

/** The most bytes beyond the limit that are read and dropped. Most clients read the answer only after they have sent the whole body. */
const drainedBytes = 64 * 1024 * 1024

function readBody(request: IncomingMessage, limit: number, parsed: unknown): Promise<Buffer | string | null | typeof tooLarge> {
  if (parsed !== undefined) return Promise.resolve(unparse(parsed))
  if (request.readableEnded) return Promise.resolve(null)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else chunks.length = 0
      if (size <= limit + drainedBytes) return
      request.pause()
      resolve(tooLarge)
    })
    request.on('end', () => resolve(size > limit ? tooLarge : size === 0 ? null : Buffer.concat(chunks)))
    request.on('error', (cause) => reject(new AbortedRequest('The client went away.', { cause })))
    request.on('close', () => reject(new AbortedRequest('The client went away.')))
  })
}

/** Restores a body that a middleware has parsed. */
function unparse(parsed: unknown): Buffer | string {
  return typeof parsed === 'string' || Buffer.isBuffer(parsed) ? parsed : JSON.stringify(parsed)
}

function toBody(body: Buffer | string | null): Pick<Call, 'body' | 'bytes'> {
  return Buffer.isBuffer(body) ? { body: body.toString('utf8'), bytes: body } : { body }
}

function single(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}
