import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** How many stories a scenario can ask for. */
export const storySizes = {
  stories: size(() => count.describe("Stories, all but the last day's off the profile by now."), 0),
}
export type StorySizes = SizesOf<typeof storySizes>
