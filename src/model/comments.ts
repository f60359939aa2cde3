import { z } from 'zod'
import type { SortedList } from './sorted-list.ts'
import { defineTable, descending, orderBy } from './table.ts'
import type { TableWatcher } from './table.ts'
import type { World } from './world.ts'

/** A fan's comment on a post. */
export const Comment = z.object({
  id: z.int(),
  accountId: z.int(),
  postId: z.int(),
  fanId: z.int(),
  text: z.string(),
  giphyId: z.string().nullable(),
  postedAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
  likesCount: z.int(),
  isLiked: z.boolean(),
  isLikedByAuthor: z.boolean(),
  isPinned: z.boolean(),
  canLike: z.boolean(),
})
export type Comment = Readonly<z.infer<typeof Comment>>

export const comments = defineTable({
  schema: Comment,
  indexes: {
    byPost: { group: (comment) => comment.postId, order: orderBy(descending((comment) => comment.postedAt), descending((comment) => comment.id)) },
  },
})

/** The comments of a post, newest first. */
export function commentsOf(world: World, postId: number): SortedList<Comment> {
  return world.db.comments.in('byPost', postId)
}

/** Keeps the commentCount of posts in agreement with the comments. */
export function watchCommentCounts(world: World): TableWatcher<Comment> {
  return {
    change(before, after) {
      for (const postId of new Set([before?.postId, after?.postId])) {
        if (postId === undefined || world.db.posts.get(postId) === undefined) continue
        world.db.posts.update(postId, { commentCount: commentsOf(world, postId).size })
      }
    },
    load() {},
  }
}
