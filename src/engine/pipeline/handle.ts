import { ApiError, apiError, budgetAdvice, BudgetError, SandboxError } from '../../errors.ts'
import type { FaultEffect } from '../faults.ts'
import { parseId } from '../fields.ts'
import type { Exchange } from '../journal.ts'
import { FileAnswer, HeaderAnswer } from '../route.ts'
import type { Call, Context, Reply, Route, RouteMatcher } from '../route.ts'
import { splitUrl } from '../url.ts'
import type { World } from '../world.ts'
import { authenticate, authorize, charge, requireCredit, requireSession, resolveAccount, sentKey, throttle } from './admit.ts'
import type { Caller } from './admit.ts'
import { envelop, plain, refuse, withoutBody } from './envelope.ts'
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
}

/** What the pipeline knows of a request so far. */
interface RequestState {
  call: Call
  path: string
  rawQuery: string
  route: Route | undefined
  params: Readonly<Record<string, string>>
  caller: Caller | undefined
  credits: 0 | 1
  fault: FaultEffect | undefined
}

/** Builds the function that answers every call: it passes the gate in the order of docs/decisions/gate.md and then runs the route. */
export function createPipeline(options: PipelineOptions): (call: Call) => Promise<Reply> {
  return async (call) => {
    const request = startRequest(options, call)
    const { route } = request
    try {
      if (call.refusal !== undefined) throw call.refusal // 0
      const reply = route?.gate === 'none' ? await answerOpenly(options, request, route) : await passGate(options, request)
      return finish(options, request, reply, null)
    } catch (error) {
      const { reply, message } = toReply(options, request, error)
      return finish(options, request, reply, message)
    }
  }
}

/**
 * Makes a request of a story, whose body may have relative times. Faults, rate windows and missing credits do not stop it: they did not
 * when it was recorded. @throws {ApiError}
 */
export function perform(
  { world, matcher, bodyLimit }: Pick<PipelineOptions, 'world' | 'matcher' | 'bodyLimit'>,
  { body, ...head }: Omit<Call, 'body'> & { body: unknown },
): void {
  const { path, rawQuery, route, params } = startRequest({ matcher }, { ...head, body: null })
  const filled = route?.body == null ? body : fillTimes(body, route.body, world.clock.now())
  const call: Call = { ...head, body: filled === undefined ? null : JSON.stringify(filled) }
  const caller = authenticate(world, call)
  charge(world, caller)
  if (route === undefined) throw apiError('route_unknown', { method: call.method, path })
  authorize(caller, route)
  const account = resolveAccount(world, caller, params['account_id'])
  const input = validate(call, route, { params, rawQuery, bodyLimit })
  requireSession(route, account)
  world.withinBudget('repeat a request', () => route.handle({ world, account, ...caller, ...input, rawQuery } as Context))
}

function startRequest({ matcher }: Pick<PipelineOptions, 'matcher'>, call: Call): RequestState {
  const { path, rawQuery } = splitUrl(call.url)
  const { route, params } = matcher.match(call.method, path)
  return { call, path, rawQuery, route, params, caller: undefined, credits: 0, fault: undefined }
}

