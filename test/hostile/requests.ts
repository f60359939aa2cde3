import type { Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { z } from 'zod'
import { actions } from '../../src/actions/all-actions.ts'
import { controlRoutes } from '../../src/control/routes/all-routes.ts'
import { anyText } from '../support/any-text.ts'
import { generateRandomRequests } from '../support/requests.ts'

/** A request with arbitrary headers. */
export interface HostileRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | null
}

/** Secret that is placed in unusual requests, and must not appear in the journal or the log. */
export const planted = 'hostile51Habc'

/** Strings that are long, unusual, or names of inherited properties. */
const oddText = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '',
    ' ',
    '\u0000',
    '💥'.repeat(300),
    '\u202Eabc',
    '１２',
    '-0',
    '1e400',
    'null',
  ),
  fc.constantFrom(200, 2_001, 20_000, 500_000).map((length) => 'x'.repeat(length)),
  anyText({ maxLength: 60 }),
)
/** URLs and bodies that are slow to search for secrets, or that contain a hidden secret. */
const oddAddresses = [
  `/v1/${'0'.repeat(11_000)}`,
  `/v1/${'a_'.repeat(5_000)}`,
  `/v1/%73k_live_${planted}`,
  `/v1/tags?api%5Fkey=${planted}`,
  `/v1/tags?token=a/${planted}?b=${planted}`,
  `/v1/tags;password=${planted}`,
  `/v1/tags?${'token=a&'.repeat(1_000)}`,
]
const oddBodies = [
  `{"api\\u005fkey":"${planted}"}`,
  `{"name":"a","tokens":["${planted}",{"a":"${planted}"}]}`,
  `{"token":"${planted}`,
  `name=a&password=${planted}`,
  '"key":'.repeat(100_000),
  `{"key":${'['.repeat(200_000)}`,
]

const oddNumber = fc.constantFrom(
  0,
  -0,
  -1,
  0.1,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  Number.MIN_VALUE,
)
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(null, true, false, [], {}),
  fc.constantFrom(100, 5_000, 100_000).map((length) => Array.from({ length }, () => 1)),
  fc.constantFrom(10, 100, 1_000).map((depth) => createDeepValue(depth)),
  fc
    .constantFrom(50, 5_000)
    .map((count) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index])),
    ),
  fc.jsonValue({ maxDepth: 3 }),
)
const oddHeaders = fc.oneof(
  { arbitrary: fc.constant({}), weight: 6 },
  {
    arbitrary: fc.constantFrom<Record<string, string>>(
      { authorization: `Bearer ${' '.repeat(8_000)}x` },
      { authorization: `Bearer a${' '.repeat(8_000)}b` },
      { 'x-api-key': 'k'.repeat(8_000) },
      { authorization: `Bearer acme_live_${planted}` },
      { 'x-goog-api-key': planted },
      { 'ocp-apim-subscription-key': planted },
      { 'access-key': planted },
      { referer: `https://shop.example/?api%5Fkey=${planted}` },
      { 'content-type': 'text/plain' },
      { 'content-encoding': 'gzip' },
      { range: `bytes=${'0'.repeat(5_000)}-1` },
      { origin: 'https://evil.example' },
      { host: 'evil.example' },
      { cookie: 'a=b; '.repeat(1_000) },
      { expect: '100-continue' },
    ),
    weight: 1,
  },
)

/** Generates requests to all API routes and to similar paths. */
export function generateApiRequests(sandbox: Sandbox): fc.Arbitrary<HostileRequest> {
  const owner = sandbox.keys['owner'] ?? ''
  return fc
    .record({
      request: generateRandomRequests(sandbox),
      headers: oddHeaders,
      value: oddValue,
      isOdd: fc.integer({ min: 0, max: 9 }),
      oddAddress: fc.constantFrom(...oddAddresses),
      oddBody: fc.constantFrom(...oddBodies),
    })
    .map(({ request: { method, url, body, contentType }, headers, value, isOdd, ...odd }) => ({
      method,
      url: isOdd === 1 && body === null ? odd.oddAddress : url.slice(0, 12_000),
      headers: {
        authorization: `Bearer ${owner}`,
        ...(contentType === null ? {} : { 'content-type': contentType }),
        ...headers,
      },
      body: body === null || isOdd > 1 ? body : isOdd === 0 ? withOdd(body, value) : odd.oddBody,
    }))
}

