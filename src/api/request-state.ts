import type { VariedRequest } from './variation-service.ts'
import type { MatchedFault } from '../world/faults.ts'
import { parseId } from '../lib/fields.ts'
import type { RecordedRequest } from '../world/action-log.ts'
import type { Call, Match, RouteMatcher } from './route.ts'
import type { Cause } from '../data/change-log.ts'
import { splitUrl } from '../lib/url.ts'
import { decodeBody } from './json-body.ts'
import { OutdatedRequestError } from '../errors.ts'
import type { World } from '../world/world.ts'
import type { Caller } from './admission.ts'

/** The state of a request in the pipeline. */
export interface RequestState extends Match {
  /** The request as the client sent it. */
  sent: Call
  /** The request after the variation was applied. */
  call: Call
  path: string
  rawQuery: string
  caller: Caller | undefined
  credits: 0 | 1
  fault: MatchedFault | undefined
  /** Set if the handler had already run when the fault took effect. */
  isCarriedOut?: true
  /** Real time when the request arrived, epoch ms. Null without `realTime`. */
  startedAt: number | null
  /** Id of the last request that was complete when this one arrived. */
  after: number
  /** Number of times that the state of the world had been replaced when this request arrived. */
  replacements: number
  /** Set if responses are varied. */
  varied: VariedRequest | undefined
  /** Set if a story sent the request. */
  sender: 'story' | undefined
  /** This request in the form that the recorder stores. */
  recorded: RecordedRequest | undefined
  /**
   * The cause that the change log stores for this request's changes. Its remaining fields are
   * filled in when the request is added to the journal.
   */
  cause: Cause | undefined
}

/** Returns the cause that the change log stores for changes made by a request. */
export function toChangeCause(request: RequestState): Cause {
  return (request.cause ??= { by: 'request', id: null, text: '' })
}

/** The input of `createRequestState`. */
export interface RequestContext {
  world: World
  matcher: RouteMatcher
  /** Returns the real time for the journal, epoch ms. */
  realTime?: (() => number) | undefined
}

/** Creates the state of a request and finds its route. */
export function createRequestState(
  { world, matcher, realTime }: RequestContext,
  given: Call,
): RequestState {
  const { path, rawQuery } = splitUrl(given.url)
  const { route, params } = matcher.match(given.method, path)
  const call = route?.fileLimit === undefined ? decodeBody(given) : given
  return {
    sent: call,
    call,
    path,
    rawQuery,
    route,
    params,
    caller: undefined,
    credits: 0,
    fault: undefined,
    startedAt: realTime?.() ?? null,
    after: world.journal.answeredId,
    replacements: world.replacements,
    varied: undefined,
    sender: undefined,
    recorded: undefined,
    cause: undefined,
  }
}

/**
 * Checks that the request may change the world. Call this after each `await`.
 *
 * @throws {OutdatedRequestError} if the world was reset after the request arrived
 */
export function assertCurrent(world: World, { replacements }: RequestState): void {
  if (world.replacements !== replacements) throw new OutdatedRequestError()
}

/** Replaces a request's call and finds the route again. */
export function setRequestCall(
  request: RequestState,
  call: Call,
  { matcher }: Pick<RequestContext, 'matcher'>,
): void {
  Object.assign(request, { call, ...splitUrl(call.url) })
  Object.assign(request, matcher.match(call.method, request.path))
}

/** Reads the account id from the path. Returns undefined if the id is not an integer. */
export function readAccountId({ params }: Pick<RequestState, 'params'>): number | undefined {
  const accountId = params['account_id']
  return accountId === undefined ? undefined : parseId(accountId)
}
