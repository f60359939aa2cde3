import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Reply } from '../api/route.ts'

/** Shorter bodies are sent as they are, bytes. */
const minLength = 1_024
/**
 * Longer bodies are sent as they are, bytes: large snapshots that wait to be compressed would take
 * memory that nothing counts.
 */
const maxLength = 1_048_576
/** Level 3 makes `/openapi.json` seven times smaller in 10 ms of a worker thread. */
const level = 3
const compressible = /^(?:text\/(?!event-stream)|application\/json|image\/svg)/

/** Compresses the text of an answer if the client accepts gzip. */
export async function compress(acceptEncoding: string | null, reply: Reply): Promise<Reply> {
  const { body, headers } = reply
  // A file brings its length and its ranges.
  const isFile = headers['content-length'] !== undefined
  if (isFile || !compressible.test(headers['content-type'] ?? '')) return reply
  const varied = { ...headers, vary: joinVary(headers['vary']) }
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  const isFit = isWhole && body.length >= minLength && body.length <= maxLength
  if (!isFit || !acceptsGzip(acceptEncoding ?? '')) return { ...reply, headers: varied }
  return {
    ...reply,
    headers: { ...varied, 'content-encoding': 'gzip' },
    body: await toGzip(body, { level }),
  }
}

const toGzip = promisify<string | Uint8Array, { level: number }, Buffer>(gzip)

/** True if an `Accept-Encoding` names gzip or `*` and does not refuse it by `q=0`. */
function acceptsGzip(acceptEncoding: string): boolean {
  const qualities = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...parameters] = part.toLowerCase().replaceAll(' ', '').split(';')
      const quality = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1'
      return [name, Number(quality)]
    }),
  )
  return (qualities.get('gzip') ?? qualities.get('*') ?? 0) > 0
}

function joinVary(vary: string | undefined): string {
  return vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`
}
