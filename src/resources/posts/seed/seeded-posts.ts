import type { Mutable } from '../../../seed/seeding.ts'
import type { Post } from '../posts.table.ts'

/**
 * A post while the seeding still changes it: payments and comments are seeded after it and add to
 * its figures.
 */
export type SeededPost = Mutable<Post>

/** The published posts of the account among those seeded so far, oldest first. */
export function publishedPosts(posts: readonly Post[]): SeededPost[] {
  return posts.filter(({ status }) => status === 'published')
}

/** Views of a post, at least the number of fans who paid for it or commented on it. */
export function seenBy(
  { lookCount, uniqueLookCount }: Post,
  fans: number,
): Pick<Post, 'hasStats' | 'lookCount' | 'uniqueLookCount'> {
  return {
    hasStats: true,
    lookCount: Math.max(lookCount, fans),
    uniqueLookCount: Math.max(uniqueLookCount, fans),
  }
}
