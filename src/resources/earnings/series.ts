import type { SeriesFrame } from '../../api/resource.ts'
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
