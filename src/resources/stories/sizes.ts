import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for stories. */
export const storySizes = {
  stories: defineSize(
    () =>
      count.describe(
        'Number of stories. Only stories of the last day are still shown on the profile.',
      ),
    0,
  ),
}
export type StorySizes = SizeValues<typeof storySizes>
