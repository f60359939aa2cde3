import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** How many payouts a scenario can ask for. */
export const payoutSizes = {
  payouts: size(
    () =>
      count
        .max(1000)
        .describe(
          'Payouts of the last two years. Their sum never passes what was earned by then: ' +
            'what is too little to pay out stands as rejected.',
        ),
    0,
  ),
}
export type PayoutSizes = SizesOf<typeof payoutSizes>
