import { bucketStart, bucketWidth } from '../../engine/buckets.ts'
import { toCents } from '../../engine/money.ts'
import { fromIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import type { EarningBucket } from '../earnings/earnings.ts'
import type { Payout } from '../payouts/payouts.table.ts'

/** How many referrals an account has, and what they brought it. Dollars. */
export function sumReferrals(world: World, accountId: number): { count: number; earned: number } {
  const list = world.db.referrals.in('byAccount', accountId)
  let cents = 0
  for (const { earned } of list.walk()) cents += toCents(earned)
  return { count: list.size, earned: cents / 100 }
}

/** The buckets of the referral payouts in a window, oldest first, rejected ones left out: amounts in cents, cut as earnings are. Epoch ms. */
export function chartReferralPayouts(
  world: World,
  accountId: number,
  window: { start: number; end: number },
): Pick<EarningBucket, 'date' | 'net' | 'count'>[] {
  const list = world.db.referralPayouts.in('byAccount', accountId)
  const at = ({ createdAt }: Payout) => fromIso(createdAt)
  const rows = list.slice(
    list.rank((row) => at(row) <= window.end),
    list.rank((row) => at(row) < window.start),
  )
  const width = bucketWidth(window)
  const buckets = new Map<string, { net: number; count: number }>()
  for (const row of rows.toReversed()) {
    if (row.state === 'rejected') continue
    const date = new Date(bucketStart(at(row), width)).toISOString()
    const bucket = buckets.get(date) ?? { net: 0, count: 0 }
    buckets.set(date, { net: bucket.net + toCents(row.amount), count: bucket.count + 1 })
  }
  return [...buckets].map(([date, sums]) => ({ date, ...sums }))
}
