import { z } from 'zod'
import { FaultInput } from '../world/fault.ts'
import type { Fault } from '../world/fault.ts'
import type { RouteNames } from '../api/route.ts'
import { quote, SandboxError } from '../errors.ts'
import type { FaultInput as FaultToAdd } from '../generated/inputs.ts'
import type { World } from '../resources/world.ts'
import { check } from './check.ts'

/** Controls the failures that the sandbox injects. */
export interface FaultControl {
  /**
   * Puts a fault in force. @throws {SandboxError} when a field or the route is unknown or out of
   * range, or too many are in force.
   */
  add: (fault: FaultToAdd) => Fault
  /** Lifts a fault; false when there is none of that id. */
  remove: (id: number) => boolean
  /** Lifts all faults. Returns how many there were. */
  clear: () => number
  /** The faults in force, oldest first. */
  list: () => Fault[]
}

/** Creates the control of the faults of a world. It checks its input. */
export function createFaultControl(world: () => World, routes: RouteNames): FaultControl {
  const faults = () => world().faults
  return {
    add(input) {
      const fault = check(FaultInput, input, { verb: 'add a fault' })
      assertAccount(world(), fault)
      return faults().add(
        fault.route === undefined
          ? fault
          : { ...fault, route: toRouteId(fault.route, routes, 'add a fault') },
      )
    },
    remove: (id) => faults().remove(check(z.int(), id, { verb: 'remove a fault', place: 'id' })),
    clear() {
      const count = faults().list().length
      faults().clear()
      return count
    },
    list: () => faults().list(),
  }
}

/**
 * Requires that the account of a fault exists. @note Before the data are there, the accounts are
 * not known, so that any id passes.
 */
function assertAccount({ db, isSeeded }: World, { account_id: id }: FaultInput): void {
  if (id === undefined || !isSeeded || db.accounts.get(id) !== undefined) return
  const ids = db.accounts.slice(0, 10).map((account) => account.id)
  const existing = ids.length === 0 ? 'There is none at all' : `There are ${ids.join(', ')}`
  throw new SandboxError(
    `Failed to add a fault (account_id: ${id}): there is no such account. ${existing}.`,
  )
}

/**
 * Converts the name of a route to the form of the route list. `get /v1/{account_id}/posts` becomes
 * `GET /v1/:account_id/posts`.
 * @throws {SandboxError} with near misses when there is no such route.
 */
export function toRouteId(route: string, { ids, nearMisses }: RouteNames, verb: string): string {
  const id = route.replace(/\{(\w+)\}/g, ':$1').replace(/^\w+/, (method) => method.toUpperCase())
  if (ids.has(id)) return id
  const [, method = '', path = ''] = /^(\w+) +(\/\S*)$/.exec(id) ?? []
  const near = path === '' ? [] : nearMisses(method, path)
  const advice =
    near.length === 0
      ? 'Give method and path as the route list has them, such as GET /v1/:account_id/posts'
      : `Near it: ${near.join(', ')}`
  throw new SandboxError(
    `Failed to ${verb} (route: ${quote(route)}): there is no such route. ${advice}.`,
  )
}
