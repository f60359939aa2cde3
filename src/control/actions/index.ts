import type { z } from 'zod'
import { resources } from '../../world/resources.ts'
import { advanceClock } from './clock.ts'
import { setCredits } from './credits.ts'
import { addFault, clearFault } from './faults.ts'
import { setLimits } from './limits.ts'
import { addNote } from './note.ts'

type ResourceAction = Extract<(typeof resources)[number], { actions: readonly unknown[] }>['actions'][number]

const ownActions = [setLimits, setCredits, addFault, clearFault, advanceClock, addNote] as const
const resourceActions: readonly ResourceAction[] = resources.flatMap((resource) => ('actions' in resource ? [...resource.actions] : []))

/** Every action, those of the resources first: each is at once a method argument, a `POST /_sandbox/actions` and a step of a timeline. */
export const actions = [...resourceActions, ...ownActions]

/** An action as it is asked for: its `type` and its fields. */
export type ActionInput = {
  [Item in (typeof actions)[number] as Item['type']]: { type: Item['type'] } & z.input<Item['schema']>
}[(typeof actions)[number]['type']]
