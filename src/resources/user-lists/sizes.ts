import { z } from 'zod'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** A custom user list to seed. */
export const UserListData = z.lazy(() =>
  z
    .strictObject({
      name: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .describe("Default: the next name in the persona's list."),
      members: count.default(0).describe('Number of members.'),
      holds: z
        .enum(['spenders', 'unanswered'])
        .optional()
        .describe(
          'spenders: the fans who spent most. unanswered: all fans who wrote the last message ' +
            'of their chat within the last 30 days. Default: the first list contains the fans who ' +
            'pay most often, and the other lists contain randomly chosen fans.',
        ),
    })
    .refine(({ holds, members }) => holds !== 'unanswered' || members === 0, {
      path: ['members'],
      error: 'holds: unanswered determines the number of members: leave out members or holds',
    }),
)
export type UserListData = z.infer<typeof UserListData>

/** Scenario settings for user lists. */
export const userListSizes = {
  userLists: defineSize(
    () => z.array(UserListData).max(100).describe('Custom user lists.'),
    [],
    ({ userLists }: { userLists: readonly UserListData[] }) =>
      Math.max(0, ...userLists.map(({ members }) => members)),
  ),
}
export type UserListSizes = SizeValues<typeof userListSizes>
