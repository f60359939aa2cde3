import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for payouts. */
export const payoutSizes = {
  payouts: defineSize(
    () =>
      count
        .max(1000)
        .describe(
          'Number of payouts in the last two years. The sum of the payouts never exceeds ' +
            'the earnings until then. A payout below the minimum is rejected.',
        ),
    0,
  ),
}
export type PayoutSizes = SizeValues<typeof payoutSizes>
