import { z } from 'zod'
import { ascending, defineTable, descending, orderBy } from '../../engine/store/table.ts'
import { fanKey } from '../fans/fans.table.ts'

/** A list of users that the account made. */
export const UserList = z.object({
  id: z.int(),
  accountId: z.int(),
  name: z.string(),
  /** Its place in the account's own order. */
  order: z.int(),
  isPinnedToFeed: z.boolean(),
  isPinnedToChat: z.boolean(),
  createdAt: z.iso.datetime(),
  /** When it was renamed or pinned, or its members changed. */
  updatedAt: z.iso.datetime(),
})
export type UserList = Readonly<z.infer<typeof UserList>>

/** A user in a list; the id is `list:user`. */
export const UserListMember = z.object({ id: z.string(), accountId: z.int(), listId: z.int(), userId: z.int(), addedAt: z.iso.datetime() })
export type UserListMember = Readonly<z.infer<typeof UserListMember>>

export const userLists = defineTable({
  schema: UserList,
  firstId: 1_020_000_000,
  indexes: {
    byAccount: {
      group: (list) => list.accountId,
      order: orderBy(
        ascending((list) => list.order),
        ascending((list) => list.id),
      ),
    },
  },
})

export const userListMembers = defineTable({
  schema: UserListMember,
  indexes: {
    byList: {
      group: (row) => row.listId,
      order: orderBy(
        descending((row) => row.addedAt),
        descending((row) => row.userId),
      ),
    },
    byUser: { group: (row) => fanKey(row.accountId, row.userId), order: ascending((row) => row.listId) },
  },
})
