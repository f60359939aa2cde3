import { z } from 'zod'
import { FaultInput } from '../world/fault-input.ts'
import type { Fault } from '../world/fault-input.ts'
import type { RouteNames } from '../api/route.ts'
import { SandboxError, wrapWithTrimmedStack } from '../errors.ts'
import type { FaultInput as FaultToAdd } from '../generated/inputs.ts'
import type { World } from '../resources/world.ts'
import { checkInput } from '../api/check-input.ts'
import { normaliseRouteId } from '../api/route-id.ts'
import type { VariableRoute } from '../api/route-id.ts'

type FaultOn<Route extends string> = Omit<FaultToAdd, 'route'> & { route?: Route | undefined }

/**
 * Adds a fault. TypeScript checks the route name only if it is a string literal, so a variable of
 * type `string` can name a route that an overlay added.
 */
export interface AddFault<Result> {
  <Route extends string>(fault: FaultOn<VariableRoute<Route>>): Result
  (fault: FaultToAdd): Result
}

/** Adds, lists and removes faults. */
export interface FaultControl {
  /**
   * Adds a fault.
   *
   * @throws {SandboxError} if a field is invalid, the route is unknown, or there are too many
   * faults
   */
  add: AddFault<Fault>
  /** Removes a fault. Returns false if no fault has the id. */
  remove: (id: number) => boolean
  /** Removes all faults and returns their number. */
  clear: () => number
  /** Returns the active faults, oldest first. */
  list: () => Fault[]
}

/**
 * Creates the object that adds, lists and removes a world's faults. It validates input and records
 * changes.
 */
export function createFaultControl(use: () => World, routes: RouteNames): FaultControl {
  const recorded = <Result>(action: object, run: () => Result): Result => {
    const { recorder } = use()
    if (recorder === undefined) return run()
    return recorder.actions((note) => {
      const result = run()
      note(action)
      return result
    })
  }
  return wrapWithTrimmedStack<FaultControl>({
    add: (input: FaultToAdd) =>
      recorded({ type: 'fault.add', ...input }, () => {
        const fault = checkInput(FaultInput, input, { verb: 'add a fault' })
        const world = use()
        assertAccount(world, fault)
        return world.faults.add(
          fault.route === undefined
            ? fault
            : { ...fault, route: normaliseRouteId(fault.route, routes, 'add a fault') },
        )
      }),
    remove(id) {
      const { faults } = use()
      const run = () =>
        faults.remove(checkInput(z.int(), id, { verb: 'remove a fault', place: 'id' }))
      const isKnown = faults.list().some((fault) => fault.id === id)
      return isKnown ? recorded({ type: 'fault.clear', id }, run) : run()
    },
    clear: () =>
      recorded({ type: 'fault.clear' }, () => {
        const { faults } = use()
        const count = faults.list().length
        faults.clear()
        return count
      }),
    list: () => use().faults.list(),
  })
}

/**
 * Checks that the account of a fault exists.
 *
 * @note The accounts are unknown before `ready`, so any id is accepted until then.
 */
function assertAccount({ db, isSeeded }: World, { account_id: id }: FaultInput): void {
  if (id === undefined || !isSeeded || db.accounts.get(id) !== undefined) return
  const ids = db.accounts.slice(0, 10).map((account) => account.id)
  const existing = ids.length === 0 ? 'There are none' : `There are ${ids.join(', ')}`
  throw new SandboxError(
    `Failed to add a fault (account_id: ${id}): there is no such account. ${existing}.`,
    { field: 'account_id' },
  )
}
