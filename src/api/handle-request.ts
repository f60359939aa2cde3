import { toRequestOutcome } from './outcome.ts'
import { createApiError, OutdatedRequestError } from '../errors.ts'
import type { Variator } from './variation-service.ts'
import { FileResponse, HeadersResponse } from './route.ts'
import type { Call, Context, Reply, Route } from './route.ts'
import type { VariationChoice } from '../world/variation-choice.ts'
import { variation } from './variation-service.ts'
import type { World } from '../world/world.ts'
import { authenticate, authorize, chargeRequest, requireCredit, throttle } from './admission.ts'
import type { Caller } from './admission.ts'
import {
  addDateHeader,
  wrapInEnvelope,
  createJsonReply,
  toHeadReply,
  renderPage,
} from './envelope.ts'
import type { HttpDateFormatter } from './envelope.ts'
import { applyFaultToReply, injectFault, isFreeOfCharge, consumeFault } from './inject-fault.ts'
import { readUploadedFile, serveFile } from './file.ts'
import type { FileLoader } from './file.ts'
import { recordRequest, toRecordedRequest } from './record-request.ts'
import type { Outcome, RecordDependencies } from './record-request.ts'
import {
  assertCurrent,
  readAccountId,
  toChangeCause,
  setRequestCall,
  createRequestState,
} from './request-state.ts'
import type { RequestState } from './request-state.ts'
import { validateRequest } from './validate.ts'
import type { EmptyQueryCache } from './validate.ts'

/** The world and routes that a request pipeline uses. */
export interface RouteDependencies {
  world: World
  /** Maximum size of a request body, bytes. */
  bodyLimit: number
  defaults: EmptyQueryCache
}

/** The request pipeline of a world. */
export interface Pipeline extends RouteDependencies, RecordDependencies {
  date: HttpDateFormatter
  loadFile: FileLoader
  /** Loads the module that varies responses. */
  loadVariator: (choice: VariationChoice) => Promise<Variator>
}

/** Handles one request. Step numbers refer to docs/decisions/order-of-checks.md. */
export async function handleRequest(pipeline: Pipeline, call: Call): Promise<Reply> {
  const { world } = pipeline
  const request = createRequestState(pipeline, call)
  if (world.service(variation).choice !== null) await applyVariation(pipeline, request)
  let outcome: Outcome
  try {
    assertCurrent(world, request)
    if (request.call.refusal !== undefined) throw request.call.refusal // 0
    const { route } = request
    let reply: Reply
    if (route?.accessChecks === 'none') reply = await handleOpenRoute(pipeline, request, route)
    else {
      world.runDueEffects()
      world.changeLog.startRequest()
      const { caller, hasCredit } = admitRequest(world, request) // 1 to 3
      reply = await runWithFault(world, request, () => {
        requireCredit(caller, hasCredit) // 4
        return handleRoute(pipeline, request, caller) // 5 to 11
      })
    }
    outcome = { reply, error: null, code: null }
  } catch (error) {
    if (error instanceof OutdatedRequestError) throw error
    outcome = toRequestOutcome(pipeline, request, error)
  }
  const varied = request.varied?.toReply(outcome.reply) ?? outcome.reply
  const reply = applyFaultToReply(
    addDateHeader(varied, pipeline.date.format(world.clock.now())),
    request.fault,
  )
  if (request.replacements === world.replacements)
    recordRequest(pipeline, request, { ...outcome, reply })
  return reply
}

/**
 * Runs a step and applies the request's fault: after the step if the fault sets `applied`,
 * otherwise before it.
 */
async function runWithFault<Result>(
  world: World,
  request: RequestState,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  const { effect } = request.fault ?? {}
  if (effect === undefined) return step()
  if (effect.applied !== true) {
    await injectFault(world, effect, request.call.signal)
    assertCurrent(world, request)
    return step()
  }
  const result = await step()
  request.isCarriedOut = true
  await injectFault(world, effect, request.call.signal)
  return result
}

/**
 * Returns the response to a read-only request, without charging or recording the request. Returns
 * undefined if the request fails.
 */
export function previewReply(
  pipeline: RouteDependencies & RecordDependencies,
  call: Call,
): Reply | undefined {
  // The recorder ignores requests sent by a story.
  const request: RequestState = { ...createRequestState(pipeline, call), sender: 'story' }
  try {
    return handleRoute(pipeline, request, authenticate(pipeline.world, call))
  } catch {
    return undefined
  }
}

/**
 * Steps 1 to 3: identifies the caller, checks its rate limits, finds the fault that applies, and
 * charges the request. A fault that costs no credit is injected before step 4.
 * @throws {ApiError} key_missing, key_unknown, minute_limit, day_limit
 */
