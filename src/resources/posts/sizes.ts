import { z } from 'zod'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for posts. */
export const postSizes = {
  posts: defineSize(
    () => count.describe('Number of published posts, including archived posts.'),
    0,
  ),
  scheduledPosts: defineSize(
    () => count.describe('Number of posts that are scheduled for after the start time.'),
    0,
  ),
  archivedPosts: defineSize(
    () => z.boolean().describe('true: some posts are in the archive buckets. Default: true.'),
    true,
  ),
}
export type PostSizes = SizeValues<typeof postSizes>
