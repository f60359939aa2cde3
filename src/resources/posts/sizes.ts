import { z } from 'zod'
import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** How many posts a scenario can ask for. */
export const postSizes = {
  posts: size(() => count.describe('Published posts, archived ones included.'), 0),
  scheduledPosts: size(() => count.describe('Posts that go out after the clock start.'), 0),
  archivedPosts: size(
    () => z.boolean().describe('Whether some posts lie in the archive buckets. Default: true.'),
    true,
  ),
}
export type PostSizes = SizesOf<typeof postSizes>
