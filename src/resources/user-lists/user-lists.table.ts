import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import {
  compareAscending,
  defineTable,
  compareDescending,
  recordTime,
} from '../../data/define-table.ts'
import { toFanKey } from '../fans/fans.table.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** A custom user list. */
export const UserList = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  name: z.string(),
  /** The position among the account's lists. The first list has the position 1. */
  order: z.int(),
  isPinnedToFeed: z.boolean().default(false),
  isPinnedToChat: z.boolean().default(false),
  createdAt: recordTime,
  /** Time of the last change to the name, the pin or the members. */
  updatedAt: recordTime,
  /** Orders lists that changed at the same time. */
  updateNumber: z.int().default(0),
}))
export type UserList = Readonly<z.infer<typeof UserList>>

/** A member of a list. The id is `list:user`, such as `1020000007:218000005`. */
const UserListMember = lazyObject(() => ({
  id: z.string(),
  accountId: z.int(),
  listId: z.int(),
  userId: z.int(),
  addedAt: recordTime,
  /** Orders members that were added at the same time. */
  number: z.int().default(0),
}))
type UserListMember = Readonly<z.infer<typeof UserListMember>>

export const userLists = defineTable({
  schema: UserList,
  references: { accountId: 'accounts' },
  firstId: 1_020_000_000,
  indexes: {
    byAccount: {
      group: (list) => list.accountId,
      order: compareAscending(
        (list) => list.order,
        (list) => list.id,
      ),
    },
  },
})

export const userListMembers = defineTable({
  schema: UserListMember,
  references: { accountId: 'accounts', listId: 'userLists', userId: ['fans', 'accounts'] },
  indexes: {
    byList: {
      group: (row) => row.listId,
      order: compareDescending(
        (row) => row.addedAt,
        (row) => row.number,
        (row) => row.userId,
      ),
    },
    byUser: {
      group: (row) => toFanKey(row.accountId, row.userId),
      order: compareAscending((row) => row.listId),
    },
  },
})

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
