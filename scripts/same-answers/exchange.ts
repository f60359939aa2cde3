import { createHash } from 'node:crypto'
import { maskBody } from './mask.ts'

/**
 * A request with its response, or an observed value other than a response. Values have no status.
 */
export interface Exchange {
  request: string
  status: number
  headers: Record<string, string>
  readonly body: string
  /** SHA-1 of a long body. The text of the body is built only when it is shown. */
  sum?: string
}

/** A named group of exchanges. One digest is recorded for each group. */
export interface Observation {
  name: string
  exchanges: Exchange[]
}

/** Creates an exchange for an observation that is not a request, such as the rows of a table. */
export function toExchange(request: string, value: unknown): Exchange {
  return { request, status: 0, headers: {}, body: JSON.stringify(value) ?? 'undefined' }
}

/** Reads the response to a request, with a binary body replaced by its SHA-1. */
export async function readResponse(request: string, response: Response): Promise<Exchange> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type') ?? ''
  const isText = bytes.length === 0 || /json|text|yaml|xml|html/.test(type)
  const body = isText
    ? bytes.toString()
    : `sha1 ${createHash('sha1').update(bytes).digest('hex')} of ${bytes.length} bytes`
  return {
    request,
    status: response.status,
    headers: Object.fromEntries([...response.headers].sort()),
    body: maskBody(body),
  }
}

/** Returns a shortened SHA-1 hash of exchanges. */
export function computeDigest(exchanges: readonly Exchange[]): string {
  const hash = createHash('sha1')
  for (const exchange of exchanges) {
    const { request, status, headers, sum } = exchange
    hash.update(`${JSON.stringify([request, status, headers])}\n${sum ?? exchange.body}\n`)
  }
  return hash.digest('hex').slice(0, 7)
}
