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
          'believable (the default), or edge: markup, emoji, right-to-left and very long texts ' +
            'in all that people write and name.',
        ),
    'believable',
  ),
  equalTimes: size(
    () =>
      z
        .boolean()
        .describe('Whether posts, comments and ranks share times and figures. Default: false.'),
    false,
  ),
}
export type AccountSizes = SizesOf<typeof accountSizes>
