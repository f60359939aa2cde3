import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for stories. */
export const storySizes = {
  stories: defineSize(
    () =>
      count.describe(
        'Number of stories. Only stories from the last day are visible on the profile.',
      ),
    0,
  ),
}
export type StorySizes = SizeValues<typeof storySizes>
