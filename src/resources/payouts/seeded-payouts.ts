import { dayMs, toIsoTime } from '../../lib/time.ts'
import type { SeedContext } from '../../seed/seeding.ts'
import type { Payout } from './payouts.table.ts'
import { payoutTerms, toInvoiceId } from './payouts.ts'

/** A payout to seed. `at` is epoch ms. */
interface Invoice {
  accountId: number
  at: number
  cents: number
  rejectReason: string | null
}

/** Creates the row of a payout, in the state that it has when the clock starts. */
export function createSeededPayout(
  seeding: SeedContext,
  table: 'payouts' | 'referralPayouts',
  { accountId, at, cents, rejectReason }: Invoice,
): Payout {
  const second = Math.floor(at / 1000)
  const id = seeding.nextId(table)
  return {
    id,
    accountId,
    invoiceId: toInvoiceId(id),
    createdAt: toIsoTime(second * 1000),
    second,
    amount: cents / 100,
    currency: payoutTerms.currency,
    ...getPayoutState(seeding.now, { second, rejectReason }),
    rejectReason,
  }
}

/** Returns the state of a payout at a given time, and the time of its next transition. */
export function getPayoutState(
  now: number,
  { second, rejectReason }: Pick<Payout, 'second' | 'rejectReason'>,
): Pick<Payout, 'state' | 'dueAt'> {
  const { approvalDays, transferDays } = payoutTerms
  const approvedAt = second * 1000 + approvalDays * dayMs
  const paidAt = approvedAt + transferDays * dayMs
  if (rejectReason !== null) return { state: 'rejected', dueAt: null }
  if (approvedAt > now) return { state: 'pending', dueAt: toIsoTime(approvedAt) }
  if (paidAt > now) return { state: 'approved', dueAt: toIsoTime(paidAt) }
  return { state: 'paid', dueAt: null }
}

/** Length of a month, for the interval between payouts. */
export const monthMs = 30 * dayMs
