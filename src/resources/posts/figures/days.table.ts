import { z } from 'zod'
import { compareAscending, defineTable } from '../../../data/define-table.ts'
import { recordTime } from '../../../data/record-time.ts'

/**
 * Views and likes of a post on one UTC day. Excludes seeded views and likes. The id is `post:start
 * of the day`.
 */
export const PostDay = z.lazy(() =>
  z.object({
    id: z.string(),
    accountId: z.int(),
    postId: z.int(),
    /** The start of the day. */
    date: recordTime,
    lookCount: z.int().default(0),
    uniqueLookCount: z.int().default(0),
    likeCount: z.int().default(0),
    /** The known fans among the unique viewers and among the users who like the post. */
    viewers: z.array(z.int()).default([]),
    likers: z.array(z.int()).default([]),
  }),
)
export type PostDay = Readonly<z.infer<typeof PostDay>>

export const postDays = defineTable({
  schema: PostDay,
  references: { accountId: 'accounts', postId: 'posts' },
  indexes: { byPost: { group: (day) => day.postId, order: compareAscending((day) => day.date) } },
})
