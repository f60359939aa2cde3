import { own } from '../lib/own.ts'
import { contains } from '../lib/contains.ts'
import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { readSentJson } from '../lib/sent-json.ts'
import { readQuery, splitUrl } from '../lib/url.ts'

/** Selects requests by their content, sender and answer. Absent fields match anything. */
export interface ReceivedFilter {
  /** Method and path as in the list of routes, such as `GET /v1/:account_id/posts`. */
  route?: string
  method?: string
  /** The path as sent, without the query string. */
  path?: string
  /** Parameters of the path by name, such as `{ post_id: 5 }`. */
  params?: Readonly<Record<string, string | number>>
  /** Query parameters with their values. Other parameters are allowed. */
  query?: Readonly<Record<string, string | number | boolean>>
  /** Part of the JSON body. Other fields are allowed. */
  body?: unknown
  status?: number
  /** The role of the key. */
  key?: string
  account?: number
}

/** Lists the differences between a request and a filter, one phrase each. Empty if it matches. */
export function differencesOf(entry: JournalEntry, filter: ReceivedFilter): string[] {
  const { path, rawQuery } = splitUrl(entry.path)
  const found: Record<string, unknown> = {
    route: entry.route,
    method: entry.method,
    path,
    status: entry.status,
    key: entry.role,
    account: entry.account_id,
    params: paramsOf(entry.route, path),
    query: readQuery(rawQuery),
    body: filter.body === undefined ? undefined : readSentJson(entry.request.body),
  }
  const texts = (values: object = {}) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  const wanted = {
    ...filter,
    method: filter.method?.toUpperCase(),
    params: texts(filter.params),
    query: texts(filter.query),
  }
  return Object.entries(wanted).flatMap(([name, value]) =>
    value === undefined ? [] : differences(own(found, name), value, name),
  )
}

function differences(found: unknown, wanted: unknown, path: string): string[] {
  if (contains(found, wanted)) return []
  if (typeof wanted !== 'object' || wanted === null || typeof found !== 'object' || found === null)
    return [`${path} is ${write(found)}, not ${write(wanted)}`]
  return Object.entries(wanted).flatMap(([name, value]) =>
    differences(own(found as Record<string, unknown>, name), value, `${path}.${name}`),
  )
}

/** The parameters of a path by name. */
function paramsOf(route: string | null, path: string): Record<string, string> {
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
