import { rankRowsInWindow } from '../../../api/lists/paging.ts'
import type { RankedWindow, ListPage } from '../../../api/lists/paging.ts'
import { toPlatformTime } from '../../../lib/time.ts'
import { signMedia, toVideoSources } from '../../media/media-links.ts'
import { getAttachedMedia } from '../../vault/vault.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'
import type { Account } from '../../../world/tenancy/tenancy.table.ts'
import { leaderboardMetrics } from '../posts.ts'
import type { LeaderboardMetric } from '../posts.ts'

/** Statistics of a post. Amounts are in dollars. */
type PostStatistics = Pick<
  Post,
  | 'lookCount'
  | 'uniqueLookCount'
  | 'likeCount'
  | 'commentCount'
  | 'tipCount'
  | 'tipSum'
  | 'purchasedCount'
  | 'purchasedSumm'
>

/** An item of the leaderboard or the highlights: a post, or another record with the same fields. */
export type LeaderboardItem = PostStatistics &
  Pick<Post, 'id' | 'postedAt' | 'text' | 'rawText' | 'price' | 'isPinned' | 'mediaFiles'>

/** Converts a post to an entry of the leaderboard. */
export function toLeaderboardPost(world: World, item: LeaderboardItem) {
  return {
    id: item.id,
    postedAt: toPlatformTime(item.postedAt),
    text: item.text,
    rawText: item.rawText,
    mediaCount: item.mediaFiles.length,
    ...(item.price > 0 ? { price: item.price } : {}),
    isPinned: item.isPinned,
    favoritesCount: item.likeCount,
    stats: roundStatistics(item),
    media: getAttachedMedia(world, item).map((media) => {
      const files = signMedia(world, media)
      return {
        id: media.id,
        type: media.type,
        files,
        duration: media.duration,
        ...(media.type === 'video' ? { videoSources: toVideoSources(files) } : {}),
      }
    }),
  }
}

/** Converts the statistics to integers. Amounts are rounded to whole dollars. */
export function roundStatistics(statistics: PostStatistics): PostStatistics {
  return {
    lookCount: statistics.lookCount,
    uniqueLookCount: statistics.uniqueLookCount,
    likeCount: statistics.likeCount,
    commentCount: statistics.commentCount,
    tipCount: statistics.tipCount,
    tipSum: Math.round(statistics.tipSum),
    purchasedCount: statistics.purchasedCount,
    purchasedSumm: Math.round(statistics.purchasedSumm),
  }
}

/**
 * Returns one page of the account's posts in a window, sorted by the metric, highest first. Posts
 * with equal values are sorted newest first.
 */
export function rankPosts(
  world: World,
  account: Account,
  { metric, ...window }: RankedWindow & { metric: LeaderboardMetric },
): ListPage<Post> {
  const field = leaderboardMetrics[metric]
  return rankRowsInWindow(window, {
    byTime: world.db.posts.in('published', account.id),
    ranking: world.db.posts.in(metric, account.id),
    time: (post) => post.postedAt,
    measure: (post) => post[field],
  })
}
