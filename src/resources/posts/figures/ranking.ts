import type { ListPage } from '../../../api/lists/paging.ts'
import { rankRowsInWindow } from '../../../api/lists/window-ranking.ts'
import type { RankedWindow } from '../../../api/lists/window-ranking.ts'
import type { Account } from '../../../world/tenancy/tenancy.table.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'
import { leaderboardMetrics } from '../posts.ts'
import type { LeaderboardMetric } from '../posts.ts'

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
