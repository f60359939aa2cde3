import type { SortedList } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import { toCursorKey } from './posts.table.ts'
import type { Post } from './posts.table.ts'
import { formatPrice } from '../../lib/money.ts'
import { toPlatformTime } from '../../lib/time.ts'
import { toUserReference } from '../users/users.ts'
import { getAttachedMedia } from '../vault/vault.ts'
import { toAttachedMedia } from '../vault/view.ts'

/**
 * Orders of the feed, each with its index and cursor parameter. Indexes start with the newest or
 * highest post, so ascending orders read them backwards.
 */
export const feedOrders = {
  publish_date_desc: { index: 'byTime', backwards: false, cursor: 'before_publish_time' },
  publish_date_asc: { index: 'byTime', backwards: true, cursor: 'after_publish_time' },
  favorites_count_desc: { index: 'byFavorites', backwards: false, cursor: 'before_publish_time' },
  tips_summ_desc: { index: 'byTips', backwards: false, cursor: 'before_publish_time' },
  tips_summ_asc: { index: 'byTips', backwards: true, cursor: 'after_publish_time' },
} as const

export type FeedOrder = keyof typeof feedOrders

/** Metrics of the leaderboard, each with the corresponding field of posts. */
export const leaderboardMetrics = {
  comments: 'commentCount',
  likes: 'likeCount',
  views: 'lookCount',
  tips: 'tipSum',
  purchases: 'purchasedCount',
} as const

export type LeaderboardMetric = keyof typeof leaderboardMetrics

/**
 * Returns the account's post with the given id, published or scheduled.
 * @throws {ApiError} post_unknown
 */
export function requirePost(world: World, account: Account, postId: number): Post {
  const post = world.db.posts.get(postId)
  if (post?.accountId !== account.id)
    throw createApiError('post_unknown', { post_id: postId, account_id: account.id })
  return post
}

/**
 * Returns the account's published post with the given id.
 * @throws {ApiError} post_unknown, also if the post is only scheduled
 */
export function requirePublishedPost(world: World, account: Account, postId: number): Post {
  const post = requirePost(world, account, postId)
  if (post.status !== 'published')
    throw createApiError('post_unknown', { post_id: postId, account_id: account.id })
  return post
}

/** Statistics of a new post. */
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

/** Returns the account's post with the given cursor (`postedAtPrecise`). */
export function findPostByCursor(
  world: World,
  accountId: number,
  precise: string,
): Post | undefined {
  return findRowAtCursor(world.db.posts.in('byPrecise', toCursorKey(accountId, precise)), precise)
}

/** Finds the first post with a given cursor. The posts must be sorted by cursor. */
export function findRowAtCursor<Row extends Pick<Post, 'postedAtPrecise'>>(
  posts: SortedList<Row>,
  precise: string,
): Row | undefined {
  const post = posts.first(({ postedAtPrecise }) => postedAtPrecise >= precise)
  return post?.postedAtPrecise === precise ? post : undefined
}

/** Counts the posts whose cursor is lower than the given cursor. */
export function countBeforeCursor<Row extends Pick<Post, 'postedAtPrecise'>>(
  posts: SortedList<Row>,
  precise: string,
): number {
  return posts.findPartitionPoint(({ postedAtPrecise }) => postedAtPrecise >= precise)
}

/**
 * Converts an instant to a cursor: epoch seconds with six decimals.
 * @param micros microseconds to add
 */
export function toCursor(epochMs: number, micros = 0): string {
  // A double can represent all these digits until the year 2109. A single `toFixed` call creates a
  // flat string. Concatenation would create a rope, which needs three times as much memory.
  if (epochMs < 2 ** 42) return ((epochMs * 1000 + micros) / 1_000_000).toFixed(6)
  const ms = epochMs + Math.floor(micros / 1000)
  return `${Math.floor(ms / 1000)}.${String((ms % 1000) * 1000 + (micros % 1000)).padStart(6, '0')}`
}

/** Converts a post to the format of the feed. */
export function toFeedPost(world: World, post: Post) {
  return {
    id: post.id,
    responseType: 'post' as const,
    postedAt: toPlatformTime(post.postedAt),
    postedAtPrecise: post.postedAtPrecise,
    text: post.text,
    rawText: post.rawText,
    author: toUserReference(post.accountId),
    canDelete: post.canDelete ?? true,
    canComment: post.canComment,
    canEdit: post.canEdit ?? true,
    canToggleFavorite: true,
    canViewMedia: true,
    isMediaReady: isMediaReady(world, post),
    mediaCount: post.mediaFiles.length,
    media: getAttachedMedia(world, post).map((media) => toAttachedMedia(world, media)),
    tipsAmount: formatPrice(post.tipSum),
  }
}

/** Converts a post to the response that a client receives after creating it. */
export function toCreatedPost(world: World, post: Post) {
  return {
    id: post.id,
    postedAt: toPlatformTime(post.postedAt),
    text: post.text,
    rawText: post.rawText,
    author: toUserReference(post.accountId),
    isMediaReady: isMediaReady(world, post),
    canDelete: post.canDelete ?? true,
    canEdit: post.canEdit ?? true,
    tipsAmount: formatPrice(post.tipSum),
  }
}

function isMediaReady(world: World, post: Post): boolean {
  return getAttachedMedia(world, post).every(({ isReady }) => isReady)
}
