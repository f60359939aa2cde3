import { ApiError, apiError } from '../../errors.ts'
import type { Exchange } from '../journal.ts'
import { FileAnswer, HeaderAnswer } from '../route.ts'
import type { Call, Context, Reply, Route } from '../route.ts'
import type { World } from '../world.ts'
import {
  authenticate,
  authorize,
  charge,
  readAccountId,
  requireCredit,
  requireSession,
  resolveAccount,
  sentKey,
  throttle,
} from './admit.ts'
import type { Caller } from './admit.ts'
import { envelop, plain, refuse } from './envelope.ts'
import { DroppedConnection, inject } from './fault.ts'
import { serveFile } from './file.ts'
import type { FileLoader } from './file.ts'
import type { RouteMatcher } from './match.ts'
import { validate } from './validate.ts'

/** What the pipeline works with. */
export interface PipelineOptions {
  world: World
  matcher: RouteMatcher
  /** The largest body taken, bytes. */
  bodyLimit: number
  loadFile: FileLoader
  /** Told of every error that is ours and of every unknown path. */
  log: (message: string) => void
}

/** A request on its way through the gate: what is known of it so far. */
interface Passage {
  call: Call
  path: string
  rawQuery: string
  route: Route | undefined
  params: Readonly<Record<string, string>>
  caller: Caller | undefined
  credits: 0 | 1
}

/** Builds the function that answers every call: the gate in the order of docs/decisions/gate.md, then the route. */
export function createPipeline(options: PipelineOptions): (call: Call) => Promise<Reply> {
  return async (call) => {
    const passage = enter(options, call)
    try {
      const reply = passage.route?.gate === 'none' ? await answerOpenly(options, passage, passage.route) : await passGate(options, passage)
      record(options, passage, reply, null)
      return reply
    } catch (error) {
      const { reply, message } = toReply(options, passage, error)
      record(options, passage, reply, message)
      return reply
    }
  }
}

/** Makes the request of a story happen: no fault, no full window is in its way, as none was when it was recorded. @throws {ApiError} */
export function perform({ world, matcher, bodyLimit }: Pick<PipelineOptions, 'world' | 'matcher' | 'bodyLimit'>, call: Call): void {
  const { path, rawQuery, route, params } = enter({ matcher }, call)
  const caller = authenticate(world, call)
  charge(world, caller)
  if (route === undefined) throw apiError('route_unknown', { method: call.method, path: path.slice(0, 200) })
  authorize(caller, route)
  const account = resolveAccount(world, caller, params['account_id'])
  const input = validate(call, route, { params, rawQuery, bodyLimit })
  requireSession(route, account)
  route.handle({ world, account, ...caller, ...input, rawQuery } as Context)
}

function enter({ matcher }: Pick<PipelineOptions, 'matcher'>, call: Call): Passage {
  const mark = call.url.indexOf('?')
  const path = mark === -1 ? call.url : call.url.slice(0, mark)
  return {
    call,
    path,
    rawQuery: mark === -1 ? '' : call.url.slice(mark + 1),
    ...matcher.match(call.method, path),
    caller: undefined,
    credits: 0,
  }
}

async function passGate({ world, bodyLimit }: PipelineOptions, passage: Passage): Promise<Reply> {
  const { call, path, rawQuery, route, params } = passage
  world.settle()

  const caller = authenticate(world, call) // 1
  passage.caller = caller
  throttle(world, caller) // 2
  const fault = world.faults.take(route?.id, accountIn(passage)) // 3
  if (fault?.status === 401 || fault?.status === 429) await inject(world, fault)
  const isPaid = charge(world, caller)
  passage.credits = 1
  if (fault !== undefined) await inject(world, fault)

  requireCredit(caller, isPaid) // 4
  if (route === undefined) throw apiError('route_unknown', { method: call.method, path: path.slice(0, 200) }) // 5
  authorize(caller, route) // 6
  const account = resolveAccount(world, caller, params['account_id']) // 7
  const input = validate(call, route, { params, rawQuery, bodyLimit }) // 8, 9
  requireSession(route, account) // 10
  const run = () => route.handle({ world, account, ...caller, ...input, rawQuery } as Context) // 11
  const result =
    world.recorder === undefined
      ? run()
      : world.recorder.request({ key: caller.key.role, method: call.method, path: call.url, body: call.body }, run)
  return envelop(result, route, { world, organisation: caller.organisation, path, rawQuery })
}

/** Routes without a gate: no key, no credits, no windows, no envelope. */
async function answerOpenly({ world, bodyLimit, loadFile }: PipelineOptions, passage: Passage, route: Route): Promise<Reply> {
  const { call, params, rawQuery } = passage
  world.settle()
  const input = validate(call, route, { params, rawQuery, bodyLimit })
  // Nothing comes of a file whose upload is to fail.
  const early = route.fileLimit === undefined ? undefined : world.faults.take(route.id, undefined)
  if (early !== undefined) await inject(world, early)
  const result = route.handle({ world, account: undefined, ...input, rawQuery } as unknown as Context)
  if (result instanceof HeaderAnswer) return { status: 200, headers: result.headers, body: null }
  const isFile = result instanceof FileAnswer
  const fault = world.faults.take(route.id, isFile ? result.accountId : undefined)
  if (fault !== undefined) await inject(world, fault)
  if (!isFile) return plain(result)
  // What the platform refused was not shown.
  if (call.method !== 'HEAD') result.onShow()
  return serveFile(call, result, loadFile)
}

function toReply({ log }: PipelineOptions, { call, path }: Passage, error: unknown): { reply: Reply; message: string } {
  if (error instanceof ApiError) return { reply: refuse(error), message: error.message }
  if (error instanceof DroppedConnection) return { reply: error.reply, message: 'The sandbox was told to cut the connection.' }
  const bug = apiError('internal_error')
  log(`${call.method} ${path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return { reply: refuse(bug), message: bug.message }
}

function record({ world, matcher, log }: PipelineOptions, passage: Passage, reply: Reply, error: string | null): void {
  const { call, path, route, caller } = passage
  const nearMisses = route === undefined ? matcher.nearMisses(call.method, path) : none
  if (route === undefined)
    log(`${call.method} ${path}: no such route${nearMisses.length === 0 ? '' : `; near it: ${nearMisses.join(', ')}`}`)
  const contentType = reply.headers['content-type'] ?? null
  world.journal.record({
    at: world.clock.now(),
    method: call.method,
    path: call.url,
    route: route?.id ?? null,
    account_id: accountIn(passage) ?? null,
    organisation: caller?.organisation.id ?? null,
    // The text that was sent would keep its whole header in memory.
    key: caller?.key.key ?? sentKey(call),
    status: reply.status,
    credits: passage.credits,
    error,
    nearMisses,
    request: requestOf(call, route),
    response: { content_type: contentType, body: reply.body instanceof Uint8Array ? null : reply.body },
  })
}

const none: readonly string[] = []
const nothingSent = { content_type: null, body: null }

/** What was sent. Most requests send nothing: of those the journal may keep many. */
function requestOf(call: Call, route: Route | undefined): Exchange['request'] {
  const type = call.header('content-type')
  const body = route?.fileLimit === undefined ? call.body : null
  return type === null && body === null ? nothingSent : { content_type: type, body }
}

function accountIn({ params }: Passage): number | undefined {
  const accountId = params['account_id']
  return accountId === undefined ? undefined : readAccountId(accountId)
}
