import type { SeriesFrame } from '../../api/resource.ts'
import { toIsoTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { toStateKey } from './subscriptions.table.ts'

/**
 * Adds the number of active subscriptions to each point of a series, as of the end of the point's
 * interval.
 */
export function addSubscribersToSeries(
  world: World,
  accountId: number,
  { points, width, now }: SeriesFrame,
): void {
  for (const point of points)
    point.subscribers += countActiveSubscribers(world, accountId, Math.min(point.at + width, now))
}

/** Counts the active subscriptions of an account at a time, epoch ms. */
export function countActiveSubscribers(world: World, accountId: number, at: number): number {
  const came = world.db.subscriptions.in('listed', accountId)
  const left = world.db.subscriptions.in('byExpiry', toStateKey(accountId, 'expired'))
  const end = toIsoTime(at)
  return (
    came.size -
    came.rank((row) => row.subscribedAt <= end) -
    (left.size - left.rank((row) => row.expiredAt <= end))
  )
}
