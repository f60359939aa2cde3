import type { Account } from './organisations.ts'
import { leaderboardMetrics } from './posts.ts'
import type { LeaderboardMetric, Post } from './posts.ts'
import { takePage } from './sorted-list.ts'
import { toIso } from '../schemas/time.ts'
import type { World } from './world.ts'

/** What the leaderboard is asked for; the window's ends are epoch ms and inclusive. */
export interface RankingQuery {
  metric: LeaderboardMetric
  start: number
  end: number
  offset: number
  limit: number
}

/** The account's posts of a window, highest of the metric first, ties newest first. */
export function rankPosts(world: World, account: Account, { metric, start, end, offset, limit }: RankingQuery): Post[] {
  const byTime = world.db.posts.in('published', account.id)
  const [first, last] = [toIso(start), toIso(end)]
  const newest = byTime.rank((post) => post.postedAt <= last)
  const oldest = byTime.rank((post) => post.postedAt < first)
  const inWindow = oldest - newest
  if (inWindow <= offset) return []
  const ranking = world.db.posts.in(metric, account.id)
  // A narrow window is ranked by itself; in a wide one the ranking is walked, which meets the window's posts soon enough.
  if (inWindow * inWindow <= byTime.size * limit) {
    const field = leaderboardMetrics[metric]
    const ranked = byTime.slice(newest, oldest).toSorted((a, b) => b[field] - a[field])
    return ranked.slice(offset, offset + limit)
  }
  if (inWindow === byTime.size) return ranking.slice(offset, offset + limit)
  return takePage(within(ranking.walk(), first, last), { offset, limit })
}

function* within(posts: Iterable<Post>, first: string, last: string): Generator<Post> {
  for (const post of posts) if (post.postedAt >= first && post.postedAt <= last) yield post
}
