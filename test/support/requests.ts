import fc from 'fast-check'
import type { Call, Reply, Sandbox } from 'creator-api-sandbox'
import { routes } from '../../src/routes/index.ts'

/** A request as the property tests make it: method, address and body as text. */
export interface RandomRequest {
  method: string
  url: string
  body: string | null
  contentType: string | null
}

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '0', '-1', '1e999', '9'.repeat(400), 'NaN', 'null', '__proto__', 'constructor', '%', '%E0%A4%A', '%00', '../../etc/passwd', "' OR 1=1", '<script>', '\u202E', '💥', '١٢', 'true', '2026-02-30', '-99999999999d'),
  fc.integer().map(String),
)

const json = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom('[', '{"a":', '"', '{"__proto__":{"polluted":true}}', '[1e999]', '{"text":"a","text":"b"}', '['.repeat(20_000) + ']'.repeat(20_000), 'null', '""', '1'),
)

/** Requests to the routes of the list and near them, with parameters of every kind; `ids` are ids that exist. */
export function randomRequests(ids: readonly (number | string)[]): fc.Arbitrary<RandomRequest> {
  const segment = fc.oneof({ arbitrary: fc.constantFrom(...ids.map(String)), weight: 4 }, { arbitrary: hostileText.map(encode), weight: 1 }, { arbitrary: fc.constantFrom('%', '%E0%A4%A', '%2F'), weight: 1 })
  const value = fc.oneof({ arbitrary: fc.constantFrom(...ids.map(String), '1', '10', 'true', 'desc', 'asc', 'now'), weight: 2 }, { arbitrary: hostileText, weight: 1 })
  return fc.constantFrom(...routes).chain((route) => {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const parameters = 'shape' in route.query ? Object.keys(route.query.shape as object) : []
    return fc
      .record({
        segments: fc.tuple(...names.map((name) => (name === 'account_id' ? fc.oneof({ arbitrary: fc.constant(String(ids[0])), weight: 8 }, { arbitrary: segment, weight: 1 }) : segment))),
        query: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...parameters, 'limit', 'unknown'), hostileText), value), { maxLength: 4 }),
        body: fc.oneof(bodyFor(route.body, ids), json),
        method: fc.oneof({ arbitrary: fc.constant(route.method as string), weight: 12 }, { arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'TRACE'), weight: 1 }),
      })
      .map(({ segments, query, body, method }) => {
        const path = names.reduce((soFar: string, name, index) => soFar.replace(`:${name}`, segments[index] ?? ''), route.path)
        const search = query.map(([name, text]) => `${encode(name)}=${encode(text)}`).join('&')
        const hasBody = method !== 'GET' && method !== 'HEAD'
        return { method, url: search === '' ? path : `${path}?${search}`, body: hasBody ? body : null, contentType: hasBody ? 'application/json' : null }
      })
  })
}

/** Sends a random request with that key, straight to the core. */
export function sendRandom(sandbox: Sandbox, { method, url, body, contentType }: RandomRequest, key = sandbox.keys['owner']): Promise<Reply> {
  const headers: Record<string, string | null> = { authorization: `Bearer ${key}`, 'content-type': contentType }
  const call: Call = { method, url, header: (name) => headers[name] ?? null, body }
  return sandbox.handle(call)
}

/** The JSON of a reply. */
export function readJson<Body>({ body }: Reply): Body {
  return JSON.parse(typeof body === 'string' ? body : Buffer.concat(body as readonly Uint8Array[]).toString()) as Body
}

/** Bodies that have the keys that a route's schema knows, with values that often fit and often do not. */
function bodyFor(schema: unknown, ids: readonly (number | string)[]): fc.Arbitrary<string> {
  const shape = (schema as { shape?: Record<string, unknown> } | null)?.shape
  if (shape === undefined) return json
  const numbers = ids.filter((id) => typeof id === 'number')
  const value = fc.oneof(
    fc.constantFrom(...numbers),
    fc.array(fc.constantFrom<number | string>(...numbers, 1, 'tip', 'done'), { maxLength: 3 }),
    fc.constant([numbers[0]]),
    fc.jsonValue({ maxDepth: 2 }),
    hostileText,
  )
  return fc.dictionary(fc.constantFrom(...Object.keys(shape)), value, { maxKeys: Object.keys(shape).length }).map((body) => JSON.stringify(body))
}

/** Percent-encodes any text, lone surrogates replaced. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
}
