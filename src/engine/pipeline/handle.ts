import { ApiError, apiError, budgetAdvice, BudgetError, SandboxError } from '../../errors.ts'
import type { Edge, Passage } from '../edge.ts'
import type { FaultEffect, TakenFault } from '../faults.ts'
import { parseId } from '../fields.ts'
import { askerOf } from '../journal.ts'
import type { Exchange } from '../journal.ts'
import type { RecordedAnswer, RecordedRequest } from '../recorder.ts'
import type { Cause } from '../trail.ts'
import { FileAnswer, HeaderAnswer } from '../route.ts'
import type { Call, Context, Reply, Route, RouteMatcher } from '../route.ts'
import { splitUrl } from '../url.ts'
import type { VariationChoice } from '../variation.ts'
import { variation } from '../varying.ts'
import { finish as finishWork, isWork } from '../work.ts'
import type { Work } from '../work.ts'
import { withoutWorld } from '../world-name.ts'
import type { World } from '../world.ts'
import { authenticate, authorize, charge, findKey, requireCredit, requireSession, resolveAccount, sentKey, throttle } from './admit.ts'
import type { Caller } from './admit.ts'
import { shownAnswer, shownBody, shownHeaders, shownUrl, showKey } from './credentials.ts'
import { asksForPage, besidePage, envelop, jsonHeaders, pageOf, plain, refuse, withoutBody } from './envelope.ts'
import { alter, inject, InjectedReply } from './fault.ts'
import { serveFile } from './file.ts'
import type { FileLoader } from './file.ts'
import { fillTimes } from './relative-times.ts'
import { validate } from './validate.ts'

/** What the pipeline works with. */
export interface PipelineOptions {
  world: World
  matcher: RouteMatcher
  /** The largest body that the API accepts, bytes. */
  bodyLimit: number
  loadFile: FileLoader
  /** Receives a line for every error of the sandbox itself and for every unknown path. */
  log: (message: string) => void
  /** Reads real time, epoch ms, for the journal. */
  realTime?: () => number
  /** Makes what varies the answers. */
  openEdge: (choice: VariationChoice) => Promise<Edge>
}

/** Does the long work of a route while nothing else happens to the world. */
export type DoInTurn = <Result>(work: Work<Result>) => Promise<Result>

/** What the pipeline knows of a request so far. */
interface RequestState {
  /** The call as the client sent it. */
  sent: Call
  /** The same as it came through the edge, which is mostly as it was sent. */
  call: Call
  path: string
  rawQuery: string
  route: Route | undefined
  params: Readonly<Record<string, string>>
  caller: Caller | undefined
  credits: 0 | 1
  fault: TakenFault | undefined
  /** Real time when it came, epoch ms; null where there is none. */
  startedAt: number | null
  /** The id of the last request that had its answer when this one came. */
  after: number
  /** Set where a story asks. */
  asker?: 'story'
  /** The request as the recorder was given it, if it was. */
  recorded?: RecordedRequest
  /** What the records are told that it changes; it is complete once the journal has the request. */
  cause: Cause
}

/** A request of a story. */
export interface StoryCall extends Omit<Call, 'body'> {
  /** May have relative times. */
  body: unknown
  /** Set where it only stands in the journal, as it was answered when it was recorded: it is not asked again. */
  answered?: RecordedAnswer | undefined
}

/**
 * Builds the function that answers every call: it passes the gate in the order of docs/decisions/gate.md and then runs the route. Without
 * `doInTurn` the long work of a route is done at once.
 */
export function createPipeline(options: PipelineOptions): (call: Call, doInTurn?: DoInTurn) => Promise<Reply> {
  return async (call, doInTurn) => {
    const request = startRequest(options, call)
    request.startedAt = options.realTime?.() ?? null
    request.after = options.world.journal.lastId
    const { route } = request
    const opened = options.world.part(variation).open(options.openEdge)
    const passage = opened && (await (await opened).pass(request))
    try {
      if (passage !== undefined) Object.assign(request, toPlace(options, passage.call))
      if (request.call.refusal !== undefined) throw request.call.refusal // 0
      const reply = route?.gate === 'none' ? await answerOpenly(options, request, route) : await passGate(options, request, doInTurn)
      return finish(options, request, { reply, error: null, code: null, passage })
    } catch (error) {
      return finish(options, request, { ...toOutcome(options, request, error), passage })
    }
  }
}