async function passGate({ world, bodyLimit }: PipelineOptions, request: RequestState): Promise<Reply> {
  const { call, path, rawQuery, route, params } = request
  world.settle()

  // The numbers are the steps of docs/decisions/gate.md.
  const caller = authenticate(world, call) // 1
  request.caller = caller
  throttle(world, caller) // 2
  const fault = takeFault(world, request, accountIdOf(request)) // 3
  // A 401 and a 429 take no credit, so they come before the charge.
  if (fault?.status === 401 || fault?.status === 429) await inject(world, fault, call.signal)
  const isPaid = charge(world, caller)
  request.credits = 1
  if (fault !== undefined) await inject(world, fault, call.signal)

  requireCredit(caller, isPaid) // 4
  if (route === undefined) throw apiError('route_unknown', { method: call.method, path }) // 5
  authorize(caller, route) // 6
  const account = resolveAccount(world, caller, params['account_id']) // 7
  requireRoom(world, call)
  const input = validate(call, route, { params, rawQuery, bodyLimit }) // 8, 9
  requireSession(route, account) // 10
  const run = () => world.withinBudget('answer', () => route.handle({ world, account, ...caller, ...input, rawQuery } as Context)) // 11
  const result =
    world.recorder === undefined
      ? run()
      : world.recorder.request({ key: caller.key.role, method: call.method, path: call.url, body: call.body }, run)
  return envelop(result, route, { world, organisation: caller.organisation, path, rawQuery })
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
  const result = world.withinBudget('answer', () => route.handle({ world, account: undefined, ...input, rawQuery } as unknown as Context))
  if (result instanceof HeaderAnswer) return { status: 200, headers: result.headers, body: null }
  const isFile = result instanceof FileAnswer
  const fault = takeFault(world, request, isFile ? result.accountId : undefined)
  if (fault !== undefined) await inject(world, fault, call.signal)
  if (!isFile) return call.method === 'HEAD' ? withoutBody(plain(result)) : plain(result)
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
  return request.fault
}

/** Dates the answer by the clock of the world, lets a fault change it, and keeps the request in the journal. */
function finish(options: PipelineOptions, request: RequestState, reply: Reply, error: string | null): Reply {
  const date = new Date(options.world.clock.now()).toUTCString()
  const dated = { ...reply, headers: { ...reply.headers, date } }
  const sent = request.fault === undefined ? dated : alter(dated, request.fault)
  record(options, request, sent, error)
  return sent
}

function toReply({ log }: PipelineOptions, { call, path }: RequestState, thrown: unknown): { reply: Reply; message: string | null } {
  const error = thrown instanceof BudgetError ? apiError('memory_full', { limit: thrown.limitMb, advice: budgetAdvice }) : thrown
  if (error instanceof ApiError) return { reply: refuse(error), message: error.message }
  if (error instanceof InjectedReply) return { reply: error.reply, message: error.reason }
  const bug = apiError('internal_error')
  // Whoever uses the sandbox did something wrong, such as to let its clock follow a function that fails: the sentence says what.
  if (error instanceof SandboxError) bug.message = error.message
  log(`${call.method} ${path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return { reply: refuse(bug), message: bug.message }
}

function record({ world, matcher, log }: PipelineOptions, request: RequestState, reply: Reply, error: string | null): void {
  const { call, path, route, caller } = request
  const nearMisses = route === undefined && call.refusal === undefined ? matcher.nearMisses(call.method, path) : none
  if (call.refusal !== undefined) log(`${call.method} ${path.slice(0, 200)}: ${call.refusal.message}`)
  else if (route === undefined)
    log(`${call.method} ${path}: no such route${nearMisses.length === 0 ? '' : `; near it: ${nearMisses.join(', ')}`}`)
  const contentType = reply.headers['content-type'] ?? null
  world.journal.record({
    at: world.clock.now(),
    method: call.method,
    path: call.url,
    route: route?.id ?? null,
    account_id: accountIdOf(request) ?? null,
    organisation: caller?.organisation.id ?? null,
    // The key of the record comes first: the sent text is a slice that keeps its whole header in memory.
    key: caller?.key.key ?? sentKey(call),
    status: reply.status,
    credits: request.credits,
    error,
    nearMisses,
    request: requestOf(call, route),
    response: { content_type: contentType, body: reply.body instanceof Uint8Array ? null : reply.body },
  })
}

const none: readonly string[] = []
const nothingSent = { content_type: null, body: null }

/** What the journal keeps of the sent body. Requests without a body share one object, as the journal may keep many of them. */
function requestOf(call: Call, route: Route | undefined): Exchange['request'] {
  const type = call.header('content-type')
  const body = route?.fileLimit === undefined ? call.body : null
  return type === null && body === null ? nothingSent : { content_type: type, body }
}

function accountIdOf({ params }: RequestState): number | undefined {
  const accountId = params['account_id']
  return accountId === undefined ? undefined : parseId(accountId)
}
