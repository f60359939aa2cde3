import { z } from 'zod'
import { count, size } from '../../engine/sizes.ts'
import type { SizesOf } from '../../engine/sizes.ts'

/** A custom list of users to make. */
export const UserListData = z.lazy(() =>
  z.strictObject({ name: z.string().min(1).max(64), members: count.default(0).describe('How many fans are in it.') }),
)
export type UserListData = z.infer<typeof UserListData>

/** Which lists of users a scenario can ask for. */
export const userListSizes = {
  userLists: size(
    () => z.array(UserListData).max(100).describe('Custom lists of users.'),
    [],
    ({ userLists }: { userLists: readonly UserListData[] }) => Math.max(0, ...userLists.map(({ members }) => members)),
  ),
}
export type UserListSizes = SizesOf<typeof userListSizes>
