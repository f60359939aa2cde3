import type { Edge, Passage } from '../edge.ts'
import { FileAnswer, HeaderAnswer } from '../route.ts'
import type { Answer, Call, Context, Reply, Route } from '../route.ts'
import type { VariationChoice } from '../variation.ts'
import { variation } from '../varying.ts'
import {
  asksForPage,
  besidePage,
  HttpDate,
  jsonHeaders,
  pageOf,
  plain,
  withoutBody,
} from './envelope.ts'
import { alter, injecting } from './fault.ts'
import { serveFile } from './file.ts'
import type { FileLoader } from './file.ts'
import { passingGate, requireRoom, takeFault } from './gate.ts'
import type { Gate } from './gate.ts'
import { toOutcome } from './outcome.ts'
import { record } from './record.ts'
import type { Outcome, RecordOptions } from './record.ts'
import { causeOf, redirect, startRequest } from './request.ts'
import type { RequestState } from './request.ts'
import { Defaults, validate } from './validate.ts'
import { take, until } from './waiting.ts'
import type { Waiting } from './waiting.ts'

/** What the pipeline works with. */
export interface PipelineOptions extends RecordOptions, Omit<Gate, 'defaults'> {
  loadFile: FileLoader
  /** Makes what varies the answers. */
  openEdge: (choice: VariationChoice) => Promise<Edge>
}

/** Who asks. */
export interface Asking {
  /**
   * Whether the client is in the same process: its request has ended once all have come that it
   * sent at the same time.
   */
  isInProcess?: boolean
}

/** The options, with what the pipeline remembers from one request to the next. */
interface Pipeline extends PipelineOptions, Gate {
  date: HttpDate
}

/**
 * Builds the function that answers every call: it passes the gate in the order of
 * docs/decisions/gate.md and then runs the route. The answer is there at once, but where one has to
 * wait for it: for a delay, a file, or long work. Without `doInTurn` the long work of a route is
 * done at once.
 */
export function createPipeline(options: PipelineOptions): (call: Call, asking?: Asking) => Answer {
  const pipeline: Pipeline = { ...options, date: new HttpDate(), defaults: new Defaults() }
  return (call, asking = {}) => take(answering(pipeline, call, asking))
}

function* answering(
  pipeline: Pipeline,
  call: Call,
  { isInProcess = false }: Asking,
): Waiting<Reply> {
  const request = startRequest(pipeline, call)
  const { route } = request
  const opened = pipeline.world.part(variation).open(pipeline.openEdge)
  const passage = opened && (yield* until((yield* until(opened)).pass(request)))
  try {
    if (passage !== undefined) redirect(request, passage.call, pipeline)
    if (request.call.refusal !== undefined) throw request.call.refusal // 0
    const isOpen = route?.gate === 'none'
    const reply = isOpen
      ? yield* answeringOpenly(pipeline, request, route)
      : yield* passingGate(pipeline, request)
    if (isInProcess) yield* until(Promise.resolve())
    return finish(pipeline, request, { outcome: { reply, error: null, code: null }, passage })
  } catch (error) {
    if (isInProcess) yield* until(Promise.resolve())
    return finish(pipeline, request, { outcome: toOutcome(pipeline, request, error), passage })
  }
}

/**
 * Answers a route without a gate: it needs no key, takes no credit, counts in no rate window and
 * has no envelope.
 */
function* answeringOpenly(
  { world, bodyLimit, loadFile, defaults }: Pipeline,
  request: RequestState,
  route: Route,
): Waiting<Reply> {
  const { call, params, rawQuery } = request
  if (route.isPrompt !== true) world.settle()
  route.admit?.(world, { params, rawQuery })
  requireRoom(world, call, route)
  const input = validate(call, route, { params, rawQuery, bodyLimit, defaults })
  // A fault on an upload comes before the handler, so that a failed upload stores nothing.
  const uploadFault =
    route.fileLimit === undefined ? undefined : takeFault(world, request, undefined)
  if (uploadFault !== undefined) yield* injecting(world, uploadFault, call.signal)
  const handle = () =>
    route.handle({ world, account: undefined, ...input, rawQuery } as unknown as Context)
  const result = world.trail.during(causeOf(request), handle)
  if (result instanceof HeaderAnswer) return { status: 200, headers: result.headers, body: null }
  const isFile = result instanceof FileAnswer
  const fault = takeFault(world, request, isFile ? result.accountId : undefined)
  if (fault !== undefined) yield* injecting(world, fault, call.signal)
  if (!isFile) {
    const { toPage } = route
    const reply =
      toPage === undefined
        ? plain(result)
        : asksForPage(call)
          ? pageOf(yield* until(toPage(result)))
          : besidePage(plain(result))
    return call.method === 'HEAD' ? withoutBody(reply) : reply
  }
  // This stands behind the fault: a file that an injected fault refused was not shown.
  result.onShow()
  return yield* until(serveFile(call, result, loadFile))
}

/**
 * Lets the edge change the answer, dates it by the clock of the world, lets a fault change it, and
 * keeps the request in the journal.
 */
function finish(
  pipeline: Pipeline,
  request: RequestState,
  { outcome, passage }: { outcome: Outcome; passage: Passage | undefined },
): Reply {
  const { fault, route, params, rawQuery } = request
  const { reply, error, code } = outcome
  const { status, headers, body, cut, stream } =
    passage === undefined ? reply : passage.leave(reply)
  const answer: Reply = {
    status,
    headers: dated(headers, pipeline.date.of(pipeline.world.clock.now())),
    body,
    cut,
    stream,
  }
  const sent = fault === undefined ? answer : alter(answer, fault.effect)
  if (route?.isProbe?.({ params, rawQuery }) !== true)
    record(pipeline, request, { reply: sent, error, code })
  return sent
}

/** @note To spread headers takes a while, and nearly every answer has these. */
function dated(headers: Reply['headers'], date: string): Reply['headers'] {
  return headers === jsonHeaders
    ? { 'content-type': jsonHeaders['content-type'], date }
    : { ...headers, date }
}
