import type { ChangeListener } from '../../../data/changes.ts'
import { getStartOfUtcDay, toIsoTime } from '../../../lib/time.ts'
import { toFanKey } from '../../fans/fans.table.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'

/** Views and likes to add to a post. */
export interface Engagement {
  looks?: number
  /** Number of views by users who have not viewed the post before. @default `looks` */
  uniqueLooks?: number
  likes?: number
  /** Known fans among these viewers. */
  viewers?: readonly number[]
  /** Known fans among the users who like the post. */
  likers?: readonly number[]
}

/** Adds a view by a fan. A fan counts only once as a viewer. */
export function addFanView(world: World, post: Post, fanId: number): Post {
  const isNew = !hasViewed(world, post, fanId)
  return addEngagement(world, post, {
    looks: 1,
    uniqueLooks: isNew ? 1 : 0,
    viewers: isNew ? [fanId] : [],
  })
}

/** True if the fan is known to like the post. */
export function hasLiked({ db }: World, { id }: Post, fanId: number): boolean {
  return db.postDays
    .in('byPost', id)
    .slice()
    .some(({ likers }) => likers.includes(fanId))
}

/** True if the fan is known to have viewed the post: by an earlier view, like, comment or payment. */
function hasViewed(world: World, post: Post, fanId: number): boolean {
  const { postDays, comments, transactions } = world.db
  const isOfPost = (row: { postId: number | null }) => row.postId === post.id
  return (
    postDays
      .in('byPost', post.id)
      .slice()
      .some(({ viewers }) => viewers.includes(fanId)) ||
    hasLiked(world, post, fanId) ||
    transactions.in('byFan', toFanKey(post.accountId, fanId)).slice().some(isOfPost) ||
    comments
      .in('byPost', post.id)
      .slice()
      .some((comment) => comment.fanId === fanId)
  )
}

/**
 * Adds views and likes to a post on the current day. A user must view a post to like it, so a post
 * never has more likes than viewers.
 */
export function addEngagement(
  world: World,
  post: Post,
  { looks = 0, uniqueLooks = looks, likes = 0, viewers = [], likers = [] }: Engagement,
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
    viewers: [...(day?.viewers ?? []), ...viewers],
    likers: [...(day?.likers ?? []), ...likers],
  })
  const watched =
    more.lookCount * (post.mediaTypes.includes('video') ? world.random.integer(4, 40) : 2)
  return world.db.posts.update(post.id, {
    ...addCounts(post, more),
    lookDuration: post.lookDuration + watched,
    hasStats: true,
  })
}

/** Adds new likes of a post to the statistics of its media. */
export function createMediaLikeUpdater(world: World): ChangeListener<Post> {
  return (before, after) => {
    if (before === undefined || after === undefined) return
    const likes = after.likeCount - before.likeCount
    if (likes === 0) return
    for (const id of new Set(after.mediaFiles)) {
      const media = world.db.vaultMedia.get(id)
      if (media !== undefined)
        world.db.vaultMedia.update(id, { likesCount: Math.max(0, media.likesCount + likes) })
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
