import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'
import { requireAccount } from '../api/action.ts'
import { createInputError } from '../errors.ts'
import { FaultInput } from '../world/fault-input.ts'
import { defineAction } from '../resources/define.ts'
import { normaliseRouteId } from '../api/route-id.ts'

/** Activates a fault. */
export const addFault = defineAction({
  type: 'fault.add',
  summary: 'Make requests fail, delay them or close their connections',
  schema: FaultInput,
  effect(world, { route: name, ...fault }, { routes }) {
    if (fault.account_id !== undefined) requireAccount(world, fault.account_id)
    const route =
      name === undefined || routes === undefined
        ? name
        : normaliseRouteId(name, routes, 'add a fault')
    const { id } = world.faults.add(route === undefined ? fault : { ...fault, route })
    return {
      happened:
        `Fault ${id}: ${route ?? 'all routes'} ` +
        `${describeEffects(fault)}${describeTimes(fault)}`,
      ids: { fault: id },
    }
  },
})

/** Describes a fault's effect, such as `wait 50 ms and answer 500`. */
function describeEffects(fault: FaultInput): string {
  const { status, headers, truncate, delay_ms, drop, applied, sequence } = fault
  if (sequence !== undefined)
    return sequence.map((effect) => describeEffects(effect) || 'succeed').join(', then ')
  const effects: string[] = applied === true ? ['take effect'] : []
  if (delay_ms !== undefined) effects.push(`wait ${delay_ms} ms`)
  if (status !== undefined) effects.push(`answer ${status}`)
  if (headers !== undefined) effects.push(`get ${Object.keys(headers).join(', ')}`)
  if (truncate === true) effects.push('get half of their body')
  if (drop === 'midway') effects.push('are disconnected midway')
  else if (drop === true) effects.push('are disconnected')
  return effects.join(' and ')
}

function describeTimes({ after, every, probability, times, lasts_ms: ms }: FaultInput): string {
  const parts = [
    after === undefined ? [] : [`after ${after}`],
    every === undefined ? [] : [`one in ${every}`],
    probability === undefined ? [] : [`at ${probability * 100} %`],
    times === undefined ? [] : [times === 1 ? 'once' : `${times} times`],
    ms === undefined ? [] : [`for ${ms} ms`],
  ].flat()
  return parts.map((part) => `, ${part}`).join('')
}

export const clearFault = defineAction({
  type: 'fault.clear',
  summary: 'Remove a fault, or all faults',
  schema: lazyStrictObject(() => ({
    id: z.int().optional().describe('The id of an active fault. Default: all.'),
  })),
  effect(world, { id }) {
    if (id === undefined) {
      const faults = world.faults.list().map((fault) => fault.id)
      world.faults.clear()
      return {
        happened: `${faults.length === 1 ? '1 fault' : `${faults.length} faults`} removed`,
        ids: { faults },
      }
    }
    const ids = world.faults.list().map((fault) => fault.id)
    if (!world.faults.remove(id)) {
      const existing =
        ids.length === 0 ? 'There are none' : `There are ${ids.slice(0, 10).join(', ')}`
      throw createInputError({ id }, `but there is no such active fault. ${existing}.`)
    }
    return { happened: `Fault ${id} removed`, ids: { faults: [id] } }
  },
})
