import { dayMs, toIso } from '../../engine/time.ts'
import type { Seeding } from '../../world/seeding.ts'
import type { Payout } from './payouts.table.ts'
import { payoutTerms, toInvoiceId } from './payouts.ts'

interface Invoice {
  accountId: number
  at: number
  cents: number
  rejectReason: string | null
}

export function toPayout(seeding: Seeding, table: 'payouts' | 'referralPayouts', { accountId, at, cents, rejectReason }: Invoice): Payout {
  const second = Math.floor(at / 1000)
  const id = seeding.nextId(table)
  const { approvalDays, transferDays, currency } = payoutTerms
  const approvedAt = second * 1000 + approvalDays * dayMs
  const paidAt = approvedAt + transferDays * dayMs
  const open =
    approvedAt > seeding.now
      ? ({ state: 'pending', dueAt: toIso(approvedAt) } as const)
      : paidAt > seeding.now
        ? ({ state: 'approved', dueAt: toIso(paidAt) } as const)
        : undefined
  const settled = rejectReason === null ? (open ?? { state: 'paid' as const, dueAt: null }) : { state: 'rejected' as const, dueAt: null }
  return {
    id,
    accountId,
    invoiceId: toInvoiceId(id),
    createdAt: toIso(second * 1000),
    second,
    amount: cents / 100,
    currency,
    ...settled,
    rejectReason,
  }
}

export const latestHours = 26

export const monthMs = 30 * dayMs
