import { apiError } from '../../errors.ts'
import type { RecordedAnswer } from '../recorder.ts'
import type { Call, Context, Reply } from '../route.ts'
import { finish, isWork } from '../work.ts'
import type { World } from '../world.ts'
import { authenticate, authorize, charge, findKey, requireSession, resolveAccount, sentKey } from './admit.ts'
import { envelop, jsonHeaders } from './envelope.ts'
import { toOutcome } from './outcome.ts'
import { record } from './record.ts'
import type { Outcome } from './record.ts'
import { fillTimes } from './relative-times.ts'
import { startRequest } from './request.ts'
import type { Arrival, RequestState } from './request.ts'
import { Defaults, validate } from './validate.ts'

/** A request of a story. */
export interface StoryCall extends Omit<Call, 'body'> {
  /** May have relative times. */
  body: unknown
  /** Set where it only stands in the journal, as it was answered when it was recorded: it is not asked again. */
  answered?: RecordedAnswer | undefined
}

/** What a story asks. */
export interface StoryOptions extends Omit<Arrival, 'realTime'> {
  /** The largest body that the API accepts, bytes. */
  bodyLimit: number
}

/**
 * Makes a request of a story, and keeps it in the journal. Faults, rate windows and missing credits do not stop it: they did not when it
 * was recorded. @throws {ApiError}
 */
export function perform({ world, matcher, bodyLimit }: StoryOptions, { body, answered, ...head }: StoryCall): void {
  const draft = startRequest({ world, matcher }, { ...head, body: null })
  const filled = answered !== undefined || draft.route?.body == null ? body : fillTimes(body, draft.route.body, world.clock.now())
  const call: Call = { ...head, body: filled === undefined ? null : JSON.stringify(filled) }
  const request: RequestState = { ...draft, sent: call, call, asker: 'story' }
  const options = { world, matcher, log: () => {} }
  if (answered !== undefined) return record(options, request, recall(world, request, answered))
  try {
    record(options, request, { reply: repeat(world, request, bodyLimit), error: null, code: null })
  } catch (error) {
    record(options, request, toOutcome(options, request, error))
    throw error
  }
}

function repeat(world: World, request: RequestState, bodyLimit: number): Reply {
  const { call, path, rawQuery, route, params } = request
  const caller = authenticate(world, call)
  request.caller = caller
  charge(world, caller)
  request.credits = 1
  if (route === undefined) throw apiError('route_unknown', { method: call.method, path })
  authorize(caller, route)
  const account = resolveAccount(world, caller, params['account_id'])
  const input = validate(call, route, { params, rawQuery, bodyLimit, defaults: new Defaults() })
  requireSession(route, account)
  const result = world.withinBudget('repeat a request', () => {
    const handled = route.handle({ world, account, ...caller, ...input, rawQuery } as Context)
    return isWork(handled) ? finish(handled) : handled
  })
  return envelop(result, route, { world, organisation: caller.organisation, path, rawQuery })
}

/** How a request of a story ended when it was recorded. */
function recall(world: World, request: RequestState, { status, code }: RecordedAnswer): Outcome {
  const sent = sentKey(request.call)
  if (sent !== null && findKey(world.db, sent) !== undefined) request.caller = authenticate(world, request.call)
  if (request.route?.gate !== 'none' && status !== 401 && status !== 429) request.credits = 1
  if (status >= 400 && code === null) request.fault = { id: 0, effect: {} }
  const error = status < 400 ? null : `It was answered with ${status} when it was recorded.`
  return { reply: { status, headers: jsonHeaders, body: null }, error, code }
}
