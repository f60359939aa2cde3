import type { Passage } from './variation-edge.ts'
import type { TakenFault } from '../world/faults.ts'
import { parseId } from '../lib/fields.ts'
import type { RecordedRequest } from '../world/recorder.ts'
import type { Call, Match, RouteMatcher } from './route.ts'
import type { Cause } from '../data/change-log.ts'
import { splitUrl } from '../lib/url.ts'
import { withText } from './json-body.ts'
import type { World } from '../world/world.ts'
import type { Caller } from './admit.ts'

/** What the pipeline knows of a request so far. */
export interface RequestState extends Match {
  /** The call as the client sent it. */
  sent: Call
  /** The same as it came through the edge, which is mostly as it was sent. */
  call: Call
  path: string
  rawQuery: string
  caller: Caller | undefined
  credits: 0 | 1
  fault: TakenFault | undefined
  /** Real time when it came, epoch ms; null where there is none. */
  startedAt: number | null
  /** The id of the last request that had its answer when this one came. */
  after: number
  /** The way through the variation, if the answers of the world vary. */
  passage: Passage | undefined
  /** Set where a story asks. */
  asker: 'story' | undefined
  /** The request as the recorder was given it, if it was. */
  recorded: RecordedRequest | undefined
  /**
   * What the records are told that it changes, once its route runs; it is complete once the journal
   * has the request.
   */
  cause: Cause | undefined
}

/** What a request changes from now on, it changes by itself. */
export function causeOf(request: RequestState): Cause {
  return (request.cause ??= { by: 'request', id: null, text: '' })
}

/** What a request begins with. */
export interface Arrival {
  world: World
  matcher: RouteMatcher
  /** Reads real time, epoch ms, for the journal. */
  realTime?: (() => number) | undefined
}

export function startRequest({ world, matcher, realTime }: Arrival, given: Call): RequestState {
  const { path, rawQuery } = splitUrl(given.url)
  const { route, params } = matcher.match(given.method, path)
  const call = route?.fileLimit === undefined ? withText(given) : given
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
    passage: undefined,
    asker: undefined,
    recorded: undefined,
    cause: undefined,
  }
}

/** Lets a request go where another call goes. */
export function redirect(
  request: RequestState,
  call: Call,
  { matcher }: Pick<Arrival, 'matcher'>,
): void {
  Object.assign(request, { call, ...splitUrl(call.url) })
  Object.assign(request, matcher.match(call.method, request.path))
}

/** The account that the path names, if it names one by an integer. */
export function accountIdOf({ params }: Pick<RequestState, 'params'>): number | undefined {
  const accountId = params['account_id']
  return accountId === undefined ? undefined : parseId(accountId)
}
