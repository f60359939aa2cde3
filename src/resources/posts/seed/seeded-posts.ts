import type { Mutable } from '../../../seed/seeding.ts'
import type { Post } from '../posts.table.ts'

/**
 * A post during seeding. Payments and comments are seeded later and change the statistics of the
 * post.
 */
export type SeededPost = Mutable<Post>

/** Returns the published posts of the account, oldest first. */
export function listPublishedPosts(posts: readonly Post[]): SeededPost[] {
  return posts.filter(({ status }) => status === 'published')
}

/**
 * Raises the number of viewers of a post to at least the number of fans who paid for the post or
 * commented on it.
 */
export function raiseViewCounts(
  { lookCount, uniqueLookCount }: Post,
  fans: number,
): Pick<Post, 'hasStats' | 'lookCount' | 'uniqueLookCount'> {
  return {
    hasStats: true,
    lookCount: Math.max(lookCount, fans),
    uniqueLookCount: Math.max(uniqueLookCount, fans),
  }
}
