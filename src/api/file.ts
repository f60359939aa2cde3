import { createApiError } from '../errors.ts'
import { countBytes } from '../lib/chunks.ts'
import type { Call, Reply, SentFile } from './route.ts'
import { createErrorReply } from './envelope.ts'
import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'

/** A file that a client uploaded. Its bytes are not stored. */
export class UploadedFile {
  /** Bytes. */
  readonly size: number
  readonly md5: string

  constructor(size: number, md5: string) {
    this.size = size
    this.md5 = md5
  }
}

/** Counts and hashes the bytes of an uploaded file. */
export async function readUploadedFile(chunks: readonly Uint8Array[]): Promise<UploadedFile> {
  return new UploadedFile(countBytes(chunks), await computeMd5(chunks))
}

/** Loads the bytes of a file that belongs to this package. */
export type FileLoader = (file: string) => Promise<Uint8Array>

/** Returns the whole file or the part selected by `Range`. For `HEAD`, returns only the headers. */
export async function serveFile(
  call: Call,
  { file, contentType }: SentFile,
  load: FileLoader,
): Promise<Reply> {
  const bytes = await load(file)
  const headers = {
    'content-type': contentType,
    'accept-ranges': 'bytes',
    'cache-control': 'private',
  }
  // RFC 9110 defines Range for GET only.
  const range = call.method === 'GET' ? parseRange(call.header('range'), bytes.length) : undefined
  if (range === 'unsatisfiable') {
    const { status, message } = createApiError('range_unsatisfiable', {
      range: call.header('range') ?? '',
      size: bytes.length,
    })
    const refusal = createErrorReply(status, message)
    return {
      ...refusal,
      headers: { ...headers, ...refusal.headers, 'content-range': `bytes */${bytes.length}` },
    }
  }
  const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
  const partHeaders: Record<string, string> =
    range === undefined
      ? {}
      : { 'content-range': `bytes ${range.start}-${range.end}/${bytes.length}` }
  return {
    status: range === undefined ? 200 : 206,
    headers: { ...headers, ...partHeaders, 'content-length': String(part.length) },
    body: call.method === 'HEAD' ? null : part,
  }
}

/**
 * Parses a `Range` header with a single range: `bytes=0-99`, `bytes=100-` or `bytes=-100` (the last
 * 100 bytes). Returns undefined if the header is missing or has a form that RFC 9110 allows servers
 * to ignore.
 */
function parseRange(
  header: string | null,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (match === null) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Number(last)
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/**
 * Number of bytes to hash before each pause. Hashing this many bytes in JavaScript takes about 20
 * ms.
 */
const pieceBytes = 1_048_576

/** Hashes the chunks of a file, with a pause after each MiB. Returns hexadecimal digits. */
async function computeMd5(chunks: readonly Uint8Array[]): Promise<string> {
  const hash = createHash()
  let hashed = 0
  for (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      // A view of this realm, because the hash rejects a `Uint8Array` or `Buffer` of another one.
      const length = Math.min(pieceBytes, chunk.length - start)
      const piece = new Uint8Array(chunk.buffer, chunk.byteOffset + start, length)
      hashed += piece.length
      if (hashed > pieceBytes) {
        hashed = piece.length
        await yieldToEventLoop()
      }
      hash.update(piece)
    }
  }
  // A digest of Node.js is a `Buffer` of the main realm.
  return bytesToHex(new Uint8Array(hash.digest()))
}

interface Hash {
  update: (bytes: Uint8Array) => unknown
  digest: () => Uint8Array
}

/**
 * Returns Node.js's built-in hash, which is five times faster than the JavaScript implementation
 * used in browsers.
 */
function createHash(): Hash {
  const { process } = globalThis as {
    process?: {
      getBuiltinModule?: (name: 'node:crypto') => { createHash: (name: string) => Hash } | undefined
    }
  }
  return process?.getBuiltinModule?.('node:crypto')?.createHash('md5') ?? md5.create()
}
