import type { Mutable, SeedContext } from '../../seed/seeding.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { Fan } from './fans.table.ts'

/**
 * Sets the time when each fan of the account was last seen to the fan's last activity:
 * subscription, payment, message or comment. Automatic renewals do not count. Copies this time to
 * the subscriptions. Runs after these records are seeded. A fan of several accounts keeps a later
 * time that is already set.
 */
export function seedLastSeen({ rows }: SeedContext): void {
  const fans = new Map<number, Mutable<Fan>>()
  for (const fan of rows.fans) fans.set(fan.id, fan)
  const note = (fanId: number, at: string | null) => {
    const fan = fans.get(fanId)
    if (fan !== undefined && at !== null && at > fan.lastSeen) fan.lastSeen = at
  }
  for (const { fanId, subscribedAt } of rows.subscriptions) note(fanId, subscribedAt)
  for (const { fanId, category, transaction_created_at: at } of rows.transactions) {
    if (category !== 'recurring_subscription') note(fanId, at)
  }
  for (const { fanId, isFromFan, createdAt } of rows.messages) {
    if (isFromFan) note(fanId, createdAt)
  }
  for (const { fanId, postedAt } of rows.comments) note(fanId, postedAt)
  for (const subscription of rows.subscriptions as Mutable<Subscription>[]) {
    subscription.lastActivity = fans.get(subscription.fanId)?.lastSeen ?? subscription.lastActivity
  }
}
