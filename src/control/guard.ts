import type { Call } from '../api/route.ts'
import { isSameSecret, decodeUtf8 } from '../lib/credentials.ts'
import { isLoopbackHost } from '../lib/url.ts'
import { createApiError } from '../errors.ts'
import type { ApiError } from '../errors.ts'

/** Host names and page origins that a server accepts. */
export interface GuardOptions {
  /**
   * Host names and IP addresses on which the server listens. If any of them is not loopback, all IP
   * addresses are accepted in `Host`.
   */
  hosts?: readonly string[]
  /** Host names to accept in addition to loopback, `hosts` and the host of the base URL. */
  allowHosts?: readonly string[]
  /**
   * Page origins to accept in addition to loopback, the origin of the base URL and the server's own
   * origin.
   */
  allowOrigins?: readonly string[]
  baseUrl: () => string
}

/** A request without its body. The guard checks it before the body is read. */
export type Head = Pick<Call, 'method' | 'url' | 'header'>

/**
 * Rejects requests that may be an attack from another site: requests with a foreign `Host` (DNS
 * rebinding) or a foreign `Origin` (a page of another site). A request without `Origin` comes from
 * one of the server's own pages or from a client that is not a page.
 */
export function checkForeignRequest(
  head: Pick<Head, 'header'>,
  options: GuardOptions,
): ApiError | undefined {
  const host = head.header('host') ?? ''
  return isOwnHost(host, options)
    ? checkOrigin(head, options)
    : createApiError('host_foreign', { host: show(host) })
}

/** Checks only the `Origin` header of a request. */
export function checkOrigin(
  { header }: Pick<Head, 'header'>,
  options: GuardOptions,
): ApiError | undefined {
  const origin = header('origin')
  if (origin === null || isOwnOrigin(origin, header('host') ?? '', options)) return undefined
  return createApiError('origin_foreign', { origin: show(origin) })
}

/**
 * Rejects cross-site requests without an `Origin`, which images, links and `fetch` in `no-cors`
 * mode send.
 */
export function checkFetchSite({ header }: Pick<Head, 'header'>): ApiError | undefined {
  if (header('sec-fetch-site') !== 'cross-site' || header('origin') !== null) return undefined
  return createApiError('origin_foreign', { origin: 'another site' })
}

/**
 * True if a request has the token, or if no token is required. Also true for preflights, which
 * carry no token.
 */
export function hasControlToken(
  { method, header }: Pick<Head, 'method' | 'header'>,
  token: string | undefined,
): boolean {
  if (token === undefined || method === 'OPTIONS') return true
  const bearer = getBearerToken(header('authorization') ?? '')
  // Always compares the token in both encodings, so that the response time does not reveal which
  // encoding matched.
  const [asSent, asUtf8] = [isSameSecret(bearer, token), isSameSecret(decodeUtf8(bearer), token)]
  return asSent || asUtf8
}

/**
 * Returns CORS headers that let a page with an accepted origin read the response. `methods` are the
 * methods of the routes.
 */
export function createCorsHeaders(
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

function isOwnHost(
  header: string,
  { hosts = [], allowHosts = [], baseUrl }: GuardOptions,
): boolean {
  if (usualHost.test(header)) return true
  const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(header)?.[1]?.toLowerCase()
  if (name === undefined) return false
  if (isLoopbackHost(name) || name === new URL(baseUrl()).hostname) return true
  // Accepts IP addresses if the server listens on more than loopback. DNS rebinding requires a host
  // name.
  if (isAddress(name) && hosts.some((host) => !isLoopbackHost(host.toLowerCase()))) return true
  // Also tries the host without brackets, because IPv6 addresses have brackets in a `Host` header
  // but not in the options.
  return [...hosts, ...allowHosts].some(
    (host) => name === host.toLowerCase() || name === `[${host.toLowerCase()}]`,
  )
}

/** Fast path. Nearly all requests use one of these hosts. */
const usualHost = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/

function isOwnOrigin(
  origin: string,
  ownHost: string,
  { allowOrigins = [], baseUrl }: GuardOptions,
): boolean {
  if (origin === new URL(baseUrl()).origin || allowOrigins.includes(origin)) return true
  const [, host = '', name = ''] =
    /^https?:\/\/((\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?)$/i.exec(origin) ?? []
  // Accepts the server's own pages, for which `Origin` and `Host` are the same.
  return (
    isLoopbackHost(name.toLowerCase()) ||
    (host !== '' && host.toLowerCase() === ownHost.toLowerCase())
  )
}

/**
 * Returns the text after `Bearer` without surrounding spaces. `trim` would also remove other white
 * space, which could be the last bytes of a token.
 */
function getBearerToken(header: string): string {
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
