import type { Call, Reply, Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { z } from 'zod'
import { routes } from '../../src/resources/all-resources.ts'
import { anyText } from './any-text.ts'

/** A request for property tests: method, URL, and body as a string. */
export interface RandomRequest {
  method: string
  url: string
  body: string | null
  contentType: string | null
}

const hostileText = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e999',
    '9'.repeat(400),
    'NaN',
    'null',
    '__proto__',
    'constructor',
    '%',
    '%E0%A4%A',
    '%00',
    '../../etc/passwd',
    "' OR 1=1",
    '<script>',
    '\u202E',
    '💥',
    '١٢',
    'true',
  ),
  // Invalid times, and the earliest and the latest valid time.
  fc.constantFrom(
    'now',
    '-7d',
    '2026-02-30',
    '-99999999999d',
    '-99999999d',
    '0000-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
    '2026-09-01',
    '2026-12-01T00:00:00Z',
  ),
  fc.integer().map(String),
)

const json = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    '[',
    '{"a":',
    '"',
    '{"__proto__":{"polluted":true}}',
    '[1e999]',
    '{"text":"a","text":"b"}',
    '['.repeat(20_000) + ']'.repeat(20_000),
    'null',
    '""',
    '1',
  ),
)

type Ids = readonly (number | string)[]
/** Returns ids suitable for a parameter or key of the given name. */
type IdsByName = (name: string) => Ids

/** Tables whose ids are used for a path parameter or body key. */
const tablesOf: Readonly<Record<string, readonly (keyof Sandbox['db'])[]>> = {
  account_id: ['accounts'],
  post_id: ['posts'],
  label_id: ['postLabels'],
  fan_id: ['fans'],
  user_id: ['fans'],
  chat_id: ['chats'],
  message_id: ['messages', 'massMessages'],
  queue_id: ['massMessages'],
  media_id: ['vaultMedia'],
  list_id: ['vaultLists', 'userLists'],
  link_id: ['trackingLinks', 'trialLinks'],
  tracking_link_id: ['trackingLinks'],
  trial_link_id: ['trialLinks'],
  share_id: ['linkShares'],
  token: ['linkShares'],
  tag_id: ['tags'],
  account_ids: ['accounts'],
  post_ids: ['posts'],
  ids: ['fans'],
  userIds: ['fans'],
  media_ids: ['vaultMedia'],
  mediaFiles: ['vaultMedia'],
  preview: ['vaultMedia'],
  previews: ['vaultMedia'],
  listIds: ['userLists'],
  userLists: ['userLists'],
  excludedLists: ['userLists'],
  link_ids: ['trackingLinks', 'trialLinks'],
  tag_ids: ['tags'],
}

/** Returns the ids of an account's records that fit a parameter of the given name. */
export function getRecordIds({ db }: Sandbox, name: string, accountId: number): Ids {
  return (tablesOf[name] ?? []).flatMap((table) => {
    const rows: readonly { id: Ids[number]; accountId?: number }[] = db[table].all()
    return rows.flatMap((row) => ((row.accountId ?? accountId) === accountId ? [row.id] : []))
  })
}

/**
 * Generates requests to the given routes and to similar paths, with valid and invalid parameters
 * and bodies.
 */
