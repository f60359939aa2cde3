import { z } from 'zod'
import { defineTable, descending, orderBy } from '../../engine/store/table.ts'

/** What an account did about a user: one row, kept when all is taken back. */
export const UserMark = z.object({
  id: z.string(),
  accountId: z.int(),
  userId: z.int(),
  blockedAt: z.iso.datetime().nullable(),
  restrictedAt: z.iso.datetime().nullable(),
  reportedAt: z.iso.datetime().nullable(),
  /** What the latest report says. */
  reportReason: z.string().nullable(),
})
export type UserMark = Readonly<z.infer<typeof UserMark>>

const since = (field: 'blockedAt' | 'restrictedAt') => ({
  group: (row: UserMark) => (row[field] === null ? null : row.accountId),
  order: orderBy<UserMark>(
    descending((row) => row[field] ?? ''),
    descending((row) => row.userId),
  ),
})

export const userMarks = defineTable({ schema: UserMark, indexes: { blocked: since('blockedAt'), restricted: since('restrictedAt') } })
