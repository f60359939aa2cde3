import { apiError } from '../../errors.ts'
import type { Edge, Passage } from '../edge.ts'
import type { FaultEffect } from '../faults.ts'
import { FileAnswer, HeaderAnswer } from '../route.ts'
import type { Answer, Call, Context, Reply, Route } from '../route.ts'
import type { VariationChoice } from '../variation.ts'
import { variation } from '../varying.ts'
import { finish as finishWork, isWork } from '../work.ts'
import type { Work } from '../work.ts'
import type { World } from '../world.ts'
import { authenticate, authorize, charge, requireCredit, requireSession, resolveAccount, throttle } from './admit.ts'
import { asksForPage, besidePage, envelop, HttpDate, pageOf, plain, withoutBody } from './envelope.ts'
import { alter, injecting } from './fault.ts'
import { serveFile } from './file.ts'
import type { FileLoader } from './file.ts'
import { toOutcome } from './outcome.ts'
import { record, toRecord } from './record.ts'
import type { Outcome, RecordOptions } from './record.ts'
import { accountIdOf, causeOf, redirect, startRequest } from './request.ts'
import type { RequestState } from './request.ts'
import { Defaults, validate } from './validate.ts'
import { take, until } from './waiting.ts'
import type { Waiting } from './waiting.ts'

/** What the pipeline works with. */
export interface PipelineOptions extends RecordOptions {
  /** The largest body that the API accepts, bytes. */
  bodyLimit: number
  loadFile: FileLoader
  /** Makes what varies the answers. */
  openEdge: (choice: VariationChoice) => Promise<Edge>
}

/** Does the long work of a route while nothing else happens to the world. */
export type DoInTurn = <Result>(work: Work<Result>) => Promise<Result>

/** Who asks. */
export interface Asking {
  /** @default at once */
  doInTurn?: DoInTurn | undefined
  /** Whether the client is in the same process: its request has ended once all have come that it sent at the same time. */
  isInProcess?: boolean
}

/** The options, with what the pipeline remembers from one request to the next. */
interface Pipeline extends PipelineOptions {
  date: HttpDate
  defaults: Defaults
}

/**
 * Builds the function that answers every call: it passes the gate in the order of docs/decisions/gate.md and then runs the route. The
 * answer is there at once, but where one has to wait for it: for a delay, a file, or long work. Without `doInTurn` the long work of a route
 * is done at once.
 */
export function createPipeline(options: PipelineOptions): (call: Call, asking?: Asking) => Answer {
  const pipeline: Pipeline = { ...options, date: new HttpDate(), defaults: new Defaults() }
  return (call, asking = {}) => take(answering(pipeline, call, asking))
}

function* answering(pipeline: Pipeline, call: Call, { doInTurn, isInProcess = false }: Asking): Waiting<Reply> {
  const request = startRequest(pipeline, call)
  const { route } = request
  const opened = pipeline.world.part(variation).open(pipeline.openEdge)
  const passage = opened && (yield* until((yield* until(opened)).pass(request)))
  try {
    if (passage !== undefined) redirect(request, passage.call, pipeline)
    if (request.call.refusal !== undefined) throw request.call.refusal // 0
    const isOpen = route?.gate === 'none'
    const reply = isOpen ? yield* answeringOpenly(pipeline, request, route) : yield* passingGate(pipeline, request, doInTurn)
    if (isInProcess) yield* until(Promise.resolve())
    return finish(pipeline, request, { reply, error: null, code: null, passage })
  } catch (error) {
    if (isInProcess) yield* until(Promise.resolve())
    return finish(pipeline, request, { ...toOutcome(pipeline, request, error), passage })
  }
}

