import { createApiError } from '../errors.ts'
import { bodilessStatuses } from '../world/fault-input.ts'
import type { FaultEffect } from '../world/fault-input.ts'
import type { MatchedFault } from '../world/faults.ts'
import { takeFirstHalf } from '../lib/chunks.ts'
import type { AbortNotifier, Reply } from './route.ts'
import type { World } from '../world/world.ts'
import { jsonHeaders, createErrorReply } from './envelope.ts'
import type { RequestState } from './request-state.ts'

/** Thrown to end a request with the response of a fault, or with a closed connection. */
export class InjectedReply extends Error {
  override readonly name = 'InjectedReply'
  readonly reply: Reply

  /** Error message for the journal, or null if the response is not an error. */
  readonly reason: string | null

  constructor(reply: Reply, reason: string | null) {
    super(reason ?? 'A fault replaced the response of the route.')
    this.reply = reply
    this.reason = reason
  }
}

/**
 * Step 3: finds the fault that applies to the request, and counts the request as one use of the
 * fault.
 */
export function consumeFault(
  world: World,
  request: RequestState,
  accountId: number | undefined,
): FaultEffect | undefined {
  if (world.faults.isEmpty) return undefined
  const { route, caller, call } = request
  const target = {
    route: route?.id,
    accountId,
    role: caller?.key.role,
    url: call.url,
    body: call.body,
  }
  request.fault = world.faults.consume(target, world.clock.now(), (lastsMs, end) => {
    const timer: { unref?: () => void } | number = setTimeout(end, lastsMs)
    // The timer must not keep the process alive.
    if (typeof timer === 'object') timer.unref?.()
  })
  return request.fault?.effect
}

/**
 * True if a fault replaces the route's response with a 401 or 429. These responses cost no credit.
 */
export function isFreeOfCharge(effect: FaultEffect | undefined): boolean {
  return effect?.applied !== true && (effect?.status === 401 || effect?.status === 429)
}

/**
 * Applies a fault: waits, closes the connection, or replaces the response of the route. The delay
 * is in real time, so that the client actually waits.
 * @throws {InjectedReply}
 */
export async function injectFault(
  world: World,
  effect: FaultEffect | undefined,
  signal?: AbortNotifier,
): Promise<void> {
  if (effect === undefined) return
  if (effect.delay_ms !== undefined) {
    await wait(effect.delay_ms, signal, world.faults)
    if (signal?.aborted === true)
      throw new InjectedReply(noReply, 'The client disconnected before the response was sent.')
    world.runDueEffects()
  }
  if (effect.drop === true) throw new InjectedReply(noReply, 'A fault closed the connection.')
  if (effect.status !== undefined) throw toReply(effect, effect.status)
}

/** Applies a fault to a response: adds headers, or cuts off the second half of the body. */
export function applyFaultToReply(reply: Reply, fault: MatchedFault | undefined): Reply {
  if (fault === undefined) return reply
  const { headers = {}, truncate = false, drop } = fault.effect
  const names = new Map(Object.keys(reply.headers).map((name) => [name.toLowerCase(), name]))
  const merged = { ...reply.headers }
  for (const [name, value] of Object.entries(headers))
    merged[names.get(name.toLowerCase()) ?? name.toLowerCase()] = value
  const altered = { ...reply, headers: merged }
  const cut = bodilessStatuses.has(reply.status) ? 'before' : 'midway'
  if (drop === 'midway' && reply.cut === undefined) return { ...altered, cut }
  return truncate && !bodilessStatuses.has(reply.status)
    ? { ...altered, headers: withoutLength(merged), body: takeFirstHalf(reply.body) }
    : altered
}

const noReply: Reply = { status: 0, headers: {}, body: null, cut: 'before' }

function toReply({ error, body, content_type: type }: FaultEffect, status: number): InjectedReply {
  if (body !== undefined) {
    const isText = typeof body === 'string'
    const headers = {
      ...jsonHeaders,
      ...(isText ? { 'content-type': 'text/plain; charset=utf-8' } : {}),
      ...(type === undefined ? {} : { 'content-type': type }),
    }
    return new InjectedReply(
      { status, headers, body: isText ? body : JSON.stringify(body) },
      status < 400 ? null : `A fault returned ${status}.`,
    )
  }
  if (status < 400) return new InjectedReply({ status, headers: {}, body: null }, null)
  const message = error ?? createApiError('fault_injected', { status }, status).message
  return new InjectedReply(createErrorReply(status, message), message)
}

/** Removes the `content-length` header. The host computes it again for the new body. */
function withoutLength(headers: Reply['headers']): Reply['headers'] {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length'),
  )
}

/** The delays in progress in a world. */
export interface Delays {
  /** Functions that end the delays. */
  readonly delays: Set<() => void>
  /** True if the world is closed, so that new delays end immediately. */
  readonly isClosed: boolean
}

/**
 * Waits for a number of milliseconds of real time, or until the client disconnects or the world is
 * closed.
 */
export function wait(
  ms: number,
  signal: AbortNotifier | undefined,
  { delays, isClosed }: Delays,
): Promise<void> {
  if (isClosed) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms)
    function finish(): void {
      clearTimeout(timer)
      delays.delete(finish)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    delays.add(finish)
    if (signal?.aborted === true) finish()
    else signal?.addEventListener('abort', finish)
  })
}
