import { createHash } from 'node:crypto'
import { maskBody } from './mask.ts'

/** A request and its response, or another observed value without a status. */
export interface Exchange {
  request: string
  status: number
  headers: Record<string, string>
  readonly body: string
  /** The SHA-1 of a long body, which is only built if it is shown. */
  sum?: string
}

/** Exchanges with a common name, whose digest is recorded. */
export interface Observation {
  name: string
  /** The operation of the request, if there is one. */
  operation?: string
  exchanges: Exchange[]
}

/** Creates an exchange for something other than a request, such as the rows of a table. */
export function toExchange(request: string, value: unknown): Exchange {
  return { request, status: 0, headers: {}, body: JSON.stringify(value) ?? 'undefined' }
}

/** Reads the response to a request. A binary body is replaced by its SHA-1. */
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

/** Returns the first characters of the SHA-1 of exchanges. */
export function computeDigest(exchanges: readonly Exchange[]): string {
  const hash = createHash('sha1')
  for (const exchange of exchanges) {
    const { request, status, headers, sum } = exchange
    hash.update(`${JSON.stringify([request, status, headers])}\n${sum ?? exchange.body}\n`)
  }
  return hash.digest('hex').slice(0, 7)
}
