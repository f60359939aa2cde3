import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { fromIso } from '../../lib/time.ts'
import type { Seeding } from '../../seed/seeding.ts'

/**
 * Tells until when a fan of an account can have done something there, epoch ms: until the clock
 * start, but for those whom it shares with other accounts. When these were last seen is settled
 * before any account is seeded.
 */
export function lastDeedsOn(
  { now, sharedFans }: Pick<Seeding, 'now' | 'sharedFans'>,
  { id }: Pick<Account, 'id'>,
): (fanId: number) => number {
  const settled = new Map((sharedFans.get(id) ?? []).map((fan) => [fan.id, fromIso(fan.lastSeen)]))
  return (fanId) => settled.get(fanId) ?? now
}
