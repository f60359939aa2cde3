import { z } from 'zod'
import { defineTable, compareDescending, combineComparators } from '../../data/define-table.ts'
import { recordTime } from '../../data/record-time.ts'

/**
 * An account's marks on a user: blocked, restricted, reported. The row is kept when the marks are
 * removed.
 */
export const UserMark = z.lazy(() =>
  z.object({
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
  }),
)
export type UserMark = Readonly<z.infer<typeof UserMark>>

/** Creates an index of the users on whom an account has set a mark, latest mark first. */
const since = (mark: 'blocked' | 'restricted') => ({
  group: (row: UserMark) => (row[`${mark}At`] === null ? null : row.accountId),
  order: combineComparators<UserMark>(
    compareDescending((row) => row[`${mark}At`] ?? ''),
    combineComparators(
      compareDescending((row) => row[`${mark}Number`]),
      compareDescending((row) => row.userId),
    ),
  ),
})

export const userMarks = defineTable({
  schema: UserMark,
  references: { accountId: 'accounts', userId: ['fans', 'accounts'] },
  indexes: { blocked: since('blocked'), restricted: since('restricted') },
})
