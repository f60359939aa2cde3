import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for referrals. */
export const referralSizes = {
  referrals: defineSize(
    () =>
      count
        .max(1000)
        .describe(
          "Number of creators who joined through the account's referral link and generate income " +
            'for the account.',
        ),
    0,
  ),
}
export type ReferralSizes = SizeValues<typeof referralSizes>
