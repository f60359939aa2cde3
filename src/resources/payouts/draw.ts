import { dayMs, toIso } from '../../engine/time.ts'
import type { Seeding } from '../../world/seeding.ts'
import type { Payout } from './payouts.table.ts'
import { payoutTerms, toInvoiceId } from './payouts.ts'

/** A payout to seed: `at` is epoch ms. */
interface Invoice {
  accountId: number
  at: number
  cents: number
  rejectReason: string | null
}

/** Makes the row of a payout, in the state that it has reached at the clock start. */
export function toPayout(seeding: Seeding, table: 'payouts' | 'referralPayouts', { accountId, at, cents, rejectReason }: Invoice): Payout {
  const second = Math.floor(at / 1000)
  const id = seeding.nextId(table)
  const { approvalDays, transferDays, currency } = payoutTerms
  const approvedAt = second * 1000 + approvalDays * dayMs
  const paidAt = approvedAt + transferDays * dayMs
  const stateNow = (): Pick<Payout, 'state' | 'dueAt'> => {
    if (rejectReason !== null) return { state: 'rejected', dueAt: null }
    if (approvedAt > seeding.now) return { state: 'pending', dueAt: toIso(approvedAt) }
    if (paidAt > seeding.now) return { state: 'approved', dueAt: toIso(paidAt) }
    return { state: 'paid', dueAt: null }
  }
  return {
    id,
    accountId,
    invoiceId: toInvoiceId(id),
    createdAt: toIso(second * 1000),
    second,
    amount: cents / 100,
    currency,
    ...stateNow(),
    rejectReason,
  }
}

/** How long before the clock start the latest payout was requested, hours. */
export const latestHours = 26

/** A month of payouts: 30 days. */
export const monthMs = 30 * dayMs
