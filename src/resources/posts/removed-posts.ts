import type { ChangeListener } from '../../data/changes.ts'
import type { World } from '../world.ts'
import type { Post } from './posts.table.ts'
import { findRowAtCursor } from './posts.ts'
import type { RemovedPost } from './removed-posts.table.ts'

/** Maximum number of removed posts per account. */
export const maxRemovedPosts = 1000

/**
 * Returns the removed post with the given cursor. Undefined if the post never existed or is no
 * longer stored.
 */
export function findRemovedPost(
  world: World,
  accountId: number,
  precise: string,
): RemovedPost | undefined {
  return findRowAtCursor(world.db.removedPosts.in('byPrecise', accountId), precise)
}

/** Stores deleted and expired posts. Drops the oldest removed posts above the maximum. */
export function createRemovedPostRecorder(world: World): ChangeListener<Post> {
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
