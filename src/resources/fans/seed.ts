import type { Seeding } from '../../world/seeding.ts'

/** Sees to it that nobody was seen last before something that they did: subscribing, paying by hand, writing, commenting. Comes last of all. */
export function seedLastSeen({ rows }: Seeding): void {
  const latest = new Map<number, string>()
  const see = (fanId: number, at: string | null) => {
    if (at !== null && at > (latest.get(fanId) ?? '')) latest.set(fanId, at)
  }
  for (const { fanId, subscribedAt } of rows.subscriptions) see(fanId, subscribedAt)
  for (const { fanId, category, transaction_created_at: at } of rows.transactions) if (category !== 'recurring_subscription') see(fanId, at)
  for (const { fanId, isFromFan, createdAt } of rows.messages) if (isFromFan) see(fanId, createdAt)
  for (const { fanId, postedAt } of rows.comments) see(fanId, postedAt)
  const lastSeen = new Map<number, string>()
  for (const fan of rows.fans) {
    const at = latest.get(fan.id)
    if (at !== undefined && at > fan.lastSeen) Object.assign(fan, { lastSeen: at })
    lastSeen.set(fan.id, fan.lastSeen)
  }
  for (const subscription of rows.subscriptions) Object.assign(subscription, { lastActivity: lastSeen.get(subscription.fanId) })
}
