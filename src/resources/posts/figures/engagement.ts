import type { ChangeListener } from '../../../data/changes.ts'
import { toCents } from '../../../lib/money.ts'
import { getStartOfUtcDay, toIsoTime } from '../../../lib/time.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'

/** Views and likes to add to a post. */
export interface Engagement {
  looks?: number
  /** Number of views by users who have not viewed the post before. @default `looks` */
  uniqueLooks?: number
  likes?: number
}

/**
 * Adds views and likes to a post on the current day. A user must view a post to like it, so a post
 * never has more likes than viewers.
 */
export function addEngagement(
  world: World,
  post: Post,
  { looks = 0, uniqueLooks = looks, likes = 0 }: Engagement,
): Post {
  // Number of likes by users who are not counted as viewers yet.
  const unseen = Math.max(0, post.likeCount + likes - post.uniqueLookCount - uniqueLooks)
  const more = {
    lookCount: looks + unseen,
    uniqueLookCount: uniqueLooks + unseen,
    likeCount: likes,
  }
  const date = toIsoTime(getStartOfUtcDay(world.clock.now()))
  const id = `${post.id}:${date}`
  const day = world.db.postDays.get(id)
  world.db.postDays.put({
    id,
    accountId: post.accountId,
    postId: post.id,
    date,
    ...(day === undefined ? more : addCounts(day, more)),
  })
  const watched =
    more.lookCount * (post.mediaTypes.includes('video') ? world.random.integer(4, 40) : 2)
  return world.db.posts.update(post.id, {
    ...addCounts(post, more),
    lookDuration: post.lookDuration + watched,
    hasStats: true,
  })
}

/** Adds new likes and tips of a post to the statistics of its media. */
export function createMediaEngagementUpdater(world: World): ChangeListener<Post> {
  return (before, after) => {
    if (before === undefined || after === undefined) return
    const likes = after.likeCount - before.likeCount
    const tipCents = toCents(after.tipSum) - toCents(before.tipSum)
    if (likes === 0 && tipCents === 0) return
    for (const id of new Set(after.mediaFiles)) {
      const media = world.db.vaultMedia.get(id)
      if (media === undefined) continue
      world.db.vaultMedia.update(id, {
        likesCount: Math.max(0, media.likesCount + likes),
        tipsSumm: Math.max(0, toCents(media.tipsSumm) + tipCents) / 100,
      })
    }
  }
}

type Counts = Pick<Post, 'lookCount' | 'uniqueLookCount' | 'likeCount'>

function addCounts(a: Counts, b: Counts): Counts {
  return {
    lookCount: a.lookCount + b.lookCount,
    uniqueLookCount: a.uniqueLookCount + b.uniqueLookCount,
    likeCount: a.likeCount + b.likeCount,
  }
}
