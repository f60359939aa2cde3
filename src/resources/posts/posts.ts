import type { SortedList } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { apiError } from '../../errors.ts'
import type { World } from '../world.ts'
import { cursorKey } from './posts.table.ts'
import type { Post } from './posts.table.ts'

/**
 * The orders of the feed: the index that each reads, its direction, and the cursor parameter that
 * continues it.
 */
export const feedOrders = {
  publish_date_desc: { index: 'byTime', backwards: false, cursor: 'before_publish_time' },
  publish_date_asc: { index: 'byTime', backwards: true, cursor: 'after_publish_time' },
  favorites_count_desc: { index: 'byFavorites', backwards: false, cursor: 'before_publish_time' },
  tips_summ_desc: { index: 'byTips', backwards: false, cursor: 'before_publish_time' },
  tips_summ_asc: { index: 'byTips', backwards: true, cursor: 'after_publish_time' },
} as const

export type FeedOrder = keyof typeof feedOrders

/** The metrics of the leaderboard and the field of a post that each ranks by. */
export const leaderboardMetrics = {
  comments: 'commentCount',
  likes: 'likeCount',
  views: 'lookCount',
  tips: 'tipSum',
  purchases: 'purchasedCount',
} as const

export type LeaderboardMetric = keyof typeof leaderboardMetrics

/** The post of that id on the account, published or scheduled. @throws {ApiError} post_unknown */
export function requirePost(world: World, account: Account, postId: number): Post {
  const post = world.db.posts.get(postId)
  if (post?.accountId !== account.id)
    throw apiError('post_unknown', { post_id: postId, account_id: account.id })
  return post
}

/**
 * The published post of that id on the account. @throws {ApiError} post_unknown, also for a
 * scheduled one.
 */
export function requirePublishedPost(world: World, account: Account, postId: number): Post {
  const post = requirePost(world, account, postId)
  if (post.status !== 'published')
    throw apiError('post_unknown', { post_id: postId, account_id: account.id })
  return post
}

/** The statistics of a post that nobody has seen yet. */
export const noStatistics = {
  hasStats: false,
  lookCount: 0,
  uniqueLookCount: 0,
  lookDuration: 0,
  likeCount: 0,
  commentCount: 0,
  tipCount: 0,
  tipSum: 0,
  purchasedCount: 0,
  purchasedSumm: 0,
} as const

/** The post of that cursor, its `postedAtPrecise`. */
export function postAt(world: World, accountId: number, precise: string): Post | undefined {
  return atCursor(world.db.posts.in('byPrecise', cursorKey(accountId, precise)), precise)
}

/** The first of those posts, which come in the order of their cursors, that has that cursor. */
export function atCursor<Row extends Pick<Post, 'postedAtPrecise'>>(
  posts: SortedList<Row>,
  precise: string,
): Row | undefined {
  const post = posts.first(({ postedAtPrecise }) => postedAtPrecise >= precise)
  return post?.postedAtPrecise === precise ? post : undefined
}

/** How many of those posts have an earlier cursor. */
export function countBefore<Row extends Pick<Post, 'postedAtPrecise'>>(
  posts: SortedList<Row>,
  precise: string,
): number {
  return posts.rank(({ postedAtPrecise }) => postedAtPrecise >= precise)
}

/**
 * An instant as a cursor: epoch seconds with six decimals.
 *
 * @param micros microseconds to add
 */
export function toPrecise(epochMs: number, micros = 0): string {
  // Until the year 2109 a number has all these digits right. One call writes the whole text: in
  // pieces it would be a tree, thrice as large.
  if (epochMs < 2 ** 42) return ((epochMs * 1000 + micros) / 1_000_000).toFixed(6)
  const ms = epochMs + Math.floor(micros / 1000)
  return `${Math.floor(ms / 1000)}.${String((ms % 1000) * 1000 + (micros % 1000)).padStart(6, '0')}`
}
