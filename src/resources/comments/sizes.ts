import { z } from 'zod'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

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
