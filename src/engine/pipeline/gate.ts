import { apiError } from '../../errors.ts'
import type { FaultEffect } from '../faults.ts'
import type { Call, Context, Reply, Route } from '../route.ts'
import type { World } from '../world.ts'
import {
  authenticate,
  authorize,
  charge,
  requireCredit,
  requireSession,
  resolveAccount,
  throttle,
} from './admit.ts'
import { envelop } from './envelope.ts'
import { injecting } from './fault.ts'
import { toRecord } from './record.ts'
import { accountIdOf, causeOf } from './request.ts'
import type { RequestState } from './request.ts'
import { validate } from './validate.ts'
import type { Defaults } from './validate.ts'
import type { Waiting } from './waiting.ts'

/** What the gate works with. */
export interface Gate {
  world: World
  /** The largest body that the API accepts, bytes. */
  bodyLimit: number
  defaults: Defaults
}

/**
 * Takes a request through the gate, in the order of docs/decisions/gate.md, and runs its route.
 * Rate windows, faults and missing credits do not stop a request of a story: they did not when it
 * was recorded.
 */
export function* passingGate(
  { world, bodyLimit, defaults }: Gate,
  request: RequestState,
): Waiting<Reply> {
  const { call, path, rawQuery, route, params } = request
  const isOfStory = request.asker === 'story'
  // A story plays while the world settles.
  if (!isOfStory) world.settle()

  // The numbers are the steps of docs/decisions/gate.md.
  const caller = authenticate(world, call) // 1
  request.caller = caller
  if (!isOfStory) throttle(world, caller) // 2
  const fault = isOfStory ? undefined : takeFault(world, request, accountIdOf(request)) // 3
  // A 401 and a 429 take no credit, so they come before the charge.
  if (fault?.status === 401 || fault?.status === 429) yield* injecting(world, fault, call.signal)
  const isPaid = charge(world, caller)
  request.credits = 1
  if (fault !== undefined) yield* injecting(world, fault, call.signal)

  if (!isOfStory) requireCredit(caller, isPaid) // 4
  if (route === undefined) throw apiError('route_unknown', { method: call.method, path }) // 5
  authorize(caller, route) // 6
  const account = resolveAccount(world, caller, params['account_id']) // 7
  requireRoom(world, call, route)
  const input = validate(call, route, { params, rawQuery, bodyLimit, defaults }) // 8, 9
  requireSession(route, account) // 10
  const { key, organisation } = caller
  // Written out, since to spread objects of many shapes is slow, and every request would pay.
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
  const recorder = isOfStory ? undefined : world.recorder
  const run = () => world.trail.during(causeOf(request), () => route.handle(context))
  if (recorder !== undefined) request.recorded = toRecord(world, request)
  const { recorded } = request
  const result =
    recorder === undefined || recorded === undefined ? run() : recorder.request(recorded, run) // 11
  return envelop(result, route, { world, organisation, path, rawQuery })
}

/** Requires memory for the body and for what the route may add. @throws {BudgetError} */
export function requireRoom(world: World, { isBodyWithoutRoom }: Call, route: Route): void {
  if (isBodyWithoutRoom === true) throw world.options.memory?.error('read a body')
  const { method, isRead = method === 'GET' } = route
  // Deleting frees memory.
  if (!isRead && method !== 'DELETE') world.requireRoom('answer')
}

/** Step 3: finds the fault that hits the request, and counts the hit. */
export function takeFault(
  world: World,
  request: RequestState,
  accountId: number | undefined,
): FaultEffect | undefined {
  if (world.faults.isEmpty) return undefined
  const { route, caller, call } = request
  request.fault = world.faults.take({
    route: route?.id,
    accountId,
    role: caller?.key.role,
    url: call.url,
    body: call.body,
  })
  return request.fault?.effect
}
