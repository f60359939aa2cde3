import { z } from 'zod'
import { lazyObject } from '../../../lib/fields.ts'
import { defineTable, compareAscending, recordTime } from '../../../data/define-table.ts'
import { FeedCounters } from '../schemas.ts'
import { Post } from '../posts.table.ts'

/**
 * Counts of posts and media items in an account's feed, and of posts in each archive bucket. The id
 * is the id of the account.
 */
export const PostCounters = z.lazy(() => FeedCounters.unwrap().extend({ id: z.int() }))
export type PostCounters = Readonly<z.infer<typeof PostCounters>>

export const postCounters = defineTable({
  schema: PostCounters,
  derived: 'rebuilt',
  indexes: {},
})

/**
 * Views and likes of a post on one UTC day. Excludes seeded views and likes. The id is `post:start
 * of the day`.
 */
const PostDay = lazyObject(() => ({
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
}))
type PostDay = Readonly<z.infer<typeof PostDay>>

export const postDays = defineTable({
  schema: PostDay,
  references: { accountId: 'accounts', postId: 'posts' },
  indexes: { byPost: { group: (day) => day.postId, order: compareAscending((day) => day.date) } },
})

/**
 * Number of posts that an account published on one UTC day, and the total of their views. Excludes
 * streams. Derived from the posts.
 */
export const PublishedDay = lazyObject(() => ({
  id: z.string(),
  accountId: z.int(),
  /** `YYYY-MM-DD` */
  day: z.string(),
  count: z.int(),
  views: z.int(),
}))
export type PublishedDay = Readonly<z.infer<typeof PublishedDay>>

export const publishedDays = defineTable({
  schema: PublishedDay,
  derived: 'rebuilt',
  indexes: {
    byAccount: { group: (row) => row.accountId, order: compareAscending((row) => row.day) },
  },
})

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
      order: compareAscending(
        (post) => post.removedAt,
        (post) => post.id,
      ),
    },
    byPrecise: {
      group: (post) => post.accountId,
      order: compareAscending(
        (post) => post.postedAtPrecise,
        (post) => post.id,
      ),
    },
  },
})
