import { z } from 'zod'
import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** How many purchases a scenario can ask for. */
export const paymentSizes = {
  transactions: size(
    () => count.describe('Purchases of these fans.'),
    0,
    ({ transactions }: { transactions: number }) => Math.min(transactions, 1),
  ),
  transactionsPerFan: size(
    () =>
      z
        .array(count)
        .max(100_000)
        .describe('Purchases of the first fans, one number for each, besides the others.'),
    [],
    ({ transactionsPerFan }: { transactionsPerFan: readonly number[] }) =>
      transactionsPerFan.length,
  ),
}
export type PaymentSizes = SizesOf<typeof paymentSizes>