/**
 * Makes a request of a story, and keeps it in the journal. Faults, rate windows and missing credits do not stop it: they did not when it
 * was recorded. @throws {ApiError}
 */
export function perform(options: Pick<PipelineOptions, 'world' | 'matcher' | 'bodyLimit'>, { body, answered, ...head }: StoryCall): void {
  const { world } = options
  const draft = startRequest(options, { ...head, body: null })
  const filled = answered !== undefined || draft.route?.body == null ? body : fillTimes(body, draft.route.body, world.clock.now())
  const call: Call = { ...head, body: filled === undefined ? null : JSON.stringify(filled) }
  const request: RequestState = { ...draft, sent: call, call, after: world.journal.lastId, asker: 'story' }
  const pipeline = { ...options, log: () => {} }
  if (answered !== undefined) return record(pipeline, request, recall(world, request, answered))
  try {
    record(pipeline, request, { reply: repeat(options, request), error: null, code: null })
  } catch (error) {
    record(pipeline, request, toOutcome(pipeline, request, error))
    throw error
  }
}

function repeat({ world, bodyLimit }: Pick<PipelineOptions, 'world' | 'bodyLimit'>, request: RequestState): Reply {
  const { call, path, rawQuery, route, params } = request
  const caller = authenticate(world, call)
  request.caller = caller
  chargeCaller(world, request, caller)
  if (route === undefined) throw apiError('route_unknown', { method: call.method, path })
  authorize(caller, route)
  const account = resolveAccount(world, caller, params['account_id'])
  const input = validate(call, route, { params, rawQuery, bodyLimit })
  requireSession(route, account)
  const result = world.trail.during(request.cause, () =>
    world.withinBudget('repeat a request', () => atOnce(route.handle({ world, account, ...caller, ...input, rawQuery } as Context))),
  )
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

function startRequest({ matcher }: Pick<PipelineOptions, 'matcher'>, call: Call): RequestState {
  return {
    ...toPlace({ matcher }, call),
    sent: call,
    caller: undefined,
    credits: 0,
    fault: undefined,
    startedAt: null,
    after: 0,
    cause: { by: 'request', id: null, text: '' },
  }
}

/** Where a call goes. */
function toPlace({ matcher }: Pick<PipelineOptions, 'matcher'>, call: Call) {
  const { path, rawQuery } = splitUrl(call.url)
  return { call, path, rawQuery, ...matcher.match(call.method, path) }
}

async function passGate({ world, bodyLimit }: PipelineOptions, request: RequestState, doInTurn?: DoInTurn): Promise<Reply> {
  const { call, path, rawQuery, route, params } = request
  world.settle()

  // The numbers are the steps of docs/decisions/gate.md.
  const caller = authenticate(world, call) // 1
  request.caller = caller
  throttle(world, caller) // 2
  const fault = takeFault(world, request, accountIdOf(request)) // 3
  // A 401 and a 429 take no credit, so they come before the charge.
  if (fault?.status === 401 || fault?.status === 429) await inject(world, fault, call.signal)
  const isPaid = chargeCaller(world, request, caller)
  if (fault !== undefined) await inject(world, fault, call.signal)

  requireCredit(caller, isPaid) // 4
  if (route === undefined) throw apiError('route_unknown', { method: call.method, path }) // 5
  authorize(caller, route) // 6
  const account = resolveAccount(world, caller, params['account_id']) // 7
  requireRoom(world, call)
  const input = validate(call, route, { params, rawQuery, bodyLimit }) // 8, 9
  requireSession(route, account) // 10
  const handle = () => route.handle({ world, account, ...caller, ...input, rawQuery } as Context)
  const { recorder } = world
  const isLong = doInTurn !== undefined && recorder === undefined
  const { trail } = world
  const run = () => trail.during(request.cause, () => world.withinBudget('answer', () => (isLong ? handle() : atOnce(handle()))))
  if (recorder !== undefined) request.recorded = toRecord(world, request)
  const handled = recorder === undefined || request.recorded === undefined ? run() : recorder.request(request.recorded, run)
  const result =
    isLong && isWork(handled)
      ? await doInTurn(trail.causing(request.cause, () => world.stayingWithinBudget('answer', () => handled)))
      : handled // 11
  return envelop(result, route, { world, organisation: caller.organisation, path, rawQuery })
}

/** Charges the caller. Returns whether there was a credit to take. */
function chargeCaller(world: World, request: RequestState, caller: Caller): boolean {
  const before = world.changeCount
  const isPaid = charge(world, caller)
  world.journal.charges += world.changeCount - before
  request.credits = 1
  return isPaid
}

/** What a route answers, with its work, if it has any, done at once. */
function atOnce(handled: unknown): unknown {
  return isWork(handled) ? finishWork(handled) : handled
}

/** A request as a recording keeps it. */
function toRecord({ db }: World, { call: { method, url, body }, route, caller }: RequestState): RecordedRequest {
  return {
    key: caller?.key.role ?? null,
    method,
    path: shownUrl(db, url),
    body: route?.fileLimit === undefined ? shownBody(db, body) : null,
  }
}

/** Answers a route without a gate: it needs no key, takes no credit, counts in no rate window and has no envelope. */
async function answerOpenly({ world, bodyLimit, loadFile }: PipelineOptions, request: RequestState, route: Route): Promise<Reply> {
  const { call, params, rawQuery } = request
  if (route.isPrompt !== true) world.settle()
  route.admit?.(world, { params, rawQuery })
  requireRoom(world, call)
  const input = validate(call, route, { params, rawQuery, bodyLimit })
  // A fault on an upload comes before the handler, so that a failed upload stores nothing.
  const uploadFault = route.fileLimit === undefined ? undefined : takeFault(world, request, undefined)
  if (uploadFault !== undefined) await inject(world, uploadFault, call.signal)
  const handle = () => route.handle({ world, account: undefined, ...input, rawQuery } as unknown as Context)
  const result = world.trail.during(request.cause, () => world.withinBudget('answer', handle))
  if (result instanceof HeaderAnswer) return { status: 200, headers: result.headers, body: null }
  const isFile = result instanceof FileAnswer
  const fault = takeFault(world, request, isFile ? result.accountId : undefined)
  if (fault !== undefined) await inject(world, fault, call.signal)
  if (!isFile) {
    const { toPage } = route
    const reply = toPage === undefined ? plain(result) : asksForPage(call) ? pageOf(await toPage(result)) : besidePage(plain(result))
    return call.method === 'HEAD' ? withoutBody(reply) : reply
  }
  // This stands behind the fault: a file that an injected fault refused was not shown.
  result.onShow()
  return serveFile(call, result, loadFile)
}

/** Requires that the host could keep the body. @throws {BudgetError} */
function requireRoom({ meter }: World, { isBodyWithoutRoom }: Call): void {
  if (isBodyWithoutRoom === true) meter?.budget.require(Infinity, 'read a body')
}

/** Step 3: finds the fault that hits the request, and counts the hit. */
function takeFault(world: World, request: RequestState, accountId: number | undefined): FaultEffect | undefined {
  const { route, caller, call } = request
  request.fault = world.faults.take({ route: route?.id, accountId, role: caller?.key.role, url: call.url, body: call.body })
  return request.fault?.effect
}

/** Lets the edge change the answer, dates it by the clock of the world, lets a fault change it, and keeps the request in the journal. */
function finish(
  options: PipelineOptions,
  request: RequestState,
  { passage, ...outcome }: Outcome & { passage: Passage | undefined },
): Reply {
  const { fault } = request
  const date = new Date(options.world.clock.now()).toUTCString()
  const left = passage === undefined ? outcome.reply : passage.leave(outcome.reply)
  const dated = { ...left, headers: { ...left.headers, date } }
  const sent = fault === undefined ? dated : alter(dated, fault.effect)
  const { route, params, rawQuery } = request
  if (route?.isProbe?.({ params, rawQuery }) !== true) record(options, request, { ...outcome, reply: sent })
  return sent
}

/** How a request ended: its answer, and why it was refused. */
interface Outcome {
  reply: Reply
  /** The sentence that the journal shows; null on success. */
  error: string | null
  code: string | null
}

function toOutcome({ log }: Pick<PipelineOptions, 'log'>, { call, path }: RequestState, thrown: unknown): Outcome {
  const error = thrown instanceof BudgetError ? apiError('memory_full', { limit: thrown.limitMb, advice: budgetAdvice }) : thrown
  if (error instanceof ApiError) return { reply: refuse(error), error: error.message, code: error.code }
  if (error instanceof InjectedReply) return { reply: error.reply, error: error.reason, code: null }
  const bug = apiError('internal_error')
  // Whoever uses the sandbox did something wrong, such as to let its clock follow a function that fails: the sentence says what.
  if (error instanceof SandboxError) bug.message = error.message
  log(`${call.method} ${path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return { reply: refuse(bug), error: bug.message, code: bug.code }
}

function record(
  { world, matcher, log, realTime }: Omit<PipelineOptions, 'bodyLimit' | 'loadFile' | 'openEdge'>,
  request: RequestState,
  { reply, error, code }: Outcome,
): void {
  const { sent: call, path, route, caller, fault, startedAt, after } = request
  const nearMisses = route === undefined && call.refusal === undefined ? matcher.nearMisses(call.method, path) : none
  if (call.refusal !== undefined) log(`${call.method} ${path.slice(0, 200)}: ${call.refusal.message}`)
  else if (route === undefined)
    log(`${call.method} ${path}: no such route${nearMisses.length === 0 ? '' : `; near it: ${nearMisses.join(', ')}`}`)
  // A key that is none of the sandbox's is not kept: it may open something elsewhere.
  const unknown = caller === undefined ? sentKey(call) : null
  const known = caller?.key ?? (unknown === null ? undefined : findKey(world.db, unknown))
  const shownPath = shownUrl(world.db, call.url)
  const { body } = reply
  const isFile = body instanceof Uint8Array
  const text = isFile ? null : (body as Exchange['response']['body'])
  const exchange: Exchange = {
    at: world.clock.now(),
    startedAt,
    durationMs: startedAt === null || realTime === undefined ? null : Math.round((realTime() - startedAt) * 1000) / 1000,
    after,
    version: world.changeCount - world.journal.charges,
    asker: request.asker,
    method: call.method,
    path: shownPath,
    route,
    account_id: accountIdOf(request) ?? null,
    organisation: caller?.organisation.id ?? null,
    key: known === undefined ? unknown && showKey(world.db, unknown) : withoutWorld(known.key, world.id),
    role: known?.role ?? null,
    status: reply.status,
    credits: request.credits,
    error,
    code,
    fault: fault?.id ?? null,
    nearMisses,
    request: requestOf(world, request),
    response: {
      content_type: reply.headers['content-type'] ?? null,
      body: text === null || shownPath === call.url ? text : shownAnswer(world.db, text),
    },
    sizes: isFile || route?.fileLimit !== undefined ? { request: call.bytes?.length ?? 0, response: isFile ? body.length : 0 } : undefined,
  }
  world.journal.record(exchange)
  request.cause.id = world.journal.lastId
  request.cause.text = `${exchange.method} ${exchange.path}`
  if (world.recorder === undefined || askerOf(exchange) !== 'client') return
  world.recorder.answered(request.recorded ?? toRecord(world, request), { status: reply.status, code, isOpen: route?.gate === 'none' })
}

const none: readonly string[] = []
/** What the journal keeps of what was sent. */
function requestOf({ db, journal }: World, { sent: call, route, caller }: RequestState): Exchange['request'] {
  const body = route?.fileLimit === undefined ? shownBody(db, call.body) : null
  return journal.share({ headers: shownHeaders(db, call, caller?.key), content_type: call.header('content-type'), body })
}

function accountIdOf({ params }: RequestState): number | undefined {
  const accountId = params['account_id']
  return accountId === undefined ? undefined : parseId(accountId)
}
