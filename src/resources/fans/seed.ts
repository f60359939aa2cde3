import { inUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import type { Mutable, Seeding } from '../../world/seeding.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { Fan } from './fans.table.ts'

/**
 * Moves the time when a fan of the account was last seen to the last thing that they did:
 * subscribing, paying (renewals are automatic and do not count), writing, commenting. It copies
 * that time to the subscriptions. It comes after the steps that seed those. Fans whom accounts
 * share have been seen after all of that.
 */
export function* seedLastSeen({ rows }: Seeding): Work {
  const fans = new Map<number, Mutable<Fan>>()
  yield* inUnits(rows.fans, (fan) => fans.set(fan.id, fan))
  const note = (fanId: number, at: string | null) => {
    const fan = fans.get(fanId)
    if (fan !== undefined && at !== null && at > fan.lastSeen) fan.lastSeen = at
  }
  yield* inUnits(rows.subscriptions, ({ fanId, subscribedAt }) => note(fanId, subscribedAt))
  yield* inUnits(rows.transactions, ({ fanId, category, transaction_created_at: at }) => {
    if (category !== 'recurring_subscription') note(fanId, at)
  })
  yield* inUnits(rows.messages, ({ fanId, isFromFan, createdAt }) => {
    if (isFromFan) note(fanId, createdAt)
  })
  yield* inUnits(rows.comments, ({ fanId, postedAt }) => note(fanId, postedAt))
  yield* inUnits(rows.subscriptions, (subscription: Mutable<Subscription>) => {
    subscription.lastActivity = fans.get(subscription.fanId)?.lastSeen ?? subscription.lastActivity
  })
}
