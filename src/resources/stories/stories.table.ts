import { z } from 'zod'
import {
  defineTable,
  compareDescending,
  combineComparators,
  recordTime,
} from '../../data/define-table.ts'
import { createUniqueIdsSchema, mediaIds, lazyObject } from '../../lib/fields.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** A story. `tipsCount` and `tipsSumm` (dollars) are derived from the transactions. */
export const Story = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  createdAt: recordTime,
  mediaFiles: mediaIds.default([]),
  viewersCount: z.int().default(0),
  /** Ids of a few of the latest viewers. */
  viewers: createUniqueIdsSchema(z.int()).default([]),
  likesCount: z.int().default(0),
  commentsCount: z.int().default(0),
  tipsCount: z.int().default(0),
  tipsSumm: z.number().default(0),
  isHighlightCover: z.boolean().default(false),
  isLastInHighlight: z.boolean().default(false),
}))
export type Story = Readonly<z.infer<typeof Story>>

/** Fields of stories by metric. */
export const storyMetrics = {
  tips: 'tipsSumm',
  views: 'viewersCount',
  likes: 'likesCount',
  comments: 'commentsCount',
} as const

export type StoryMetric = keyof typeof storyMetrics

const newestFirst = compareDescending<Story>(
  (story) => story.createdAt,
  (story) => story.id,
)

/** Creates an index of an account's stories, sorted by the metric, highest first. */
const highestFirst = (metric: StoryMetric) => ({
  group: (story: Story) => story.accountId,
  order: combineComparators<Story>(
    compareDescending((story) => story[storyMetrics[metric]]),
    newestFirst,
  ),
})

export const stories = defineTable({
  schema: Story,
  references: { accountId: 'accounts', mediaFiles: 'vaultMedia', viewers: 'fans' },
  firstId: 88_400_000,
  indexes: {
    byAccount: { group: (story) => story.accountId, order: newestFirst },
    byMedia: { group: (story) => story.mediaFiles, order: newestFirst },
    tips: highestFirst('tips'),
    views: highestFirst('views'),
    likes: highestFirst('likes'),
    comments: highestFirst('comments'),
  },
})

/** Scenario settings for stories. */
export const storySizes = {
  stories: defineSize(
    () =>
      count.describe(
        'Number of stories. Only stories from the last day are visible on the profile.',
      ),
    0,
  ),
}
export type StorySizes = SizeValues<typeof storySizes>
