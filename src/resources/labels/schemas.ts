import { z } from 'zod'
import { markAsInferred } from '../../lib/fields.ts'

/** A post label: a custom label or an archive bucket. */
export const PostLabelItem = z.lazy(() =>
  markAsInferred(
    z.object({
      id: z.union([z.int(), z.enum(['archived', 'private_archived'])]),
      name: z.string(),
      type: z.enum(['custom', 'archived', 'private_archived']),
      isClearInProgress: z.boolean(),
      postsCount: z.int(),
      posts: z
        .array(z.object({ id: z.int() }))
        .describe('Some of the newest posts with the label.'),
    }),
  ),
)

/** A page of labels. */
export const PostLabelPage = z.lazy(() =>
  markAsInferred(
    z.object({
      list: z.array(PostLabelItem),
      hasMore: z.boolean(),
      nextOffset: z.int(),
      order: z.literal('asc'),
      sort: z.literal('default'),
      hashSort: z
        .string()
        .describe('A hash of the ids of the custom labels. Renaming a label does not change it.'),
    }),
  ),
)
