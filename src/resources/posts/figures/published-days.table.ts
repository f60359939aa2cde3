import { z } from 'zod'
import { compareAscending, defineTable } from '../../../data/define-table.ts'

/**
 * Number of posts that an account published on one UTC day, and the total of their views. Excludes
 * streams. Derived from the posts.
 */
export const PublishedDay = z.lazy(() =>
  z.object({
    id: z.string(),
    accountId: z.int(),
    /** `YYYY-MM-DD` */
    day: z.string(),
    count: z.int(),
    views: z.int(),
  }),
)
export type PublishedDay = Readonly<z.infer<typeof PublishedDay>>

export const publishedDays = defineTable({
  schema: PublishedDay,
  derived: 'rebuilt',
  indexes: {
    byAccount: { group: (row) => row.accountId, order: compareAscending((row) => row.day) },
  },
})
