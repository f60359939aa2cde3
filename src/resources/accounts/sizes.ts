import { z } from 'zod'
import { size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** The settings of a scenario for all data of an account. */
export const accountSizes = {
  texts: size(
    () =>
      z
        .enum(['believable', 'edge'])
        .describe(
          'believable (default), or edge: markup, emoji, right-to-left and very long texts in ' +
            'everything that users write, also in names.',
        ),
    'believable',
  ),
  equalTimes: size(
    () =>
      z
        .boolean()
        .describe(
          'true: posts, comments and ranks share times and figures (ties). Default: false.',
        ),
    false,
  ),
}
export type AccountSizes = SizesOf<typeof accountSizes>
