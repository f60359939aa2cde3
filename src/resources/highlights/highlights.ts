import { toCents } from '../../lib/money.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toPlainText } from '../../lib/text.ts'
import { toIsoTime } from '../../lib/time.ts'
import type { Span } from '../../api/lists/windows.ts'
import type { World } from '../world.ts'
import type { Fan } from '../fans/fans.table.ts'
import type { MassMessage } from '../mass-messages/mass-messages.table.ts'
import { countMassMessagePurchases, countMassMessageViews } from '../mass-messages/mass-messages.ts'
import type { Message } from '../messages/messages.table.ts'
import { leaderboardMetrics, noStatistics } from '../posts/posts.ts'
import { rankPosts } from '../posts/statistics/top-post.ts'
import type { Post } from '../posts/posts.table.ts'
import type { LeaderboardItem } from '../posts/statistics/top-post.ts'
import { findTopFan } from '../spenders/top-fans.ts'
import type { FanFigures } from '../spenders/top-fans.ts'
import { storyMetrics } from '../stories/stories.table.ts'
import type { Story } from '../stories/stories.table.ts'
import { rankStories } from '../stories/stories.ts'

/** The categories of highlights. */
export const highlightCategories = ['post', 'message', 'stream', 'story', 'fan'] as const
export type HighlightCategory = (typeof highlightCategories)[number]

/** The metrics of highlights. */
export const highlightMetrics = ['purchases', 'tips', 'views', 'likes', 'comments'] as const
export type HighlightMetric = (typeof highlightMetrics)[number]

/** The fan who ranks first by one metric. */
export interface HighlightedFan {
  fan: Fan
  figures: FanFigures
}

/**
 * Returns the best item of a category in the window for each metric. The value is null if all items
 * have the value 0, or if the category does not have the metric.
 */
export function findHighlights(
  world: World,
  account: Account,
  { category, window: { start, end } }: { category: HighlightCategory; window: Span },
): Highlights {
  return world.cached(toHighlights, account, { category, start, end })
}

type Highlights = Readonly<Record<HighlightMetric, LeaderboardItem | HighlightedFan | null>>

function toHighlights(
  world: World,
  account: Account,
  { category, ...window }: Span & { category: HighlightCategory },
): Highlights {
  const best = finders[category](world, account, window)
  return {
    purchases: best('purchases'),
    tips: best('tips'),
    views: best('views'),
    likes: best('likes'),
    comments: best('comments'),
  }
}

type HighlightFinder = (
  world: World,
  account: Account,
  window: Span,
) => (metric: HighlightMetric) => LeaderboardItem | HighlightedFan | null

const finders: Readonly<Record<HighlightCategory, HighlightFinder>> = {
  post: (world, account, window) => (metric) => {
    const post = findBestPost(world, account, { metric, ...window })
    return post === undefined || post[leaderboardMetrics[metric]] === 0 ? null : post
  },
  stream(world, account, { start, end }) {
    const all = world.db.posts.in('streams', account.id)
    const [first, last] = [toIsoTime(start), toIsoTime(end)]
    const streams = all.slice(
      all.findPartitionPoint((post) => post.postedAt <= last),
      all.findPartitionPoint((post) => post.postedAt < first),
    )
    return (metric) => findHighestRow(streams, (post) => post[leaderboardMetrics[metric]]) ?? null
  },
  story: (world, account, window) => (metric) => {
    if (metric === 'purchases') return null
    const [story] = rankStories(world, account, { metric, ...window, offset: 0, limit: 1 }).rows
    return story === undefined || story[storyMetrics[metric]] === 0 ? null : toStoryItem(story)
  },
  message: (world, account, window) => (metric) => {
    if (metric !== 'purchases' && metric !== 'views') return null
    const measure = metric === 'views' ? countMassMessageViews : countMassMessagePurchases
    const massMessage = findHighestRow(listSentMassMessages(world, account, window), (item) =>
      measure(world, item),
    )
    if (massMessage !== undefined) return toMassMessageItem(world, massMessage)
    const sold = metric === 'purchases' ? findLastSoldMessage(world, account, window) : undefined
    return sold === undefined ? null : toMessageLeaderboardItem(sold)
  },
  fan: (world, account, window) => (metric) =>
    metric === 'purchases' || metric === 'tips'
      ? findTopFan(world, account, { metric, ...window })
      : null,
}

