import type { Seeding } from '../../world/seeding.ts'

/**
 * Moves the time when a fan was last seen to the last thing that they did: subscribing, paying (renewals are automatic and do not
 * count), writing, commenting. It copies that time to the subscriptions. It comes after the steps that seed those.
 */
export function seedLastSeen({ rows }: Seeding): void {
  const latest = new Map<number, string>()
  const note = (fanId: number, at: string | null) => {
    if (at !== null && at > (latest.get(fanId) ?? '')) latest.set(fanId, at)
  }
  for (const { fanId, subscribedAt } of rows.subscriptions) note(fanId, subscribedAt)
  for (const { fanId, category, transaction_created_at: at } of rows.transactions)
    if (category !== 'recurring_subscription') note(fanId, at)
  for (const { fanId, isFromFan, createdAt } of rows.messages) if (isFromFan) note(fanId, createdAt)
  for (const { fanId, postedAt } of rows.comments) note(fanId, postedAt)
  const lastSeen = new Map<number, string>()
  for (const fan of rows.fans) {
    const at = latest.get(fan.id)
    if (at !== undefined && at > fan.lastSeen) Object.assign(fan, { lastSeen: at })
    lastSeen.set(fan.id, fan.lastSeen)
  }
  for (const subscription of rows.subscriptions) Object.assign(subscription, { lastActivity: lastSeen.get(subscription.fanId) })
}
