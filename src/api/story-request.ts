import type { RecordedResponse } from '../world/action-log.ts'
import type { Call } from './route.ts'
import type { World } from '../world/world.ts'
import { authenticate, chargeRequest, findAcceptedKey, readApiKey } from './admission.ts'
import { jsonHeaders } from './envelope.ts'
import { handleRoute } from './handle-request.ts'
import type { RouteDependencies } from './handle-request.ts'
import { toRequestOutcome } from './outcome.ts'
import { recordRequest } from './record-request.ts'
import type { Outcome } from './record-request.ts'
import { createRequestState } from './request-state.ts'
import type { RequestContext, RequestState } from './request-state.ts'
import type { z } from 'zod'
import { getAtPath } from '../lib/plain-json.ts'
import { stopEarly } from '../lib/schema-parts.ts'
import { parseSignedDuration, toIsoTime } from '../lib/time.ts'

/** A request that a story sends. */
interface StoryCall extends Omit<Call, 'body'> {
  /** The JSON body, which may contain relative times. */
  body: unknown
  /** Recorded response. If set, the request is added to the journal but not sent again. */
  answered?: RecordedResponse | undefined
}

/** Options for the requests that a story sends. */
export interface StoryOptions extends Omit<RequestContext, 'realTime'>, RouteDependencies {}

/**
 * Sends a request that is part of a story, and adds it to the journal. Ignores faults, rate limits
 * and missing credits, because none of them stopped the original request.
 * @throws {ApiError}
 */
export function sendStoryRequest(
  story: StoryOptions,
  { body, answered, ...head }: StoryCall,
): void {
  const { world, matcher } = story
  const draft = createRequestState({ world, matcher }, { ...head, body: null })
  const filled =
    answered !== undefined || draft.route?.body == null
      ? body
      : resolveRelativeTimes(body, draft.route.body, world.clock.now())
  const call: Call = { ...head, body: filled === undefined ? null : JSON.stringify(filled) }
  const request: RequestState = { ...draft, sent: call, call, sender: 'story' }
  const options = { world, matcher, log: () => {} }
  if (answered !== undefined)
    return recordRequest(options, request, getRecordedOutcome(world, request, answered))
  try {
    const caller = authenticate(world, call)
    request.caller = caller
    chargeRequest(world, caller)
    request.credits = 1
    const reply = handleRoute(story, request, caller)
    recordRequest(options, request, { reply, error: null, code: null })
  } catch (error) {
    recordRequest(options, request, toRequestOutcome(options, request, error))
    throw error
  }
}

/** Returns the recorded outcome of a story's request. */
function getRecordedOutcome(
  world: World,
  request: RequestState,
  { status, code }: RecordedResponse,
): Outcome {
  const sent = readApiKey(request.call)
  if (sent !== null && findAcceptedKey(world, sent) !== undefined)
    request.caller = authenticate(world, request.call)
  if (request.route?.accessChecks !== 'none' && status !== 401 && status !== 429)
    request.credits = 1
  if (status >= 400 && code === null) request.fault = { id: 0, effect: {} }
  const error = status < 400 ? null : `The recorded response had the status ${status}.`
  return { reply: { status, headers: jsonHeaders, body: null }, error, code }
}

/** Maximum number of relative times in a request body. */
const maxTimes = 100

/**
 * Replaces relative times in a request body (`+2h`, `-3d` and `now`) with absolute times, relative
 * to `now`, epoch ms. Replaces only strings that the schema rejects, so the text of a message never
 * changes.
 */
function resolveRelativeTimes(body: unknown, schema: z.ZodType, now: number): unknown {
  let filled = body
  for (let count = 0; count < maxTimes; count += 1) {
    const result = schema.safeParse(filled, stopEarly)
    const path = result.error?.issues[0]?.path ?? []
    const instant = path.length === 0 ? undefined : readRelative(getAtPath(filled, path), now)
    if (instant === undefined) return filled
    filled = replaceAt(filled, path, toIsoTime(instant))
  }
  return filled
}

function readRelative(text: unknown, now: number): number | undefined {
  if (text === 'now') return now
  const fromNow = typeof text === 'string' ? parseSignedDuration(text) : undefined
  return fromNow === undefined ? undefined : now + fromNow
}

/** Returns a copy of a value with a new part at an existing path. */
function replaceAt(
  value: unknown,
  [key, ...rest]: readonly PropertyKey[],
  replacement: string,
): unknown {
  if (key === undefined) return replacement
  const inner = replaceAt((value as Readonly<Record<PropertyKey, unknown>>)[key], rest, replacement)
  return Array.isArray(value)
    ? value.with(Number(key), inner)
    : { ...(value as object), [key]: inner }
}
