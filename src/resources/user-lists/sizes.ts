import { z } from 'zod'
import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** A custom list of users to make. */
export const UserListData = z.lazy(() =>
  z
    .strictObject({
      name: z.string().min(1).max(64).optional().describe("Absent: the persona's next one."),
      members: count.default(0).describe('How many fans are in it.'),
      holds: z
        .enum(['spenders', 'unanswered'])
        .optional()
        .describe(
          'spenders: its members are those who spent most. unanswered: it has those fans, ' +
            'however many, whose last words of the last ' +
            '30 days wait for an answer. Absent: any fans.',
        ),
    })
    .refine(({ holds, members }) => holds !== 'unanswered' || members === 0, {
      path: ['members'],
      error:
        'a list that holds who is unanswered has as many members as there are: leave out ' +
        'members or holds',
    }),
)
export type UserListData = z.infer<typeof UserListData>

/** Which lists of users a scenario can ask for. */
export const userListSizes = {
  userLists: size(
    () => z.array(UserListData).max(100).describe('Custom lists of users.'),
    [],
    ({ userLists }: { userLists: readonly UserListData[] }) =>
      Math.max(0, ...userLists.map(({ members }) => members)),
  ),
}
export type UserListSizes = SizesOf<typeof userListSizes>