function* passingGate({ world, bodyLimit, defaults }: Pipeline, request: RequestState, doInTurn?: DoInTurn): Waiting<Reply> {
  const { call, path, rawQuery, route, params } = request
  world.settle()

  // The numbers are the steps of docs/decisions/gate.md.
  const caller = authenticate(world, call) // 1
  request.caller = caller
  throttle(world, caller) // 2
  const fault = takeFault(world, request, accountIdOf(request)) // 3
  // A 401 and a 429 take no credit, so they come before the charge.
  if (fault?.status === 401 || fault?.status === 429) yield* injecting(world, fault, call.signal)
  const isPaid = charge(world, caller)
  request.credits = 1
  if (fault !== undefined) yield* injecting(world, fault, call.signal)

  requireCredit(caller, isPaid) // 4
  if (route === undefined) throw apiError('route_unknown', { method: call.method, path }) // 5
  authorize(caller, route) // 6
  const account = resolveAccount(world, caller, params['account_id']) // 7
  requireRoom(world, call)
  const input = validate(call, route, { params, rawQuery, bodyLimit, defaults }) // 8, 9
  requireSession(route, account) // 10
  const accountId = route.method === 'GET' ? account?.id : undefined
  const handle = () => world.within(accountId, () => route.handle({ world, account, ...caller, ...input, rawQuery } as Context))
  const { recorder } = world
  const isLong = doInTurn !== undefined && recorder === undefined
  const { trail } = world
  const cause = causeOf(request)
  const run = () => trail.during(cause, () => world.withinBudget('answer', () => (isLong ? handle() : atOnce(handle()))))
  if (recorder !== undefined) request.recorded = toRecord(world, request)
  const handled = recorder === undefined || request.recorded === undefined ? run() : recorder.request(request.recorded, run)
  const work = () => world.stayingWithinBudget('answer', () => handled as Work<unknown>)
  const result = isLong && isWork(handled) ? yield* until(doInTurn(trail.causing(cause, work))) : handled // 11
  return world.within(accountId, () => envelop(result, route, { world, organisation: caller.organisation, path, rawQuery }))
}

/** What a route answers, with its work, if it has any, done at once. */
function atOnce(handled: unknown): unknown {
  return isWork(handled) ? finishWork(handled) : handled
}

/** Answers a route without a gate: it needs no key, takes no credit, counts in no rate window and has no envelope. */
function* answeringOpenly({ world, bodyLimit, loadFile, defaults }: Pipeline, request: RequestState, route: Route): Waiting<Reply> {
  const { call, params, rawQuery } = request
  if (route.isPrompt !== true) world.settle()
  route.admit?.(world, { params, rawQuery })
  requireRoom(world, call)
  const input = validate(call, route, { params, rawQuery, bodyLimit, defaults })
  // A fault on an upload comes before the handler, so that a failed upload stores nothing.
  const uploadFault = route.fileLimit === undefined ? undefined : takeFault(world, request, undefined)
  if (uploadFault !== undefined) yield* injecting(world, uploadFault, call.signal)
  const handle = () => route.handle({ world, account: undefined, ...input, rawQuery } as unknown as Context)
  const result = world.trail.during(causeOf(request), () => world.withinBudget('answer', handle))
  if (result instanceof HeaderAnswer) return { status: 200, headers: result.headers, body: null }
  const isFile = result instanceof FileAnswer
  const fault = takeFault(world, request, isFile ? result.accountId : undefined)
  if (fault !== undefined) yield* injecting(world, fault, call.signal)
  if (!isFile) {
    const { toPage } = route
    const reply =
      toPage === undefined ? plain(result) : asksForPage(call) ? pageOf(yield* until(toPage(result))) : besidePage(plain(result))
    return call.method === 'HEAD' ? withoutBody(reply) : reply
  }
  // This stands behind the fault: a file that an injected fault refused was not shown.
  result.onShow()
  return yield* until(serveFile(call, result, loadFile))
}

/** Requires that the host could keep the body. @throws {BudgetError} */
function requireRoom({ meter }: World, { isBodyWithoutRoom }: Call): void {
  if (isBodyWithoutRoom === true) meter?.budget.require(Infinity, 'read a body')
}

/** Step 3: finds the fault that hits the request, and counts the hit. */
function takeFault(world: World, request: RequestState, accountId: number | undefined): FaultEffect | undefined {
  if (world.faults.isEmpty) return undefined
  const { route, caller, call } = request
  request.fault = world.faults.take({ route: route?.id, accountId, role: caller?.key.role, url: call.url, body: call.body })
  return request.fault?.effect
}

/** Lets the edge change the answer, dates it by the clock of the world, lets a fault change it, and keeps the request in the journal. */
function finish(pipeline: Pipeline, request: RequestState, { passage, ...outcome }: Outcome & { passage: Passage | undefined }): Reply {
  const { fault, route, params, rawQuery } = request
  const left = passage === undefined ? outcome.reply : passage.leave(outcome.reply)
  const dated = { ...left, headers: { ...left.headers, date: pipeline.date.of(pipeline.world.clock.now()) } }
  const sent = fault === undefined ? dated : alter(dated, fault.effect)
  if (route?.isProbe?.({ params, rawQuery }) !== true) record(pipeline, request, { ...outcome, reply: sent })
  return sent
}
