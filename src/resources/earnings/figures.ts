import type { Figure } from '../../api/resource.ts'
import type { World } from '../world.ts'
import { sumEarnings } from './earnings.ts'

/** Earnings since the start of the scenario, computed in the same way as in the earnings routes. */
export const earningFigures = {
  'revenue.gross': {
    label: 'Gross revenue since the start',
    unit: 'dollars',
    read: createFigureReader('gross'),
  },
  'revenue.net': {
    label: 'Net revenue since the start',
    unit: 'dollars',
    read: createFigureReader('net'),
  },
} satisfies Record<string, Figure<World>>

function createFigureReader(part: 'gross' | 'net'): Figure<World>['read'] {
  return (world, { accounts }) => {
    const filter = { start: world.options.start, end: world.clock.now() }
    return accounts.reduce((cents, id) => cents + sumEarnings(world, id, filter)[part], 0) / 100
  }
}
