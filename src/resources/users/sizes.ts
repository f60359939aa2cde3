import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for followed, blocked and restricted users. */
export const userSizes = {
  following: defineSize(() => count.describe('Number of creators that the account follows.'), 0),
  blocked: defineSize(() => count.describe('Number of blocked fans.'), 0),
  restricted: defineSize(
    () => count.describe('Number of restricted fans, in addition to blocked fans.'),
    0,
    ({ blocked, restricted }: { blocked: number; restricted: number }) => blocked + restricted,
  ),
}
export type UserSizes = SizeValues<typeof userSizes>
