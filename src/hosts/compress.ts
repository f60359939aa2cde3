import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Reply } from '../api/route.ts'
import { isBytes } from '../lib/realms.ts'

/** Minimum size of compressed bodies, bytes. */
const minLength = 1_024
/**
 * Maximum size of compressed bodies, bytes. Larger bodies, such as snapshots, would need memory for
 * compression that the memory limit does not count.
 */
const maxLength = 1_048_576
/**
 * gzip level. Level 3 compresses `/openapi.json` to a seventh of its size in 10 ms, in a worker
 * thread.
 */
const level = 3
const compressible = /^(?:text\/(?!event-stream)|application\/json|image\/svg)/

/** Compresses a text response with gzip. */
export async function compressReply(reply: Reply): Promise<Reply> {
  const { body, headers } = reply
  const isWhole = typeof body === 'string' || isBytes(body)
  if (!isWhole || body.length < minLength || body.length > maxLength) return reply
  // Files are not compressed, because they have a fixed length and byte ranges.
  const isFile = headers['content-length'] !== undefined
  if (isFile || !compressible.test(headers['content-type'] ?? '')) return reply
  return {
    ...reply,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: await toGzip(body, { level }),
  }
}

const toGzip = promisify<string | Uint8Array, { level: number }, Buffer>(gzip)
