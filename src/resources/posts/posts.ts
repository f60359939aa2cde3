import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { apiError } from '../../errors.ts'
import type { World } from '../../world/world.ts'
import { preciseKey } from './posts.table.ts'
import type { Post } from './posts.table.ts'

/** The orders of the feed: the index that each reads, its direction, and the cursor parameter that continues it. */
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
  if (post?.accountId !== account.id) throw apiError('post_unknown', { post_id: postId, account_id: account.id })
  return post
}

/** The published post of that id on the account. @throws {ApiError} post_unknown, also for a scheduled one. */
export function requirePublishedPost(world: World, account: Account, postId: number): Post {
  const post = requirePost(world, account, postId)
  if (post.status !== 'published') throw apiError('post_unknown', { post_id: postId, account_id: account.id })
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
  return world.db.posts.in('byPrecise', preciseKey(accountId, precise)).at(0)
}

/** An instant as a cursor: epoch seconds with six decimals. `micros` are microseconds to add, less than 1000. */
export function toPrecise(epochMs: number, micros = 0): string {
  return `${Math.floor(epochMs / 1000)}.${String((epochMs % 1000) * 1000 + micros).padStart(6, '0')}`
}
