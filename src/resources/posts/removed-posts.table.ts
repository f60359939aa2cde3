import { z } from 'zod'
import { compareAscending, defineTable, combineComparators } from '../../data/define-table.ts'
import { recordTime } from '../../data/record-time.ts'
import { Post } from './posts.table.ts'

/**
 * A deleted or expired post. Its sort fields are stored because a page of a ranked feed can still
 * start after this post.
 */
export const RemovedPost = z.lazy(() =>
  Post.unwrap()
    .pick({ id: true, accountId: true, postedAtPrecise: true, likeCount: true, tipSum: true })
    .extend({
      removedAt: recordTime,
    }),
)
export type RemovedPost = Readonly<z.infer<typeof RemovedPost>>

export const removedPosts = defineTable({
  schema: RemovedPost,
  references: { accountId: 'accounts' },
  indexes: {
    byAccount: {
      group: (post) => post.accountId,
      order: combineComparators(
        compareAscending((post) => post.removedAt),
        compareAscending((post) => post.id),
      ),
    },
    byPrecise: {
      group: (post) => post.accountId,
      order: combineComparators(
        compareAscending((post) => post.postedAtPrecise),
        compareAscending((post) => post.id),
      ),
    },
  },
})
