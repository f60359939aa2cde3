import { z } from 'zod'
import { requireAccount } from '../../engine/action.ts'
import { FaultInput } from '../../engine/faults.ts'
import { SandboxError } from '../../errors.ts'
import { defineAction } from '../../world/define.ts'
import { toRouteId } from '../faults.ts'

/** Puts a fault in force. */
export const addFault = defineAction({
  type: 'fault.add',
  summary: 'Let requests fail, wait or be cut off',
  schema: FaultInput,
  effect(world, { route: name, ...fault }, { routes }) {
    const { account_id, status, delay_ms, drop, times } = fault
    if (account_id !== undefined) requireAccount(world, account_id)
    const route = name === undefined || routes === undefined ? name : toRouteId(name, routes, 'add a fault')
    const { id } = world.faults.add(route === undefined ? fault : { ...fault, route })
    const effects = [
      ...(delay_ms === undefined ? [] : [`wait ${delay_ms} ms`]),
      ...(drop === true ? ['are cut off'] : status === undefined ? [] : [`answer ${status}`]),
    ]
    return `Fault ${id}: ${route ?? 'all routes'} ${effects.join(' and ')}${times === undefined ? '' : `, ${times === 1 ? 'once' : `${times} times`}`}`
  },
})

/** Lifts faults. */
export const clearFault = defineAction({
  type: 'fault.clear',
  summary: 'Lift a fault, or all of them',
  schema: z.lazy(() => z.strictObject({ id: z.int().optional().describe('The id of a fault in force. Absent: all.') })),
  effect(world, { id }) {
    if (id === undefined) {
      const { length } = world.faults.list()
      world.faults.clear()
      return `${length === 1 ? '1 fault' : `${length} faults`} lifted`
    }
    const ids = world.faults.list().map((fault) => fault.id)
    if (!world.faults.remove(id))
      throw new SandboxError(
        `id is ${id}, but there is no such fault in force. ${ids.length === 0 ? 'There is none at all' : `There are ${ids.slice(0, 10).join(', ')}`}.`,
      )
    return `Fault ${id} lifted`
  },
})
