import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** How many followed, blocked and restricted users a scenario can ask for. */
export const userSizes = {
  following: size(() => count.describe('Creators whom the account follows.'), 0),
  blocked: size(() => count.describe('Fans whom it blocked.'), 0),
  restricted: size(
    () => count.describe('Fans whom it restricted, others than the blocked ones.'),
    0,
    ({ blocked, restricted }: { blocked: number; restricted: number }) => blocked + restricted,
  ),
}
export type UserSizes = SizesOf<typeof userSizes>
