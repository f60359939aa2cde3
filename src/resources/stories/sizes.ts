import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** Settings of a scenario for stories. */
export const storySizes = {
  stories: size(
    () => count.describe('Stories. Only those of the last day are still on the profile.'),
    0,
  ),
}
export type StorySizes = SizesOf<typeof storySizes>
