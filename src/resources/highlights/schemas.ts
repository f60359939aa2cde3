import { z } from 'zod'
import { markAsInferred, platformTime, ShortUser } from '../../lib/fields.ts'
import { MediaFiles, MediaType } from '../media/schemas.ts'
import { TopPost } from '../posts/schemas.ts'

/** The fan who ranks first by one metric, with their payments in the window. */
export const FanHighlight = z.lazy(() =>
  markAsInferred(
    z.object({
      id: z.int(),
      name: z.string(),
      username: z.string(),
      avatar: z.string().nullable(),
      stats: z.object({
        purchasedCount: z.int(),
        purchasedSumm: z.number(),
        tipCount: z.int(),
        tipSum: z.number(),
      }),
    }),
  ),
)

/**
 * The best item by one metric. It has the fields of an entry of the post leaderboard, but its
 * amounts include cents.
 */
export const HighlightItem = z.lazy(() => {
  const entry = TopPost.unwrap()
  return markAsInferred(
    entry.extend({
      stats: entry.shape.stats.extend({ tipSum: z.number(), purchasedSumm: z.number() }),
    }),
  )
})

const best = z.union([HighlightItem, FanHighlight]).nullable()

/** The best item for each metric. Null if all values are 0. */
export const Highlights = z.lazy(() =>
  markAsInferred(
    z.object({ purchases: best, tips: best, views: best, likes: best, comments: best }),
  ),
)

/** A story and its statistics. */
export const StoryItem = z.lazy(() =>
  markAsInferred(
    z.object({
      id: z.int(),
      userId: z.int().describe('The creator.'),
      createdAt: platformTime,
      media: z.array(
        z.object({
          id: z.int(),
          type: MediaType,
          canView: z.boolean(),
          isReady: z.boolean(),
          duration: z.number(),
          files: MediaFiles,
        }),
      ),
      tipsAmount: z.string().describe('Total tips, as a formatted string.'),
      tipsAmountRaw: z.number().describe('Dollars.'),
      tipsCount: z.int(),
      likesCount: z.int(),
      commentsCount: z.int(),
      viewersCount: z.int(),
      viewers: z.array(ShortUser).describe('A few of the latest viewers.'),
      isHighlightCover: z.boolean(),
      isLastInHighlight: z.boolean(),
    }),
  ),
)

/** A page of the leaderboard of stories. */
export const StoryPage = z.lazy(() =>
  markAsInferred(z.object({ items: z.array(StoryItem), hasMore: z.boolean() })),
)
