import type { SortedList } from '../../data/sorted-list.ts'
import type { ChangeListener } from '../../data/changes.ts'
import type { World } from '../world.ts'
import type { Comment } from './comments.table.ts'

/** Returns the comments of a post, newest first. */
export function getComments(world: World, postId: number): SortedList<Comment> {
  return world.db.comments.in('byPost', postId)
}

/** Updates the `commentCount` of posts when comments are added or removed. */
export function createCommentCountUpdater(world: World): ChangeListener<Comment> {
  return (before, after) => {
    for (const postId of new Set([before?.postId, after?.postId])) {
      if (postId === undefined || world.db.posts.get(postId) === undefined) continue
      world.db.posts.update(postId, { commentCount: getComments(world, postId).size })
    }
  }
}

/**
 * Sets the comment counts of posts, for manually written records. Posts without comments keep their
 * count.
 */
export function fillCommentCounts({ db }: World): void {
  for (const postId of new Set(db.comments.all().map((comment) => comment.postId))) {
    const { size } = db.comments.in('byPost', postId)
    const post = db.posts.get(postId)
    if (post !== undefined && post.commentCount !== size)
      db.posts.update(postId, { commentCount: size })
  }
}
