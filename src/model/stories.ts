import { z } from 'zod'
import type { Account } from './organisations.ts'
import type { PageOf } from './paging.ts'
import { defineTable, descending, orderBy } from './table.ts'
import { rankInWindow } from './window-ranking.ts'
import type { RankedWindow } from './window-ranking.ts'
import type { World } from './world.ts'

/** How long a story stays on the profile, ms; its figures stay for good. */
export const storyMs = 86_400_000

/** A story. Tips in dollars. */
export const Story = z.object({
  id: z.int(),
  accountId: z.int(),
  createdAt: z.iso.datetime(),
  mediaFiles: z.array(z.int()),
  viewersCount: z.int(),
  /** The last few fans who saw it. */
  viewers: z.array(z.int()),
  likesCount: z.int(),
  commentsCount: z.int(),
  tipsCount: z.int(),
  tipsSumm: z.number(),
  isHighlightCover: z.boolean(),
  isLastInHighlight: z.boolean(),
})
export type Story = Readonly<z.infer<typeof Story>>

/** The metrics of stories and the field that each ranks by. */
export const storyMetrics = { tips: 'tipsSumm', views: 'viewersCount', likes: 'likesCount', comments: 'commentsCount' } as const
export type StoryMetric = keyof typeof storyMetrics

const newestFirst = orderBy<Story>(
  descending((story) => story.createdAt),
  descending((story) => story.id),
)
const highestFirst = (metric: StoryMetric) => ({
  group: (story: Story) => story.accountId,
  order: orderBy<Story>(
    descending((story) => story[storyMetrics[metric]]),
    newestFirst,
  ),
})

export const stories = defineTable({
  schema: Story,
  indexes: {
    byAccount: { group: (story) => story.accountId, order: newestFirst },
    byMedia: { group: (story) => story.mediaFiles, order: newestFirst },
    tips: highestFirst('tips'),
    views: highestFirst('views'),
    likes: highestFirst('likes'),
    comments: highestFirst('comments'),
  },
})

/** One page of the account's stories of a window, highest of the metric first, ties newest first. */
export function rankStories(world: World, account: Account, { metric, ...window }: RankedWindow & { metric: StoryMetric }): PageOf<Story> {
  const field = storyMetrics[metric]
  return rankInWindow(window, {
    byTime: world.db.stories.in('byAccount', account.id),
    ranking: world.db.stories.in(metric, account.id),
    time: (story) => story.createdAt,
    measure: (story) => story[field],
  })
}
