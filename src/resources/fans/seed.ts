import { inUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import type { Seeding } from '../../world/seeding.ts'

/**
 * Moves the time when a fan was last seen to the last thing that they did: subscribing, paying (renewals are automatic and do not
 * count), writing, commenting. It copies that time to the subscriptions. It comes after the steps that seed those.
 */
export function* seedLastSeen({ rows }: Seeding): Work {
  const latest = new Map<number, string>()
  const note = (fanId: number, at: string | null) => {
    if (at !== null && at > (latest.get(fanId) ?? '')) latest.set(fanId, at)
  }
  yield* inUnits(rows.subscriptions, ({ fanId, subscribedAt }) => note(fanId, subscribedAt))
  yield* inUnits(rows.transactions, ({ fanId, category, transaction_created_at: at }) => {
    if (category !== 'recurring_subscription') note(fanId, at)
  })
  yield* inUnits(rows.messages, ({ fanId, isFromFan, createdAt }) => {
    if (isFromFan) note(fanId, createdAt)
  })
  yield* inUnits(rows.comments, ({ fanId, postedAt }) => note(fanId, postedAt))
  const lastSeen = new Map<number, string>()
  yield* inUnits(rows.fans, (fan) => {
    const at = latest.get(fan.id)
    if (at !== undefined && at > fan.lastSeen) Object.assign(fan, { lastSeen: at })
    lastSeen.set(fan.id, fan.lastSeen)
  })
  yield* inUnits(rows.subscriptions, (subscription) => {
    Object.assign(subscription, { lastActivity: lastSeen.get(subscription.fanId) })
  })
}