/** Returns the highest-ranked post that is not a stream. Streams are a separate category. */
function findBestPost(
  world: World,
  account: Account,
  query: Span & { metric: HighlightMetric },
): Post | undefined {
  for (let limit = 4; ; limit *= 8) {
    const { rows, hasMore } = rankPosts(world, account, { ...query, offset: 0, limit })
    const post = rows.find(({ isStream }) => !isStream)
    if (post !== undefined || !hasMore) return post
  }
}

/**
 * Returns the row with the highest value. If several rows have this value, returns the first of
 * them. Undefined if all values are 0.
 */
function findHighestRow<Row>(rows: readonly Row[], measure: (row: Row) => number): Row | undefined {
  let best: Row | undefined
  let max = 0
  for (const row of rows) {
    const value = measure(row)
    if (value > max) {
      best = row
      max = value
    }
  }
  return best
}

/** Lists the mass messages sent in the window, including messages that were unsent later. */
function listSentMassMessages(world: World, account: Account, { start, end }: Span): MassMessage[] {
  const sent = world.db.massMessages.in('sent', account.id)
  const [first, last] = [toIsoTime(start), toIsoTime(end)]
  return sent.slice(
    sent.findPartitionPoint((item) => (item.sentAt ?? '') <= last),
    sent.findPartitionPoint((item) => (item.sentAt ?? '') < first),
  )
}

/**
 * Returns the most recent message to an individual fan that was sent in the window and has been
 * bought.
 */
function findLastSoldMessage(
  world: World,
  account: Account,
  { start, end }: Span,
): Message | undefined {
  const [first, last] = [toIsoTime(start), toIsoTime(end)]
  for (const message of world.db.messages.in('directSales', account.id).walk()) {
    // Purchases are sorted newest first, and a message is always sent before it is bought.
    if ((message.purchasedAt ?? '') < first) return undefined
    if (message.createdAt >= first && message.createdAt <= last) return message
  }
  return undefined
}

const emptyItem = { text: '', rawText: '', price: 0, isPinned: false, ...noStatistics }

function toStoryItem(story: Story): LeaderboardItem {
  return {
    ...emptyItem,
    id: story.id,
    postedAt: story.createdAt,
    mediaFiles: story.mediaFiles,
    lookCount: story.viewersCount,
    uniqueLookCount: story.viewersCount,
    likeCount: story.likesCount,
    commentCount: story.commentsCount,
    tipCount: story.tipsCount,
    tipSum: story.tipsSumm,
  }
}

function toMassMessageItem(world: World, item: MassMessage): LeaderboardItem {
  const { id, createdAt, sentAt, text, price, mediaFiles } = item
  const views = countMassMessageViews(world, item)
  const purchases = countMassMessagePurchases(world, item)
  return {
    ...emptyItem,
    id,
    postedAt: sentAt ?? createdAt,
    text,
    rawText: toPlainText(text),
    price,
    mediaFiles,
    lookCount: views,
    uniqueLookCount: views,
    purchasedCount: purchases,
    purchasedSumm: (purchases * toCents(price)) / 100,
  }
}

function toMessageLeaderboardItem(message: Message): LeaderboardItem {
  return {
    ...emptyItem,
    id: message.id,
    postedAt: message.createdAt,
    text: message.text,
    rawText: toPlainText(message.text),
    price: message.price,
    isPinned: message.isPinned,
    mediaFiles: message.mediaFiles,
    lookCount: 1,
    uniqueLookCount: 1,
    purchasedCount: 1,
    purchasedSumm: message.price,
  }
}
