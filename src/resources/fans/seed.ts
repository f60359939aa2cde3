import { hourMs, parseIso, toIsoTime } from '../../lib/time.ts'
import type { AccountPlan, Mutable, SeedContext } from '../../seed/seeding.ts'
import { createLatestActivityLookup } from '../subscribers/latest-activity.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { Fan } from './fans.table.ts'

/** A fan views a message within this time. */
const longestUnviewedMs = 20 * hourMs

/**
 * Sets the time when each fan of the account was last seen to the fan's last activity:
 * subscription, payment, comment, or a message that the fan wrote or viewed. Automatic renewals do
 * not count. Copies this time to the subscriptions. Runs after these records are seeded. A fan of
 * several accounts keeps a later time that is already set.
 */
export function seedLastSeen(seeding: SeedContext, { account }: AccountPlan): void {
  const { random, rows } = seeding
  const lastActiveAt = createLatestActivityLookup(seeding, account)
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
  for (const { fanId, isFromFan, isViewed, createdAt } of rows.messages) {
    if (isFromFan) note(fanId, createdAt)
    else if (isViewed && createdAt > (fans.get(fanId)?.lastSeen ?? createdAt)) {
      const at = parseIso(createdAt)
      const left = Math.min(longestUnviewedMs, lastActiveAt(fanId) - at)
      note(fanId, toIsoTime(Math.floor(at + left * random.next())))
    }
  }
  for (const { fanId, postedAt } of rows.comments) note(fanId, postedAt)
  for (const subscription of rows.subscriptions as Mutable<Subscription>[]) {
    subscription.lastActivity = fans.get(subscription.fanId)?.lastSeen ?? subscription.lastActivity
  }
}
