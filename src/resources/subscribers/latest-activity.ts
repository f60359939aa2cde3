import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { fromIso } from '../../lib/time.ts'
import type { Seeding } from '../../seed/seeding.ts'

/**
 * Returns a function that gives the latest possible activity of a fan on an account, epoch ms. It
 * is the clock start, except for fans shared with other accounts, whose last activity is decided
 * before accounts are seeded.
 */
export function latestActivityOn(
  { now, sharedFans }: Pick<Seeding, 'now' | 'sharedFans'>,
  { id }: Pick<Account, 'id'>,
): (fanId: number) => number {
  const settled = new Map((sharedFans.get(id) ?? []).map((fan) => [fan.id, fromIso(fan.lastSeen)]))
  return (fanId) => settled.get(fanId) ?? now
}
