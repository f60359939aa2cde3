import { z } from 'zod'
import {
  markAsInferred,
  platformTime,
  ShortUser,
  createWindowSchema,
  offset,
  lazyInferredObject,
} from '../../lib/fields.ts'
import { MediaFiles, MediaType } from '../media/schemas.ts'
import { TopPost } from '../posts/schemas.ts'
import { formatPrice } from '../../lib/money.ts'
import { toClientUrl } from '../../world/public-files.ts'
import { Page } from '../../api/route.ts'
import { toPlatformTime } from '../../lib/time.ts'
import { readWindow } from '../../api/lists/windows.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { toLeaderboardPost } from '../posts/statistics/top-post.ts'
import type { LeaderboardItem } from '../posts/statistics/top-post.ts'
import { storyMetrics } from '../stories/stories.table.ts'
import type { Story, StoryMetric } from '../stories/stories.table.ts'
import { rankStories } from '../stories/stories.ts'
import { toUserReference } from '../users/users.ts'
import { getAttachedMedia } from '../vault/vault.ts'
import { toAttachedMedia } from '../vault/view.ts'
import { findHighlights, highlightCategories } from './highlights.ts'
import type { HighlightedFan } from './highlights.ts'

/** The fan who ranks first by one metric, with their payments in the window. */
export const FanHighlight = lazyInferredObject(() => ({
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
}))

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
export const Highlights = lazyInferredObject(() => ({
  purchases: best,
  tips: best,
  views: best,
  likes: best,
  comments: best,
}))

/** A story and its statistics. */
export const StoryItem = lazyInferredObject(() => ({
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
}))

/** A page of the leaderboard of stories. */
export const StoryPage = lazyInferredObject(() => ({
  items: z.array(StoryItem),
  hasMore: z.boolean(),
}))

const defineRoute = createRouteDefiner({ group: 'Highlights', source: 'published' })

const readHighlights = defineRoute({
  evidence: 'shape by analogy for all categories except post',
  id: 'GET /v1/:account_id/highlights/:category',
  permission: 'api_highlights_read',
  summary: 'Read the best posts, messages, streams, stories or fans',
  errors: ['window_reversed'],
  rules: [
    'Each item has the shape of an entry in the post leaderboard, but its amounts include ' +
      'cents. post excludes streams.',
    'Returns one item per metric. If several items have the highest value, the newest item is ' +
      'returned. The value is null if all items have the value 0, or if the category does not ' +
      'have the metric.',
    'message ranks mass messages by purchases and views, even after they were unsent. If no ' +
      'mass message was bought, purchases is the most recently bought message to an ' +
      'individual fan. The category story does not have the metric purchases.',
    'fan ranks fans by their spending in the window, without refunds. purchases is all ' +
      'spending except tips. Blocked and deleted fans are not ranked.',
  ],
  params: () => z.object({ category: z.enum(highlightCategories) }),
  query: createWindowSchema,
  data: Highlights,
  handle({ world, account, params, query }) {
    const window = readWindow(query, world.clock.now())
    const { purchases, tips, views, likes, comments } = findHighlights(world, account, {
      category: params.category,
      window,
    })
    const show = (best: LeaderboardItem | HighlightedFan | null) =>
      best && ('fan' in best ? toFan(world, best) : world.json(toItem, best))
    return {
      purchases: show(purchases),
      tips: show(tips),
      views: show(views),
      likes: show(likes),
      comments: show(comments),
    }
  },
})

const leaderboardSize = 10

const rankStoriesRoute = defineRoute({
  evidence: 'permission group by analogy',
  id: 'GET /v1/:account_id/engagement/stories/:by',
  permission: 'api_engagement_list_stories',
  summary: 'Rank stories by one metric',
  errors: ['window_reversed'],
  rules: [
    'Pages have ten rows. next_page contains start_date, end_date and offset, including defaults.',
    'A story is visible for 24 hours. The statistics of older stories remain available.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  params: () =>
    z.object({ by: z.enum(Object.keys(storyMetrics) as [StoryMetric, ...StoryMetric[]]) }),
  query: () => ({ ...createWindowSchema(), offset }),
  data: StoryPage,
  handle({ world, account, params, query }) {
    const { start_date, end_date, start, end } = readWindow(query, world.clock.now())
    const { rows, hasMore, next } = rankStories(world, account, {
      metric: params.by,
      start,
      end,
      offset: query.offset,
      limit: leaderboardSize,
    })
    return new Page(
      { items: rows.map((story) => world.json(toStory, story)), hasMore },
      next && { start_date, end_date, ...next },
    )
  },
})

export const highlightRoutes = [readHighlights, rankStoriesRoute]

function toItem(world: World, item: LeaderboardItem) {
  const { stats, ...entry } = toLeaderboardPost(world, item)
  return { ...entry, stats: { ...stats, tipSum: item.tipSum, purchasedSumm: item.purchasedSumm } }
}

function toFan(world: World, { fan: { id, name, username, avatar }, figures }: HighlightedFan) {
  return { id, name, username, avatar: toClientUrl(world, avatar), stats: figures }
}

function toStory(world: World, story: Story) {
  return {
    id: story.id,
    userId: story.accountId,
    createdAt: toPlatformTime(story.createdAt),
    media: getAttachedMedia(world, story).map((media) => toAttachedMedia(world, media)),
    tipsAmount: formatPrice(story.tipsSumm),
    tipsAmountRaw: story.tipsSumm,
    tipsCount: story.tipsCount,
    likesCount: story.likesCount,
    commentsCount: story.commentsCount,
    viewersCount: story.viewersCount,
    viewers: story.viewers.map(toUserReference),
    isHighlightCover: story.isHighlightCover,
    isLastInHighlight: story.isLastInHighlight,
  }
}
