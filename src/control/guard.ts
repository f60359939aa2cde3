import type { Call } from '../engine/route.ts'
import { quote } from '../errors.ts'

/** Says who may use the control plane. */
export interface GuardOptions {
  /** The names of the hosts that the server listens on, besides the loopback ones. */
  hosts?: readonly string[]
  /** A token that a client must send as `Authorization: Bearer TOKEN`. */
  token?: string
  baseUrl: () => string
}

/** A request without its body. The guard decides before the body is read. */
export type Head = Pick<Call, 'method' | 'url' | 'header'>

/** The refusal of a request that may not use the control plane. */
export interface Refusal {
  status: 401 | 403
  reason: string
}

/**
 * Refuses requests that another site may have tricked a browser into: a foreign `Host` (DNS rebinding) and a foreign `Origin` (a page of
 * another site). It also refuses requests without the token.
 */
export function guard({ header, method }: Head, options: GuardOptions): Refusal | undefined {
  const host = header('host') ?? ''
  if (!isOwnHost(host, options)) {
    const shownHost = quote(host)
    const advice = 'Use a loopback address, the --host or the --base-url of the server.'
    return { status: 403, reason: `The control plane does not answer to the host ${shownHost}. ${advice}` }
  }
  const origin = header('origin')
  if (origin !== null && !isOwnOrigin(origin, options)) {
    const shownOrigin = quote(origin)
    const advice = 'Serve them from a loopback address or from the --base-url of the server.'
    return { status: 403, reason: `The control plane does not answer to pages of ${shownOrigin}. ${advice}` }
  }
  // A preflight carries no token. The request behind it does.
  if (options.token !== undefined && method !== 'OPTIONS' && !isToken(header('authorization'), options.token)) {
    return {
      status: 401,
      reason: "The control plane needs its token: send 'Authorization: Bearer <TOKEN>' with the one given as --control-token.",
    }
  }
  return undefined
}

/** The CORS headers that let the page of an admitted origin read the answer. */
export function corsHeaders({ header, method }: Head): Record<string, string> {
  const origin = header('origin')
  if (origin === null) return {}
  const shared = { 'access-control-allow-origin': origin, vary: 'Origin' }
  if (method !== 'OPTIONS') return shared
  return {
    ...shared,
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '600',
  }
}

function isOwnHost(header: string, { hosts = [], baseUrl }: GuardOptions): boolean {
  const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(header)?.[1]?.toLowerCase()
  if (name === undefined) return false
  if (isLoopback(name) || name === new URL(baseUrl()).hostname) return true
  // A `Host` header has brackets around an IPv6 address, the option has none.
  return hosts.some((host) => name === host.toLowerCase() || name === `[${host.toLowerCase()}]`)
}

function isOwnOrigin(origin: string, { baseUrl }: GuardOptions): boolean {
  if (origin === new URL(baseUrl()).origin) return true
  const name = /^https?:\/\/(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(origin)?.[1]
  return name !== undefined && isLoopback(name.toLowerCase())
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
}

/** Compares a header with the token. The time that it takes does not show how much of the token was right. */
function isToken(header: string | null, token: string): boolean {
  // No pattern looks for the end of the token: a header of 16 KB would keep it busy for a third of a second.
  const sent = /^Bearer +/i.test(header ?? '') ? (header ?? '').slice('Bearer '.length).trim() : ''
  let difference = sent.length ^ token.length
  for (let index = 0; index < token.length; index += 1) difference |= (sent.charCodeAt(index) | 0) ^ token.charCodeAt(index)
  return difference === 0
}
