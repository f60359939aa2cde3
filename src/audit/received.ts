import { contains } from '../engine/faults.ts'
import { splitUrl } from '../engine/url.ts'
import type { Sent } from './sent.ts'

/** Selects requests by what was sent, who sent it, and what became of it. What is left out may be anything. */
export interface ReceivedFilter {
  /** Method and path as the route list has them, such as `GET /v1/:account_id/posts`. */
  route?: string
  method?: string
  /** The path as it was sent, without the query string. */
  path?: string
  /** Parameters of the path by name, such as `{ post_id: 5 }`. */
  params?: Readonly<Record<string, string | number>>
  /** Query parameters, each with this value; there may be others. */
  query?: Readonly<Record<string, string | number | boolean>>
  /** What the JSON body has; it may have more. */
  body?: unknown
  status?: number
  /** The role of the key. */
  key?: string
  account?: number
}

/** Says how a request differs from a filter, a phrase each; empty where it matches. */
export function differencesOf(sent: Sent, filter: ReceivedFilter): string[] {
  const { route, method, path, params = {}, query = {}, body, status, key, account } = filter
  const { exchange } = sent
  const differences: string[] = []
  const compare = (name: string, wanted: unknown, found: unknown) => {
    if (wanted !== undefined && wanted !== found) differences.push(`${name} is ${write(found)}, not ${write(wanted)}`)
  }
  compare('route', route, sent.route?.id)
  compare('method', method?.toUpperCase(), sent.method)
  compare('path', path, sent.path)
  compare('status', status, sent.status)
  compare('key', key, exchange.role ?? undefined)
  compare('account', account, exchange.account_id ?? undefined)
  const found = Object.keys(params).length === 0 ? {} : paramsOf(sent)
  for (const [name, value] of Object.entries(params)) compare(`params.${name}`, String(value), found[name])
  for (const [name, value] of Object.entries(query)) compare(`query.${name}`, String(value), sent.query.get(name) ?? undefined)
  if (body !== undefined && !contains(sent.json, body)) differences.push(...bodyDifferences(sent.json, body))
  return differences
}

/** The parameters of the path of a request, by name. */
function paramsOf({ route, path }: Sent): Record<string, string> {
  const segments = path.split('/')
  const names = route?.path.split('/') ?? []
  return Object.fromEntries(names.flatMap((name, index) => (name.startsWith(':') ? [[name.slice(1), segments[index] ?? '']] : [])))
}

function bodyDifferences(found: unknown, wanted: unknown, path = 'body'): string[] {
  if (contains(found, wanted)) return []
  if (typeof wanted !== 'object' || wanted === null || typeof found !== 'object' || found === null)
    return [`${path} is ${write(found)}, not ${write(wanted)}`]
  return Object.entries(wanted).flatMap(([name, value]) =>
    bodyDifferences((found as Record<string, unknown>)[name], value, `${path}.${name}`),
  )
}

/** Says what came in place of a request: the three that are nearest to the filter, and how they differ. */
export function describeMiss(requests: readonly Sent[], filter: ReceivedFilter): string {
  if (requests.length === 0) return 'No request came.'
  const nearest = requests
    .map((sent) => ({ sent, differences: differencesOf(sent, filter) }))
    .toSorted((a, b) => a.differences.length - b.differences.length || b.sent.id - a.sent.id)
    .slice(0, 3)
  const lines = nearest.map(({ sent, differences }) => {
    const { path } = splitUrl(sent.exchange.path)
    return `  ${sent.id}  ${sent.method} ${path.slice(0, 200)} ${sent.status}: ${differences.join('; ') || 'it matches'}`
  })
  return `${requests.length} came. The nearest:\n${lines.join('\n')}`
}

function write(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value).slice(0, 200)
}
