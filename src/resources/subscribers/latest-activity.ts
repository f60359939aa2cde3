import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { parseIso } from '../../lib/time.ts'
import type { SeedContext } from '../../seed/seeding.ts'

/**
 * Creates a function that returns an upper limit for the time of a fan's last activity on an
 * account, epoch ms. The limit is usually the start of the clock. For fans of several accounts, it
 * is an earlier random time, which was chosen before the accounts were seeded.
 */
export function createLatestActivityLookup(
  { now, sharedFans }: Pick<SeedContext, 'now' | 'sharedFans'>,
  { id }: Pick<Account, 'id'>,
): (fanId: number) => number {
  const settled = new Map((sharedFans.get(id) ?? []).map((fan) => [fan.id, parseIso(fan.lastSeen)]))
  return (fanId) => settled.get(fanId) ?? now
}
