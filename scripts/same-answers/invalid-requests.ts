import type { Sandbox } from 'creator-api-sandbox'
import { createValidRequests } from './valid-requests.ts'
import type { Exchange } from './exchange.ts'
import type { Operation } from './operations.ts'
import { fillPath, findPathValues } from './path-values.ts'
import { sendAll } from './send.ts'

/** Sends requests with invalid ids (400) and with unknown ids (404) in the path. */
export async function sendInvalidIds(
  sandbox: Sandbox,
  operation: Operation,
  account: number,
): Promise<Exchange[]> {
  const [ask] = await createValidRequests(sandbox, operation, { account, most: 1 })
  const [values = {}] = findPathValues(sandbox, operation, { account, most: 1 })
  if (ask === undefined) return []
  const asks = operation.inPath.flatMap((name) =>
    ['abc', '999999999999', '-1'].map((value) => ({
      ...ask,
      url: `${fillPath(operation, { ...values, [name]: value })}${getQuery(ask.url)}`,
    })),
  )
  return await sendAll(sandbox, asks)
}

/** Sends invalid bodies and an unknown parameter. */
export async function sendInvalidBodies(
  sandbox: Sandbox,
  operation: Operation,
  account: number,
): Promise<Exchange[]> {
  const [ask] = await createValidRequests(sandbox, operation, { account, most: 1 })
  if (ask === undefined) return []
  const { headers = {} } = ask
  const unknown = { ...ask, url: `${ask.url}${ask.url.includes('?') ? '&' : '?'}unknown=1` }
  if (!operation.hasBody) return await sendAll(sandbox, [unknown])
  return await sendAll(sandbox, [
    unknown,
    ...createInvalidBodies(ask.body).map((body) => ({ ...ask, body })),
    { ...ask, body: 'text', headers: { ...headers, 'content-type': 'text/plain' } },
    { ...ask, body: { text: 'x'.repeat(2_000_000) } },
  ])
}

/**
 * Returns invalid bodies: malformed bodies, bodies of another type, and bodies with a single
 * invalid field.
 */
function createInvalidBodies(body: unknown): unknown[] {
  const forms = ['{"a":', '', 'null', '[]', '{}', '"text"']
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return forms
  const fields = Object.keys(body)
  return [
    ...forms,
    { ...body, unknown: 1 },
    ...fields.map((name) => ({ ...body, [name]: { no: 'such' } })),
    ...fields.map((name) => ({ ...body, [name]: '' })),
    ...fields.map((name) => ({ ...body, [name]: -1 })),
  ]
}

function getQuery(url: string): string {
  return url.includes('?') ? url.slice(url.indexOf('?')) : ''
}
