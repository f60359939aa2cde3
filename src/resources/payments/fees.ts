import { toCents } from '../../lib/money.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { deriveCountry } from '../fans/fan-values.ts'
import type { Transaction } from './transactions.table.ts'

/**
 * Splits a payment into the platform's fee, the tax of the fan's country, and the creator's share.
 * Dollars.
 */
export function splitPayment(
  { fanId, amount }: { fanId: number; amount: number },
  { countries }: Pick<SeedTexts, 'countries'>,
): Pick<Transaction, 'fee' | 'vat_amount' | 'net'> {
  const cents = toCents(amount)
  const feeCents = Math.round(cents * feeShare)
  // The given amount includes the tax.
  const rate = deriveCountry(fanId, countries)?.vat ?? 0
  const vatCents = Math.round((cents * rate) / (100 + rate))
  return {
    fee: feeCents / 100,
    vat_amount: vatCents / 100,
    net: (cents - feeCents - vatCents) / 100,
  }
}

/** The platform's share of each payment. */
const feeShare = 0.2

/** Minimum and maximum tip for all accounts, dollars. */
export const tipTerms = { min: 5, max: 1000 } as const
