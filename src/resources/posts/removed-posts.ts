import type { ChangeListener } from '../../data/changes.ts'
import type { World } from '../world.ts'
import type { Post } from './posts.table.ts'
import { atCursor } from './posts.ts'
import type { RemovedPost } from './removed-posts.table.ts'

/** How many removed posts of an account are remembered. */
export const maxRemovedPosts = 1000

/**
 * The removed post of that cursor; undefined when there was none, or when too many posts have been
 * removed since.
 */
export function removedPostAt(
  world: World,
  accountId: number,
  precise: string,
): RemovedPost | undefined {
  return atCursor(world.db.removedPosts.in('byPrecise', accountId), precise)
}

/**
 * Remembers each post that is deleted or expires, and forgets the oldest when there are too many.
 */
export function watchRemovedPosts(world: World): ChangeListener<Post> {
  return (before, after) => {
    if (before === undefined || after !== undefined) return
    const { id, accountId, postedAtPrecise, likeCount, tipSum } = before
    const table = world.db.removedPosts
    table.remove(id)
    table.insert({
      id,
      accountId,
      postedAtPrecise,
      likeCount,
      tipSum,
      removedAt: world.clock.iso(),
    })
    const ofAccount = table.in('byAccount', accountId)
    const oldest = ofAccount.at(0)
    if (oldest !== undefined && ofAccount.size > maxRemovedPosts) table.remove(oldest.id)
  }
}
