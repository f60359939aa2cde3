import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { parseIso } from '../../lib/time.ts'
import type { Seeding } from '../../seed/seeding.ts'

/**
 * Creates a function that returns the latest possible activity of a fan on an account, epoch ms. It
 * is the start of the clock. For fans shared with other accounts, it is earlier and was drawn
 * before the accounts were seeded.
 */
export function createLatestActivityLookup(
  { now, sharedFans }: Pick<Seeding, 'now' | 'sharedFans'>,
  { id }: Pick<Account, 'id'>,
): (fanId: number) => number {
  const settled = new Map((sharedFans.get(id) ?? []).map((fan) => [fan.id, parseIso(fan.lastSeen)]))
  return (fanId) => settled.get(fanId) ?? now
}
