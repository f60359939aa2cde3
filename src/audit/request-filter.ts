import { spellRoute } from '../api/route-id.ts'
import { SandboxError } from '../errors.ts'
import type { RouteName } from '../generated/inputs.ts'
import { getOwnProperty, parseJsonBody, matchesPattern } from '../lib/plain-json.ts'
import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { parseQuery, splitUrl } from '../lib/url.ts'

/** Selects requests by content, sender and response. Omitted fields match any value. */
export interface ReceivedFilter<Route extends string = RouteName> {
  /** Method and path, as in docs/routes.md. For example: `GET /v1/:account_id/posts`. */
  route?: Route
  method?: string
  /** The path as sent, without the query string. */
  path?: string
  /** Path parameters by name, such as `{ post_id: 5 }`. */
  params?: Readonly<Record<string, string | number>>
  /** Query parameters by name. The request may have additional parameters. */
  query?: Readonly<Record<string, string | number | boolean>>
  /** Part of the JSON body. The body may have additional fields. */
  body?: unknown
  status?: number
  /** The role of the API key. */
  key?: string
  account?: number
}

/** Describes all differences between a request and a filter. Empty if the request matches. */
export function describeRequestDifferences(
  entry: JournalEntry,
  filter: ReceivedFilter<string>,
): string[] {
  const { path, rawQuery } = splitUrl(entry.path)
  const found: Record<string, unknown> = {
    route: entry.route,
    method: entry.method,
    path,
    status: entry.status,
    key: entry.role,
    account: entry.account_id,
    params: getPathParameters(entry.route, path),
    query: parseQuery(rawQuery),
    body: filter.body === undefined ? undefined : parseJsonBody(entry.request.body),
  }
  const texts = (values: object = {}) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  const wanted = {
    ...filter,
    route: filter.route && spellRoute(filter.route),
    method: filter.method?.toUpperCase(),
    params: texts(filter.params),
    query: texts(filter.query),
  }
  return Object.entries(wanted).flatMap(([name, value]) =>
    value === undefined ? [] : listDifferences(getOwnProperty(found, name), value, name),
  )
}

/** Creates the error for a request that did not arrive. */
export function createWaitError(
  filter: ReceivedFilter<string>,
  reason = 'the sandbox was closed before such a request arrived.',
): SandboxError {
  return new SandboxError(`Failed to wait for ${JSON.stringify(filter)}: ${reason}`)
}

function listDifferences(found: unknown, wanted: unknown, path: string): string[] {
  if (matchesPattern(found, wanted)) return []
  if (typeof wanted !== 'object' || wanted === null || typeof found !== 'object' || found === null)
    return [`${path} is ${write(found)}, not ${write(wanted)}`]
  return Object.entries(wanted).flatMap(([name, value]) =>
    listDifferences(
      getOwnProperty(found as Record<string, unknown>, name),
      value,
      `${path}.${name}`,
    ),
  )
}

/** Returns the path parameters by name. */
function getPathParameters(route: string | null, path: string): Record<string, string> {
  const segments = path.split('/')
  const names = (route ?? '').replace(/^\S+ /, '').split('/')
  return Object.fromEntries(
    names.flatMap((name, index) =>
      name.startsWith(':') ? [[name.slice(1), segments[index] ?? '']] : [],
    ),
  )
}

function write(value: unknown): string {
  return value == null ? 'absent' : JSON.stringify(value).slice(0, 200)
}
