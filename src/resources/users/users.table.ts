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

/** An account's own subscription to a creator. */
export const Follow = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  /** Id of the creator in the table fans. */
  userId: z.int(),
  price: z.number(),
  subscribedAt: recordTime,
  /**
   * End of the initially paid months. If `isAutoprolong` is set, the subscription is then renewed
   * every month.
   */
  expiredAt: recordTime,
  isAutoprolong: z.boolean(),
}))
export type Follow = Readonly<z.infer<typeof Follow>>

export const follows = defineTable({
  schema: Follow,
  references: { accountId: 'accounts', userId: 'fans' },
  firstId: 655_000_000,
  indexes: {
    byAccount: {
      group: (row) => row.accountId,
      order: compareDescending(
        (row) => row.subscribedAt,
        (row) => row.id,
      ),
    },
    byUser: {
      group: (row) => toFanKey(row.accountId, row.userId),
      order: compareAscending((row) => row.id),
    },
  },
})

/**
 * An account's marks on a user: blocked, restricted, reported. The row is kept when the marks are
 * removed.
 */
export const UserMark = lazyObject(() => ({
  id: z.string(),
  accountId: z.int(),
  userId: z.int(),
  blockedAt: recordTime.nullable().default(null),
  restrictedAt: recordTime.nullable().default(null),
  /** Orders users who were blocked at the same time. */
  blockedNumber: z.int().default(0),
  /** Orders users who were restricted at the same time. */
  restrictedNumber: z.int().default(0),
  reportedAt: recordTime.nullable().default(null),
  /** The reason given in the latest report. */
  reportReason: z.string().nullable().default(null),
}))
export type UserMark = Readonly<z.infer<typeof UserMark>>

/** Creates an index of the users on whom an account has set a mark, latest mark first. */
const since = (mark: 'blocked' | 'restricted') => ({
  group: (row: UserMark) => (row[`${mark}At`] === null ? null : row.accountId),
  order: compareDescending<UserMark>(
    (row) => row[`${mark}At`] ?? '',
    (row) => row[`${mark}Number`],
    (row) => row.userId,
  ),
})

export const userMarks = defineTable({
  schema: UserMark,
  references: { accountId: 'accounts', userId: ['fans', 'accounts'] },
  indexes: { blocked: since('blocked'), restricted: since('restricted') },
})

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
