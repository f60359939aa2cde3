import { z } from 'zod'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for purchases. */
export const paymentSizes = {
  transactions: defineSize(
    () => count.describe("Number of purchases by the account's fans."),
    0,
    ({ transactions }: { transactions: number }) => Math.min(transactions, 1),
  ),
  transactionsPerFan: defineSize(
    () =>
      z
        .array(count)
        .max(100_000)
        .describe(
          'Numbers of additional purchases, one number per fan, starting with the first fan.',
        ),
    [],
    ({ transactionsPerFan }: { transactionsPerFan: readonly number[] }) =>
      transactionsPerFan.length,
  ),
}
export type PaymentSizes = SizeValues<typeof paymentSizes>
