import type { Call } from '../api/route.ts'
import { isSameSecret, readUtf8 } from '../lib/secret.ts'
import { apiError } from '../errors.ts'
import type { ApiError } from '../errors.ts'

/** The names of a server and the page origins that it answers. */
export interface GuardOptions {
  /**
   * Names and addresses that the server listens on. With one that is not loopback, every IP address
   * is a name of the server.
   */
  hosts?: readonly string[]
  /** More names of the server, besides loopback, `hosts` and the host of the base URL. */
  allowHosts?: readonly string[]
  /**
   * Origins whose pages may use the server, besides loopback, the origin of the base URL and
   * the server's own.
   */
  allowOrigins?: readonly string[]
  baseUrl: () => string
}

/** A request without its body. The guard decides before the body is read. */
export type Head = Pick<Call, 'method' | 'url' | 'header'>

/**
 * Refuses requests that another site may have tricked a browser into: a foreign `Host` (DNS
 * rebinding) or a foreign `Origin` (a page of another site). A request without `Origin` comes from
 * no page, or from a page of the server itself.
 */
export function guard(head: Pick<Head, 'header'>, options: GuardOptions): ApiError | undefined {
  const host = head.header('host') ?? ''
  return isOwnHost(host, options)
    ? guardOrigin(head, options)
    : apiError('host_foreign', { host: show(host) })
}

/** The part of `guard` that checks the `Origin`. */
export function guardOrigin(
  { header }: Pick<Head, 'header'>,
  options: GuardOptions,
): ApiError | undefined {
  const origin = header('origin')
  if (origin === null || isOwnOrigin(origin, header('host') ?? '', options)) return undefined
  return apiError('origin_foreign', { origin: show(origin) })
}

/**
 * Refuses a request without an `Origin` that a page of another site caused, by an image, a link or
 * `fetch` in the mode `no-cors`.
 */
export function guardSite({ header }: Pick<Head, 'header'>): ApiError | undefined {
  if (header('sec-fetch-site') !== 'cross-site' || header('origin') !== null) return undefined
  return apiError('origin_foreign', { origin: 'another site' })
}

/** True if a request carries the token. A preflight carries none; the request after it does. */
export function hasToken(
  { method, header }: Pick<Head, 'method' | 'header'>,
  token: string | undefined,
): boolean {
  if (token === undefined || method === 'OPTIONS') return true
  const bearer = bearerOf(header('authorization') ?? '')
  // Always compares both, so that the time does not reveal which one matched.
  const [asSent, asUtf8] = [isSameSecret(bearer, token), isSameSecret(readUtf8(bearer), token)]
  return asSent || asUtf8
}

/**
 * CORS headers that let a page of an admitted origin read the answer. `methods` are those of the
 * routes.
 */
export function corsHeaders(
  { header, method }: Head,
  methods: readonly string[],
): Record<string, string> {
  const origin = header('origin')
  if (origin === null) return {}
  const shared = { 'access-control-allow-origin': origin, vary: 'Origin' }
  if (method !== 'OPTIONS') return shared
  return {
    ...shared,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '600',
  }
}

/**
 * True if a name or address leads to the machine itself. Accepts an IPv6 address with or without
 * brackets.
 */
function isLoopback(name: string): boolean {
  return (
    name === 'localhost' || name === '[::1]' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
  )
}

function isOwnHost(
  header: string,
  { hosts = [], allowHosts = [], baseUrl }: GuardOptions,
): boolean {
  if (usualHost.test(header)) return true
  const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(header)?.[1]?.toLowerCase()
  if (name === undefined) return false
  if (isLoopback(name) || name === new URL(baseUrl()).hostname) return true
  // DNS rebinding needs a name. An IP address is never the name of another site.
  if (isAddress(name) && hosts.some((host) => !isLoopback(host.toLowerCase()))) return true
  // A `Host` header has brackets around an IPv6 address. The options have none.
  return [...hosts, ...allowHosts].some(
    (host) => name === host.toLowerCase() || name === `[${host.toLowerCase()}]`,
  )
}

/** The hosts of nearly all requests: a fast path. */
const usualHost = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/

function isOwnOrigin(
  origin: string,
  ownHost: string,
  { allowOrigins = [], baseUrl }: GuardOptions,
): boolean {
  if (origin === new URL(baseUrl()).origin || allowOrigins.includes(origin)) return true
  const [, host = '', name = ''] =
    /^https?:\/\/((\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?)$/i.exec(origin) ?? []
  // A page of the server itself: the request has one of the server's hosts.
  return (
    isLoopback(name.toLowerCase()) || (host !== '' && host.toLowerCase() === ownHost.toLowerCase())
  )
}

/**
 * The text after `Bearer`, trimmed of spaces. A token may contain spaces, and bytes that are other
 * white space.
 */
function bearerOf(header: string): string {
  if (!/^bearer /i.test(header)) return ''
  let [start, end] = ['bearer '.length, header.length]
  while (header[start] === ' ') start += 1
  while (end > start && header[end - 1] === ' ') end -= 1
  return header.slice(start, end)
}

function isAddress(name: string): boolean {
  return name.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(name)
}

function show(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value)
}
