import { z } from 'zod'
import { ascending, defineTable, descending, orderBy } from '../../data/define-table.ts'
import { fanKey } from '../fans/fans.table.ts'

/** A custom list of users. */
export const UserList = z.lazy(() =>
  z.object({
    id: z.int(),
    accountId: z.int(),
    name: z.string(),
    /** Its place among the account's lists, from 1 on. */
    order: z.int(),
    isPinnedToFeed: z.boolean().default(false),
    isPinnedToChat: z.boolean().default(false),
    createdAt: z.iso.datetime(),
    /** When it was last renamed or pinned, or its members last changed. */
    updatedAt: z.iso.datetime(),
  }),
)
export type UserList = Readonly<z.infer<typeof UserList>>

/** A user in a list. The id is `list:user`, such as `1020000007:218000005`. */
export const UserListMember = z.lazy(() =>
  z.object({
    id: z.string(),
    accountId: z.int(),
    listId: z.int(),
    userId: z.int(),
    addedAt: z.iso.datetime(),
  }),
)
export type UserListMember = Readonly<z.infer<typeof UserListMember>>

export const userLists = defineTable({
  schema: UserList,
  references: { accountId: 'accounts' },
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
  references: { accountId: 'accounts', listId: 'userLists', userId: ['fans', 'accounts'] },
  indexes: {
    byList: {
      group: (row) => row.listId,
      order: orderBy(
        descending((row) => row.addedAt),
        descending((row) => row.userId),
      ),
    },
    byUser: {
      group: (row) => fanKey(row.accountId, row.userId),
      order: ascending((row) => row.listId),
    },
  },
})
