import { z } from 'zod'
import { SandboxError } from '../errors.ts'
import type { World } from '../model/world.ts'
import type { Action } from './action.ts'
import { actions } from './actions/index.ts'
import { check } from './check.ts'

/** How many actions may be asked for at once. */
const mostActions = 1000

// The one place where the types of the effects are given up: each gets what its own schema made.
const byType: ReadonlyMap<string, Action> = new Map(actions.map((action) => [action.type, action as unknown as Action]))
const typed = z.looseObject({ type: z.enum(actions.map(({ type }) => type)) })

/**
 * Applies an action, or several in order: all of them or, when one fails, none. Returns how many.
 *
 * @throws {SandboxError} that names the action, the field, the value and what is allowed.
 */
export function applyActions(world: World, input: unknown): number {
  const list = Array.isArray(input) ? input : [input]
  if (list.length > mostActions) throw new SandboxError(`Failed to act (${list.length} actions): at most ${mostActions} go at once.`)
  const steps = list.map((item: unknown, index) => prepare(item, Array.isArray(input) ? `actions[${index}]` : ''))
  world.settle()
  const before = world.snapshot()
  try {
    for (const step of steps) step(world)
  } catch (error) {
    world.restore(before)
    throw error
  }
  return steps.length
}

function prepare(item: unknown, place: string): (world: World) => void {
  const { type, ...fields } = check(typed, item, { verb: 'act', place })
  const action = byType.get(type)
  if (action === undefined) throw new SandboxError(`Failed to act (${type}): there is no such action.`)
  const input = check(action.schema, fields, { verb: type, place })
  return (world) => {
    try {
      action.effect(world, input)
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      throw new SandboxError(`Failed to ${type}${place === '' ? '' : ` (${place})`}: ${error.message}`, { cause: error })
    }
  }
}
