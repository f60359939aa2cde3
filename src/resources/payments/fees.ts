import { toCents } from '../../engine/money.ts'
import type { Random } from '../../engine/random.ts'
import type { Transaction } from './transactions.table.ts'

/** Splits an amount into the platform's fee, the tax that some buyers pay, and the rest, which is the creator's. Dollars. */
export function shareOut(random: Random, amount: number): Pick<Transaction, 'fee' | 'vat_amount' | 'net'> {
  const cents = toCents(amount)
  const feeCents = Math.round(cents * feeShare)
  const vatCents = random.chance(0.25) ? Math.round(cents * vatShare) : 0
  return { fee: feeCents / 100, vat_amount: vatCents / 100, net: (cents - feeCents - vatCents) / 100 }
}

/** The platform's share of each payment. */
export const feeShare = 0.2

/** The tax on a payment, as a share of it. */
export const vatShare = 0.1
