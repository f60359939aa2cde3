import { toCents } from '../../engine/money.ts'
import type { Random } from '../../engine/random.ts'
import type { Transaction } from './transactions.table.ts'

/** Splits an amount into the platform's fee, a tax that some buyers pay, and what is left to the creator. Dollars. */
export function shareOut(random: Random, amount: number): Pick<Transaction, 'fee' | 'vat_amount' | 'net'> {
  const cents = toCents(amount)
  const feeCents = Math.round(cents * feeShare)
  const vatCents = random.chance(0.25) ? Math.round(cents * vatShare) : 0
  return { fee: feeCents / 100, vat_amount: vatCents / 100, net: (cents - feeCents - vatCents) / 100 }
}

export const feeShare = 0.2

export const vatShare = 0.1
