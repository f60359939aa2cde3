import type { SeriesFrame } from '../../engine/resource.ts'
import { toIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import { stateKey } from './subscriptions.table.ts'

/** Adds to each point of a series how many subscriptions ran at its end. */
export function addSubscribers(world: World, accountId: number, { points, width, now }: SeriesFrame): void {
  const came = world.db.subscriptions.in('listed', accountId)
  const left = world.db.subscriptions.in('byExpiry', stateKey(accountId, 'expired'))
  for (const point of points) {
    const end = toIso(Math.min(point.at + width, now))
    point.subscribers += came.size - came.rank((row) => row.subscribedAt <= end) - (left.size - left.rank((row) => row.expiredAt <= end))
  }
}
