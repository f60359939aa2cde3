import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Reply } from '../api/route.ts'

/** Minimum size of a body to compress, bytes. */
const minLength = 1_024
/**
 * Maximum size of a body to compress, bytes. The memory for compressing larger ones, such as
 * snapshots, would not be counted.
 */
const maxLength = 1_048_576
/** Level 3 makes `/openapi.json` seven times smaller in 10 ms of a worker thread. */
const level = 3
const compressible = /^(?:text\/(?!event-stream)|application\/json|image\/svg)/

/** Compresses the text of an answer with gzip. */
export async function compress(reply: Reply): Promise<Reply> {
  const { body, headers } = reply
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  if (!isWhole || body.length < minLength || body.length > maxLength) return reply
  // Files have their own length and ranges.
  const isFile = headers['content-length'] !== undefined
  if (isFile || !compressible.test(headers['content-type'] ?? '')) return reply
  return {
    ...reply,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: await toGzip(body, { level }),
  }
}

const toGzip = promisify<string | Uint8Array, { level: number }, Buffer>(gzip)
