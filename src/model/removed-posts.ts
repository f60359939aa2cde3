import { z } from 'zod'
import { Post, preciseKey } from './posts.ts'
import { ascending, defineTable, orderBy } from './table.ts'
import type { TableWatcher } from './table.ts'
import type { World } from './world.ts'

/** What is left of a post that was deleted or has expired: where it stood in the ranked feeds, so that its cursor still continues them. */
export const RemovedPost = Post.pick({ id: true, accountId: true, postedAtPrecise: true, likeCount: true, tipSum: true }).extend({ removedAt: z.iso.datetime() })
export type RemovedPost = Readonly<z.infer<typeof RemovedPost>>

export const removedPosts = defineTable({
  schema: RemovedPost,
  indexes: {
    byAccount: { group: (post) => post.accountId, order: orderBy(ascending((post) => post.removedAt), ascending((post) => post.id)) },
    byPrecise: { group: (post) => preciseKey(post.accountId, post.postedAtPrecise), order: ascending((post) => post.id) },
  },
})

/** How many removed posts of an account are remembered. */
export const mostRemovedPosts = 1000

/** The removed post whose publication was that cursor; undefined when there was none, or many have been removed since. */
export function removedPostAt(world: World, accountId: number, precise: string): RemovedPost | undefined {
  return world.db.removedPosts.in('byPrecise', preciseKey(accountId, precise)).at(0)
}

/** Remembers posts that are removed, in whatever way. */
export function watchRemovedPosts(world: World): TableWatcher<Post> {
  return {
    change(before, after) {
      if (before === undefined || after !== undefined) return
      const { id, accountId, postedAtPrecise, likeCount, tipSum } = before
      const table = world.db.removedPosts
      table.remove(id)
      table.insert({ id, accountId, postedAtPrecise, likeCount, tipSum, removedAt: world.clock.iso() })
      const ofAccount = table.in('byAccount', accountId)
      const oldest = ofAccount.at(0)
      if (oldest !== undefined && ofAccount.size > mostRemovedPosts) table.remove(oldest.id)
    },
  }
}