export function generateRandomRequests({ db }: Sandbox): fc.Arbitrary<RandomRequest> {
  const idsOf = (table: keyof Sandbox['db']): Ids =>
    db[table]
      .all()
      .slice(0, 4)
      .map(({ id }) => id)
  const account = db.accounts.all()[0]!.id
  const all = [...new Set(Object.values(tablesOf).flat())].flatMap(idsOf)
  const ids: IdsByName = (name) => {
    const own = tablesOf[name]?.flatMap(idsOf) ?? []
    return own.length > 0 ? own : all
  }
  const odd = fc.oneof(hostileText.map(encode), fc.constantFrom('%', '%E0%A4%A', '%2F'))
  return fc.constantFrom(...routes).chain((route) => {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const inPath = getShape(route.params).properties ?? {}
    const segment = (name: string) => {
      if (name === 'account_id')
        return fc.oneof(
          { arbitrary: fc.constant(String(account)), weight: 8 },
          { arbitrary: odd, weight: 1 },
        )
      const fits =
        inPath[name]?.enum === undefined && name in tablesOf
          ? fc.constantFrom(...ids(name))
          : generateFittingValues(inPath[name] ?? {}, { name, ids })
      return fc.oneof(
        { arbitrary: fits.map((value) => encode(String(value))), weight: 4 },
        { arbitrary: odd, weight: 1 },
      )
    }
    const inQuery = Object.entries(getShape(route.query).properties ?? {})
    const parameter = fc.oneof(
      ...inQuery.map(([name, schema]) => ({
        arbitrary: fc.tuple(
          fc.constant(name),
          generateFittingValues(schema, { name, ids }).map(String),
        ),
        weight: 6,
      })),
      {
        arbitrary: fc.tuple(
          fc.oneof(
            fc.constantFrom('limit', 'unknown', ...inQuery.map(([name]) => name)),
            hostileText,
          ),
          hostileText,
        ),
        weight: inQuery.length + 1,
      },
    )
    return fc
      .record({
        segments: fc.tuple(...names.map(segment)),
        query: fc.array(parameter, { maxLength: 4 }),
        body: fc.oneof(
          {
            arbitrary: generateFittingValues(route.body === null ? {} : getShape(route.body), {
              name: '',
              ids,
            }).map((body) => JSON.stringify(body)),
            weight: 3,
          },
          { arbitrary: json, weight: 1 },
        ),
        method: fc.oneof(
          { arbitrary: fc.constant(route.method as string), weight: 12 },
          {
            arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'TRACE'),
            weight: 1,
          },
        ),
      })
      .map(({ segments, query, body, method }) => {
        const path = names.reduce(
          (soFar: string, name, index) => soFar.replace(`:${name}`, segments[index] ?? ''),
          route.path,
        )
        const search = query.map(([name, text]) => `${encode(name)}=${encode(text)}`).join('&')
        const hasBody = method !== 'GET' && method !== 'HEAD'
        return {
          method,
          url: search === '' ? path : `${path}?${search}`,
          body: hasBody ? body : null,
          contentType: hasBody ? 'application/json' : null,
        }
      })
  })
}

/** Sends a random request directly to the pipeline with the given key. */
export function sendRandomRequest(
  sandbox: Sandbox,
  { method, url, body, contentType }: RandomRequest,
  key = sandbox.keys['owner'],
): Promise<Reply> {
  const headers: Record<string, string | null> = {
    authorization: `Bearer ${key}`,
    'content-type': contentType,
  }
  const call: Call = { method, url, header: (name) => headers[name] ?? null, body }
  return sandbox.handle(call)
}

/** The JSON of a reply. */
export function parseReply<Body>({ body }: Reply): Body {
  return JSON.parse(
    typeof body === 'string' ? body : Buffer.concat(body as readonly Uint8Array[]).toString(),
  ) as Body
}

/** The parts of JSON Schema that route schemas use. */
interface Shape {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Shape[]
  items?: Shape
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
}

const shapes = new Map<z.ZodType, Shape>()

function getShape(schema: z.ZodType): Shape {
  const shape =
    shapes.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape)
  shapes.set(schema, shape)
  return shape
}

/** Generates values for a schema, some of them invalid. `name` is the key of the value. */
function generateFittingValues(
  shape: Shape,
  { name, ids }: { name: string; ids: IdsByName },
): fc.Arbitrary<unknown> {
  const within = (inner: Shape, key = name) =>
    fc.oneof(
      { arbitrary: generateFittingValues(inner, { name: key, ids }), weight: 12 },
      { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 },
    )
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (shape.anyOf !== undefined)
    return fc.oneof(...shape.anyOf.map((each) => generateFittingValues(each, { name, ids })))
  if (shape.type === 'object') {
    const { properties = {}, required = [] } = shape
    return fc.record(
      Object.fromEntries(
        Object.entries(properties).map(([key, inner]) => [key, within(inner, key)]),
      ),
      { requiredKeys: [...required] },
    )
  }
  if (shape.type === 'array') return fc.array(within(shape.items ?? {}), { maxLength: 3 })
  if (shape.type === 'boolean') return fc.boolean()
  if (shape.type === 'null') return fc.constant(null)
  const known = ids(name)
  if (shape.type === 'integer' && name in tablesOf) return fc.constantFrom(...known)
  if (shape.type === 'integer')
    return fc.oneof(
      fc.constantFrom(...known.filter((id) => typeof id === 'number')),
      fc.integer({ min: -1, max: 101 }),
      fc.constantFrom(2 ** 53 - 1, 2 ** 53 + 2),
    )
  if (shape.type === 'number')
    return fc.oneof(
      fc.integer({ min: -1, max: 201 }),
      fc.double(),
      fc.constantFrom(4.99, 0.1 + 0.2, 1e308),
    )
  return fc.oneof(hostileText, fc.lorem({ maxCount: 3 }), fc.constantFrom(...known.map(String)))
}

/** Percent-encodes any string, replacing lone surrogates. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
}
