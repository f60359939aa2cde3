import { FaultInput } from '../../world/fault.ts'
import { quoteText } from '../../errors.ts'
import { NotFoundError } from '../../api/check-input.ts'
import type { Control } from '../control.ts'
import { defineControlRoute } from './route.ts'

/** Routes that add, list and remove faults. */
export const faultRoutes = [
  defineControlRoute({
    method: 'GET',
    path: '/faults',
    summary: 'List the active faults',
    run: (control) => control.faults.list(),
  }),
  defineControlRoute({
    method: 'POST',
    path: '/faults',
    summary: 'Add a fault',
    body: FaultInput,
    run: (control, { body }) => control.faults.add(body),
  }),
  defineControlRoute({
    method: 'DELETE',
    path: '/faults',
    summary: 'Remove all faults',
    run: (control) => ({ removed: control.faults.clear() }),
  }),
  defineControlRoute({
    method: 'DELETE',
    path: '/faults/:id',
    summary: 'Remove a fault',
    run: (control, { id }) => removeFault(control, id),
  }),
]

function removeFault(control: Control, id: string): { removed: number } {
  if (!/^\d{1,15}$/.test(id) || !control.faults.remove(Number(id))) {
    throw new NotFoundError(
      `Failed to remove the fault ${quoteText(id, 80)}: it does not exist. GET ` +
        `/_sandbox/faults lists them.`,
    )
  }
  return { removed: 1 }
}
