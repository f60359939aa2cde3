import type { Call } from '../engine/route.ts'

/** Who may use the control plane. */
export interface GuardOptions {
  /** Hosts that the server listens on by name, besides the loopback ones. */
  hosts?: readonly string[]
  /** When set, it must be sent as `Authorization: Bearer TOKEN`. */
  token?: string
  baseUrl: () => string
}

/** What of a request decides whether it may: its body is not read before. */
export type Head = Pick<Call, 'method' | 'url' | 'header'>

/** A request that may not use the control plane: the status and the reason. */
export interface Refusal {
  status: 401 | 403
  reason: string
}

/**
 * Turns away whom a browser was tricked into speaking for: a `Host` that is not ours (DNS rebinding), an `Origin` that is not ours
 * (a page of another site), and whoever lacks the token.
 */
export function guard({ header, method }: Head, options: GuardOptions): Refusal | undefined {
  const host = header('host') ?? ''
  if (!isOwnHost(host, options)) {
    return {
      status: 403,
      reason: `The control plane does not answer to the host ${JSON.stringify(host.slice(0, 200))}. Use a loopback address, the --host or the --base-url of the server.`,
    }
  }
  const origin = header('origin')
  if (origin !== null && !isOwnOrigin(origin, options)) {
    return {
      status: 403,
      reason: `The control plane does not answer to pages of ${JSON.stringify(origin.slice(0, 200))}. Serve them from a loopback address or from the --base-url of the server.`,
    }
  }
  // A preflight carries no token; what follows it does.
  if (options.token !== undefined && method !== 'OPTIONS' && !isToken(header('authorization'), options.token)) {
    return {
      status: 401,
      reason: "The control plane needs its token: send 'Authorization: Bearer <TOKEN>' with the one given as --control-token.",
    }
  }
  return undefined
}

/** The headers that let the page of an admitted origin read the answer. */
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
  return (
    name !== undefined &&
    (isLoopback(name) ||
      name === new URL(baseUrl()).hostname ||
      hosts.some((host) => name === host.toLowerCase() || name === `[${host.toLowerCase()}]`))
  )
}

function isOwnOrigin(origin: string, { baseUrl }: GuardOptions): boolean {
  if (origin === new URL(baseUrl()).origin) return true
  const name = /^https?:\/\/(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(origin)?.[1]
  return name !== undefined && isLoopback(name.toLowerCase())
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
}

/** Compares in a time that does not tell how much of the token was right. */
function isToken(header: string | null, token: string): boolean {
  const sent = /^Bearer +(.*?) *$/i.exec(header ?? '')?.[1] ?? ''
  let difference = sent.length ^ token.length
  for (let index = 0; index < token.length; index += 1) difference |= (sent.charCodeAt(index) | 0) ^ token.charCodeAt(index)
  return difference === 0
}