/**
 * Generates requests to all control plane routes, except routes that wait in real time or load
 * thousands of records.
 */
export function generateControlRequests(): fc.Arbitrary<HostileRequest> {
  return fc
    .constantFrom(...controlRoutes.filter(({ path }) => path !== '/events'))
    .chain(({ method, path, query, body }) =>
      fc
        .record({
          id: oddText.map((text) =>
            encodeURIComponent(text.slice(0, 3_000).replace(/\p{Surrogate}/gu, '?')),
          ),
          query: fc.dictionary(
            fc.constantFrom(
              'limit',
              'offset',
              'route',
              'path',
              'span',
              'world',
              ...getFields(query),
            ),
            oddText,
            {
              maxKeys: 3,
            },
          ),
          body: body === null ? fc.constant(null) : getBody(path, body),
          headers: oddHeaders,
        })
        .map(({ id, query: fields, body: value, headers }) => {
          const search = new URLSearchParams(fields).toString()
          return {
            method,
            url: `/_sandbox${path.replace(/:\w+/, id)}${search === '' ? '' : `?${search}`}`.slice(
              0,
              12_000,
            ),
            headers: {
              ...(value === null ? {} : { 'content-type': 'application/json' }),
              ...headers,
            },
            body: value === null ? null : JSON.stringify(value),
          }
        }),
    )
}

const yamls = [
  'name: x\norganisations: []',
  Array.from({ length: 8_000 }, (_, index) => `k${index}: 1`).join('\n'),
  'extends: empty\nname: a\ntimeline: [{ every: 1ms, times: 1000000000 }]',
  'extends: empty\nname: a\ntimeline: [{ every: 1ms, times: 10000, do: [{ type: note, text: x }] }]',
  `a: ${'['.repeat(2_000)}`,
  '['.repeat(10_000),
  '- '.repeat(10_000),
  `: ${'- '.repeat(10_000)}`,
  `${']'.repeat(10_000)}\n- ${'['.repeat(10_000)}`,
  `x: &a {}\ny:\n${'  - <<: *a\n'.repeat(5_000)}`,
  `x: &a [1, 2]\ny: [${'*a, '.repeat(90)}]`,
  `extends: ${'x'.repeat(5_000)}`,
  '"\\q',
  'extends: empty\nname: many\norganisations: [{ name: A, roles: { owner: ["*"] }, accounts: [{ id: 1, username: a, name: A, data: { fans: 300, chats: 300, messagesPerChat: 1000000 } }] }]',
]

function getBody(path: string, body: z.ZodType): fc.Arbitrary<unknown> {
  if (path === '/scenario')
    return fc.oneof(
      { arbitrary: fc.constantFrom(...yamls).map((yaml) => ({ yaml })), weight: 2 },
      { arbitrary: fc.record({ name: oddText }), weight: 1 },
      { arbitrary: oddValue, weight: 1 },
    )
  if (path === '/snapshot')
    return fc.oneof(
      oddValue,
      fc.record({
        version: fc.constantFrom(1, 2),
        scenario: oddText,
        tables: oddValue,
        worldState: oddValue,
      }),
    )
  if (path === '/actions')
    return fc
      .constantFrom(...actions)
      .chain(({ type, schema }) =>
        fc
          .dictionary(fc.constantFrom(...getFields(schema)), oddValue, { maxKeys: 5 })
          .map((fields) => removeUnwantedValues({ ...fields, type })),
      )
  return fc.oneof(
    oddValue,
    fc
      .dictionary(fc.constantFrom('x', ...getFields(body)), oddValue, { maxKeys: 5 })
      .map(removeUnwantedValues),
  )
}

/**
 * Removes valid values that have unwanted effects: delays, 5xx errors, closed connections, and
 * clock changes by centuries.
 */
function removeUnwantedValues(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([field]) => !['delay_ms', 'drop', 'status'].includes(field)),
  )
}

function getFields(schema: z.ZodType): string[] {
  const inner = schema instanceof z.ZodLazy ? (schema.unwrap() as z.ZodType) : schema
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}

/** Returns the body with one field replaced by the value, or the value itself. */
function withOdd(body: string, value: unknown): string {
  try {
    const parsed = JSON.parse(body) as unknown
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      return JSON.stringify(value)
    const [field = '__proto__'] = Object.keys(parsed)
    return JSON.stringify({ ...parsed, [field]: value })
  } catch {
    return JSON.stringify(value)
  }
}

function createDeepValue(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}
