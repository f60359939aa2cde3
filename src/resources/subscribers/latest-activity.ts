import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { fromIso } from '../../lib/time.ts'
import type { Seeding } from '../../seed/seeding.ts'

/**
 * Returns a function for the time of a fan's latest possible activity on an account, epoch ms. It
 * is the clock start, or an earlier time for fans that several accounts share, which is drawn
 * before accounts are seeded.
 */
<<<<<<<< HEAD:src/resources/subscribers/latest-activity.ts
export function latestActivityOn(
========
export function createLastActivity(
>>>>>>>> 10076c8b (docs: variations, scenarios and names in plain words; tests follow the messages):src/resources/subscribers/last-activity.ts
  { now, sharedFans }: Pick<Seeding, 'now' | 'sharedFans'>,
  { id }: Pick<Account, 'id'>,
): (fanId: number) => number {
  const settled = new Map((sharedFans.get(id) ?? []).map((fan) => [fan.id, fromIso(fan.lastSeen)]))
  return (fanId) => settled.get(fanId) ?? now
}
