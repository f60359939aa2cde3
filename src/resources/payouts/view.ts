import { toPlatformTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import type { Payout } from './payouts.table.ts'

/** Converts a payout or referral payout to its API form. */
export function toPayoutItem(
  _: World,
  { invoiceId, createdAt, amount, currency, state, rejectReason }: Payout,
) {
  return { invoiceId, createdAt: toPlatformTime(createdAt), amount, currency, state, rejectReason }
}
