import type { SeriesFrame, Figure } from '../../api/resource.ts'
import { dayMs, parseIso } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { listEarningRows, sumEarnings } from './earnings.ts'
import { toCentAmounts } from '../payments/transactions.table.ts'

/** Adds an account's earnings to the points of a series as `grossCents` and `netCents`. */
export function addEarningsToSeries(
  world: World,
  accountId: number,
  { points, first, width, now }: SeriesFrame,
): void {
  if (width % dayMs === 0) {
    // The table earningDays contains the sums of whole days.
    for (const point of points) {
      const { gross, net } = sumEarnings(world, accountId, {
        start: point.at,
        end: Math.min(point.at + width - 1, now),
      })
      point.grossCents += gross
      point.netCents += net
    }
    return
  }
  for (const row of listEarningRows(world, accountId, { start: first, end: now })) {
    const point = points[Math.floor((parseIso(row.transaction_created_at ?? '') - first) / width)]
    if (point === undefined) continue
    const { gross, net } = toCentAmounts(row)
    point.grossCents += gross
    point.netCents += net
  }
}

/**
 * Earnings since the start of the scenario, or within a window, computed in the same way as in the
 * earnings routes.
 */
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
  return (world, { accounts, from = world.options.start, until = Infinity }) => {
    const filter = { start: from, end: Math.min(until - 1, world.clock.now()) }
    return accounts.reduce((cents, id) => cents + sumEarnings(world, id, filter)[part], 0) / 100
  }
}
