import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Reply } from '../api/route.ts'

/** Minimum size of a body to compress, bytes. */
const minLength = 1_024
/**
 * Maximum size of a body to compress, bytes. Larger bodies, such as snapshots, would need memory
 * that is not counted.
 */
const maxLength = 1_048_576
/**
 * Level 3 reduces the size of `/openapi.json` to a seventh. This takes 10 ms in a worker thread.
 */
const level = 3
const compressible = /^(?:text\/(?!event-stream)|application\/json|image\/svg)/

/** Compresses the text of a response with gzip. */
export async function compressReply(reply: Reply): Promise<Reply> {
  const { body, headers } = reply
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  if (!isWhole || body.length < minLength || body.length > maxLength) return reply
  // Files are not compressed, because they have their own length and byte ranges.
  const isFile = headers['content-length'] !== undefined
  if (isFile || !compressible.test(headers['content-type'] ?? '')) return reply
  return {
    ...reply,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: await toGzip(body, { level }),
  }
}

const toGzip = promisify<string | Uint8Array, { level: number }, Buffer>(gzip)
