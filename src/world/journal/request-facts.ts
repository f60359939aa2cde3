import { parseJsonBody } from '../../lib/plain-json.ts'
import type { z } from 'zod'
import { getSchemaDefinition, unwrapSchema } from '../../lib/schema-parts.ts'
import { parseQuery, splitUrl } from '../../lib/url.ts'

/**
 * Facts about a request that the journal and the audit need. They are computed once and stored with
 * the request, so that its body is parsed only once.
 */
export interface RequestFacts {
  /** The parameters that the route does not define. */
  ignored: readonly IgnoredParameter[]
  /** Top-level fields of a JSON body. Lists, objects and long strings are shortened texts. */
  fields: ReadonlyMap<string, string | number | boolean | null>
  /** Numbers and numeric strings in fields that contain ids. */
  ids: readonly (number | string)[]
  /** True if a string contains half of a surrogate pair. */
  hasBrokenText: boolean
  /** Identical bodies have the same text. */
  bodyKey: string
  /** True if the body is longer than `maxReadLength`, so that it was not parsed. */
  isUnread: boolean
}

/** The part of a stored request that the facts are about. */
interface StoredRequest {
  route: ParameterSchemas | undefined
  path: string
  request: { body: string | null }
  facts?: RequestFacts
}

/** Maximum length of a parsed body, characters. The lists and texts of each route fit. */
export const maxReadLength = 262_144
const maxFields = 200
const maxIds = 1_000
/** Maximum length of a field and of a body that is its own key, characters. */
const maxTextLength = 1_000
/** Maximum depth to search in a body. No route accepts a deeper body. */
const maxDepth = 8

/** Facts about a request without a body and without ignored parameters. */
export const noFacts: RequestFacts = {
  ignored: [],
  fields: new Map(),
  ids: [],
  hasBrokenText: false,
  bodyKey: '',
  isUnread: false,
}

/** Returns the facts about a request, which it computes on first use. */
export function getRequestFacts(exchange: StoredRequest): RequestFacts {
  return (exchange.facts ??= readFacts(exchange))
}

function readFacts({ route, path, request: { body } }: StoredRequest): RequestFacts {
  const isUnread = (body?.length ?? 0) > maxReadLength
  const json = isUnread ? undefined : parseJsonBody(body)
  const ignored = route === undefined ? [] : listIgnoredParameters(route, path, json)
  if (body === null) return ignored.length === 0 ? noFacts : { ...noFacts, ignored }
  const isRecord = typeof json === 'object' && json !== null
  const fields = isRecord ? Object.entries(json).slice(0, maxFields) : []
  return {
    ignored,
    fields: new Map(fields.map(([name, value]) => [name, shorten(value)])),
    ids: listIds(json).slice(0, maxIds),
    hasBrokenText: !isUnread && escapedSurrogate.test(body) && hasBrokenText(json),
    bodyKey: body.length <= maxTextLength ? body : `${body.length} ${computeHash(body)}`,
    isUnread,
  }
}

function shorten(value: unknown): string | number | boolean | null {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= maxTextLength
    ? text
    : `${text.slice(0, maxTextLength)}… ${text.length} ${computeHash(text)}`
}

/** Returns the FNV-1a hash of a text. */
function computeHash(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

function listIds(value: unknown, isId = false, depth = 0): (number | string)[] {
  if (typeof value === 'number') return isId ? [value] : []
  if (typeof value === 'string') return isId && /^\d{6,}$/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null || depth === maxDepth) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    listIds(inner, Array.isArray(value) ? isId : isIdName(name), depth + 1),
  )
}

/** True if a parameter or a field with this name contains ids. */
export function isIdName(name: string): boolean {
  return idName.test(name)
}

const idName = /(?:^|_)ids?$|Ids?$|^(?:mediaFiles|previews?|rf[A-Z]\w+|userLists|excludedLists)$/

/** Matches an escaped surrogate in JSON. Serialisers escape only surrogates that are unpaired. */
const escapedSurrogate = /\\ud[89a-f][0-9a-f]{2}/i
const unpaired = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

function hasBrokenText(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return unpaired.test(value)
  if (typeof value !== 'object' || value === null || depth === maxDepth) return false
  return Object.values(value).some((inner) => hasBrokenText(inner, depth + 1))
}

/** A request parameter that has no effect, because the route does not define it. */
export interface IgnoredParameter {
  in: 'query' | 'body'
  /** Name of the parameter. For a key in a body, the path, such as `rows.0.colour`. */
  name: string
}

/** The part of a route that is needed for finding ignored parameters. */
interface ParameterSchemas {
  query: z.ZodType
  /** Null if the route does not accept a body. */
  body: z.ZodType | null
  fileLimit?: number
}

/** Maximum number of parameters to list. */
const maxIgnored = 20

/** Lists the first parameters of a request that the route does not define. `json` is its body. */
export function listIgnoredParameters(
  { query, body: schema, fileLimit }: ParameterSchemas,
  url: string,
  json: unknown,
): IgnoredParameter[] {
  const { rawQuery } = splitUrl(url)
  const ignored: IgnoredParameter[] = []
  const list = (place: IgnoredParameter['in'], keys: Iterable<string>) => {
    for (const name of keys) {
      if (ignored.length >= maxIgnored) return
      ignored.push({ in: place, name })
    }
  }
  if (rawQuery !== '') list('query', findUnknownKeys(query, parseQuery(rawQuery)))
  if (fileLimit === undefined) list('body', findUnknownKeys(schema, json))
  return ignored
}

/** Returns the top-level keys of a schema. Undefined if it accepts any key. */
export function listKnownKeys(
  schema: z.ZodType | null,
  value: unknown = {},
): readonly string[] | undefined {
  if (schema === null) return []
  const { shape, catchall } = getSchemaDefinition(unwrapSchema(schema, value))
  return shape === undefined ||
    (catchall !== undefined && getSchemaDefinition(catchall).type !== 'never')
    ? undefined
    : Object.keys(shape)
}

function* findUnknownKeys(
  schema: z.ZodType | null,
  value: unknown,
  path = '',
): Generator<string, void> {
  if (typeof value !== 'object' || value === null) return
  const inner = schema === null ? undefined : unwrapSchema(schema, value)
  const { shape, element } = getSchemaDefinition(inner)
  if (Array.isArray(value)) {
    if (element === undefined) return
    for (const [index, item] of value.entries())
      if (typeof item === 'object') yield* findUnknownKeys(element, item, `${path}${index}.`)
    return
  }
  const known = listKnownKeys(schema, value)
  if (known === undefined) return
  for (const [name, part] of Object.entries(value)) {
    const next = shape?.[name]
    if (!known.includes(name)) yield `${path}${name}`
    else if (next !== undefined) yield* findUnknownKeys(next, part, `${path}${name}.`)
  }
}