function admitRequest(world: World, request: RequestState): { caller: Caller; hasCredit: boolean } {
  const caller = authenticate(world, request.call) // 1
  request.caller = caller
  throttle(world, caller) // 2
  const fault = consumeFault(world, request, readAccountId(request)) // 3
  if (isFreeOfCharge(fault)) return { caller, hasCredit: true }
  const hasCredit = chargeRequest(world, caller)
  request.credits = 1
  return { caller, hasCredit }
}

/** Runs steps 5 to 11. Also used for requests sent by a story. */
export function handleRoute(
  dependencies: RouteDependencies,
  request: RequestState,
  caller: Caller,
): Reply {
  const { world, bodyLimit, defaults } = dependencies
  const { call, path, rawQuery, route, params } = request
  if (route === undefined) throw createApiError('route_unknown', { method: call.method, path }) // 5
  const account = authorize(world, caller, { route, params }) // 6, 7
  requireMemory(world, call, route)
  const input = validateRequest(call, route, { params, rawQuery, bodyLimit, defaults }) // 8, 9
  if (route.kind === 'relay' && account?.session === 'lapsed')
    throw createApiError('session_lapsed', { account_id: account.id }) // 10
  const { key, organisation } = caller
  // Lists the fields one by one, because spreading objects of many different shapes is slow.
  const context = {
    world,
    account,
    key,
    organisation,
    params: input.params,
    query: input.query,
    body: input.body,
    rawQuery,
  } as Context
  const result = runHandler(world, request, () => route.handle(context)) // 11
  return wrapInEnvelope(result, route, { world, organisation, path, rawQuery })
}

/**
 * Runs a handler. Stores the request in the change log as the cause of its changes, and passes it
 * to the recorder.
 */
function runHandler(world: World, request: RequestState, handle: () => unknown): unknown {
  const { recorder } = world
  const run = () => world.changeLog.runWithCause(toChangeCause(request), handle)
  if (recorder === undefined || request.sender === 'story') return run()
  request.recorded = toRecordedRequest(world, request)
  return request.recorded === undefined ? run() : recorder.request(request.recorded, run)
}

/** Handles a request to a public route, which needs no key, costs no credit and has no envelope. */
async function handleOpenRoute(
  { world, bodyLimit, loadFile, defaults }: Pipeline,
  request: RequestState,
  route: Route,
): Promise<Reply> {
  const { call, params, rawQuery } = request
  if (route.isPrompt !== true) world.runDueEffects()
  route.admit?.(world, { params, rawQuery })
  requireMemory(world, call, route)
  const input = validateRequest(call, route, { params, rawQuery, bodyLimit, defaults })
  const isUpload = route.fileLimit !== undefined
  // The fault of an upload is applied before the handler runs, so a failed upload stores nothing.
  if (isUpload) consumeFault(world, request, undefined)
  const result = await runWithFault(world, request, async () => {
    if (isUpload) input.body = await readUploadedFile(input.body as Uint8Array[])
    assertCurrent(world, request)
    const context = { world, account: undefined, ...input, rawQuery } as unknown as Context
    return runHandler(world, request, () => route.handle(context))
  })
  if (result instanceof HeadersResponse) return { status: 200, headers: result.headers, body: null }
  const file = result instanceof FileResponse ? result.sent : undefined
  // Finds the fault only now, because only the handler knows the account of a file.
  const fault = consumeFault(world, request, file?.accountId)
  // The fault's response replaces the file, so access is checked before the fault is applied.
  if (fault?.applied === true) file?.onShow()
  if (fault !== undefined) await injectFault(world, fault, call.signal)
  if (fault?.applied !== true) assertCurrent(world, request)
  if (file !== undefined) {
    if (fault?.applied !== true) file.onShow()
    return serveFile(call, file, loadFile)
  }
  const reply =
    route.toPage === undefined ? createJsonReply(result) : renderPage(call, route, result)
  return call.method === 'HEAD' ? toHeadReply(reply) : reply
}

/**
 * Checks that memory suffices for the request body and for new records.
 * @throws {MemoryLimitError}
 */
function requireMemory(world: World, { isBodyWithoutRoom }: Call, route: Route): void {
  if (isBodyWithoutRoom === true) throw world.options.memory?.error('read a body')
  const { method, isRead = method === 'GET' } = route
  // Deletions are always allowed, because they free memory.
  if (!isRead && method !== 'DELETE') world.requireRoom('answer')
}

/** Varies the request and prepares the variation of its response. */
async function applyVariation(pipeline: Pipeline, request: RequestState): Promise<void> {
  const variator = await pipeline.world.service(variation).load(pipeline.loadVariator)
  request.varied = await variator?.start(request)
  if (request.varied !== undefined) setRequestCall(request, request.varied.call, pipeline)
}
