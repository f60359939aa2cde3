import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** How many referrals a scenario can ask for. */
export const referralSizes = {
  referrals: size(
    () =>
      count
        .max(1000)
        .describe('Creators who joined through its referral link, and what they brought it.'),
    0,
  ),
}
export type ReferralSizes = SizesOf<typeof referralSizes>
