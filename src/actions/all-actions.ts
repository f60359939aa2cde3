import type { z } from 'zod'
import { resources } from '../resources/all-resources.ts'
import { advanceClock, setCredits, setLimits, addNote, setVariation } from './world-actions.ts'
import { addFault, clearFault } from './fault-actions.ts'
import { changeRole, createKey, revokeKey } from './key-actions.ts'

type ResourceAction = Extract<
  (typeof resources)[number],
  { actions: readonly unknown[] }
>['actions'][number]

const controlActions = [
  setLimits,
  setCredits,
  revokeKey,
  createKey,
  changeRole,
  addFault,
  clearFault,
  advanceClock,
  setVariation,
  addNote,
] as const
const resourceActions: readonly ResourceAction[] = resources.flatMap((resource) =>
  'actions' in resource ? [...resource.actions] : [],
)

/**
 * All actions, starting with those that resources define. `sandbox.act`, `POST /_sandbox/actions`
 * and timeline steps use this list.
 */
export const actions = [...resourceActions, ...controlActions]

/** Name of an action. */
export type ActionType = (typeof actions)[number]['type']

/** The ids that an action returns, by action type. */
export type ResultIds<Type extends ActionType> = ReturnType<
  Extract<(typeof actions)[number], { type: Type }>['effect']
>['ids']

/** Input of an action: its `type` and the fields for that type. */
export type ActionInput = {
  [Item in (typeof actions)[number] as Item['type']]: { type: Item['type'] } & z.input<
    Item['schema']
  >
}[ActionType]
