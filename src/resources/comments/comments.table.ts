import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { defineTable, compareDescending, recordTime } from '../../data/define-table.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** A comment on a post, by a fan or the creator. */
export const Comment = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  postId: z.int(),
  /** The author, who is a fan or the account itself. */
  fanId: z.int(),
  text: z.string(),
  giphyId: z.string().nullable().default(null),
  postedAt: recordTime,
  changedAt: recordTime,
  likesCount: z.int().default(0),
  isLiked: z.boolean().default(false),
  isLikedByAuthor: z.boolean().default(false),
  isPinned: z.boolean().default(false),
  canLike: z.boolean().default(true),
}))
export type Comment = Readonly<z.infer<typeof Comment>>

export const comments = defineTable({
  schema: Comment,
  references: { accountId: 'accounts', postId: 'posts', fanId: ['fans', 'accounts'] },
  firstId: 3_310_000_000,
  indexes: {
    byPost: {
      group: (comment) => comment.postId,
      order: compareDescending(
        (comment) => comment.postedAt,
        (comment) => comment.id,
      ),
    },
  },
})

/** Scenario settings for the comments of an account. */
export const commentSizes = {
  comments: defineSize(
    () =>
      z
        .union([z.literal('spread'), z.array(count).max(100_000)])
        .describe(
          'Number of comments on posts. spread (default): random numbers on all posts. A ' +
            'list sets the numbers for the newest posts.',
        ),
    'spread',
  ),
}
export type CommentSizes = SizeValues<typeof commentSizes>
