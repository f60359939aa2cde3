import { getBucketStart, chooseBucketWidth } from '../../api/lists/buckets.ts'
import { toCents } from '../../lib/money.ts'
import { findRowsInSpan } from '../../api/lists/rows-in-span.ts'
import { parseIso, toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import type { Span } from '../../api/lists/window.ts'
import type { World } from '../world.ts'
import type { EarningBucket } from '../earnings/earnings.ts'

/** Counts the referrals of an account and adds up the income from them. Dollars. */
export function sumReferrals(world: World, accountId: number): { count: number; earned: number } {
  const list = world.db.referrals.in('byAccount', accountId)
  let cents = 0
  for (const { earned } of list.walk()) cents += toCents(earned)
  return { count: list.size, earned: cents / 100 }
}

/**
 * Adds up the referral payouts in a window by bucket, oldest first, in cents. Excludes rejected
 * payouts. Uses the same buckets as earnings.
 */
export function sumReferralPayoutsByBucket(
  world: World,
  accountId: number,
  window: Span,
): Pick<EarningBucket, 'date' | 'net' | 'count'>[] {
  const rows = findRowsInSpan(
    world.db.referralPayouts.in('byAccount', accountId),
    window,
    (row) => row.createdAt,
  )
  const width = chooseBucketWidth(window)
  const buckets = new Map<PlatformTime, { net: number; count: number }>()
  for (const row of rows.toReversed()) {
    if (row.state === 'rejected') continue
    const date = toPlatformTime(getBucketStart(parseIso(row.createdAt), width))
    const bucket = buckets.get(date) ?? { net: 0, count: 0 }
    buckets.set(date, { net: bucket.net + toCents(row.amount), count: bucket.count + 1 })
  }
  return [...buckets].map(([date, sums]) => ({ date, ...sums }))
}
