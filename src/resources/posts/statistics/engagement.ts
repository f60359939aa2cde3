import type { ChangeListener } from '../../../data/change-log.ts'
import { getStartOfUtcDay, toIsoTime } from '../../../lib/time.ts'
import { toFanKey } from '../../fans/fans.table.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'
import { toCents } from '../../../lib/money.ts'
import type { Transaction } from '../../payments/transactions.table.ts'

/** Views and likes to add to a post. */
interface Engagement {
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
  return db.postDays.list('byPost', id).some(({ likers }) => likers.includes(fanId))
}

/** True if the fan is known to have viewed the post: by an earlier view, like, comment or payment. */
function hasViewed(world: World, post: Post, fanId: number): boolean {
  const { postDays, comments, transactions } = world.db
  const isOfPost = (row: { postId: number | null }) => row.postId === post.id
  return (
    postDays.list('byPost', post.id).some(({ viewers }) => viewers.includes(fanId)) ||
    hasLiked(world, post, fanId) ||
    transactions.list('byFan', toFanKey(post.accountId, fanId)).some(isOfPost) ||
    comments.list('byPost', post.id).some((comment) => comment.fanId === fanId)
  )
}

/**
 * Counts the fans who are known to have viewed a post, but are not included in its viewers. Fans
 * must view a post to pay for it, comment on it or like it.
 */
export function countMissingViewers({ db }: World, post: Post): number {
  const payments = db.transactions.in('byPost', post.id)
  const comments = db.comments.in('byPost', post.id)
  const seen = db.postDays
    .list('byPost', post.id)
    .flatMap(({ viewers, likers }) => [...viewers, ...likers])
  // A post may have many payments, so they are only read if there could be too few viewers.
  if (payments.size + comments.size + seen.length <= post.uniqueLookCount) return 0
  const known = new Set(seen)
  for (const { fanId } of payments.walk()) known.add(fanId)
  for (const { fanId } of comments.walk()) known.add(fanId)
  known.delete(post.accountId)
  return Math.max(0, known.size - post.uniqueLookCount)
}

/** Counts the fans who paid for a post or commented on it among its viewers. */
export function addMissingViewers(world: World, postId: number | null): void {
  const post = world.db.posts.get(postId ?? 0)
  const missing = post === undefined ? 0 : countMissingViewers(world, post)
  if (post === undefined || missing === 0) return
  const uniqueLookCount = post.uniqueLookCount + missing
  const lookCount = Math.max(post.lookCount, uniqueLookCount)
  world.db.posts.update(post.id, { hasStats: true, lookCount, uniqueLookCount })
}

/** Adds fans who pay for a post or comment on it to its viewers. */
export function createViewerUpdater(world: World): ChangeListener<{ postId: number | null }> {
  return (_, after) => {
    if (after !== undefined) addMissingViewers(world, after.postId)
  }
}

/** Adds fans with manually written payments and comments to the viewers of posts. */
export function deriveViewers(world: World): void {
  const { transactions, comments } = world.db
  for (const postId of new Set([...transactions.all(), ...comments.all()].map((row) => row.postId)))
    addMissingViewers(world, postId)
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

/** Keeps the tips of media in sync with the tips on posts. */
export function createMediaTipUpdater(world: World): ChangeListener<Transaction> {
  return (before, after) => {
    for (const postId of new Set([before?.postId, after?.postId])) {
      const [old, now] = [before, after].map((row) =>
        row === undefined || row.postId !== postId ? 0 : countTipCents(row),
      )
      if (postId === undefined || postId === null || old === now) continue
      const row = after?.postId === postId ? after : before
      for (const id of listTippedMedia(world, { postId, mediaFiles: row?.mediaFiles })) {
        const media = world.db.vaultMedia.get(id)
        if (media === undefined) continue
        const cents = toCents(media.tipsSumm) - (old ?? 0) + (now ?? 0)
        world.db.vaultMedia.update(id, { tipsSumm: cents / 100 })
      }
    }
  }
}

/**
 * Stores with each tip of a post the media that it counts for, when the media of the post change or
 * the post is deleted. Otherwise, a later refund would be subtracted from other media.
 */
export function createTippedMediaRecorder(world: World): ChangeListener<Post> {
  return (before, after) => {
    if (before === undefined || hasSameMedia(before, after)) return
    const tips = world.db.transactions.list('byPost', before.id)
    for (const { id, category, mediaFiles } of tips)
      if (category === 'tip' && mediaFiles === undefined)
        world.db.transactions.update(id, { mediaFiles: [...before.mediaFiles] })
  }
}

/** Adds up the tips of each media item from the payments, in cents. */
export function sumMediaTips(world: World): Map<number, number> {
  const sums = new Map<number, number>()
  for (const row of world.db.transactions.all()) {
    if (row.postId === null) continue
    const cents = countTipCents(row)
    if (cents === 0) continue
    for (const id of listTippedMedia(world, row)) sums.set(id, (sums.get(id) ?? 0) + cents)
  }
  return sums
}

/**
 * Sets the tips of media from hand-written payments. Media without payments keep their values.
 */
export function deriveMediaTips(world: World): void {
  for (const [id, cents] of sumMediaTips(world))
    if (world.db.vaultMedia.get(id) !== undefined)
      world.db.vaultMedia.update(id, { tipsSumm: cents / 100 })
}

function countTipCents({ category, status, amount }: Transaction): number {
  return category === 'tip' && status !== 'undo' ? toCents(amount ?? 0) : 0
}

function listTippedMedia(
  { db }: World,
  { postId, mediaFiles }: Pick<Transaction, 'postId' | 'mediaFiles'>,
): ReadonlySet<number> {
  return new Set(mediaFiles ?? db.posts.get(postId ?? 0)?.mediaFiles)
}

function hasSameMedia({ mediaFiles }: Post, after: Post | undefined): boolean {
  return (
    after !== undefined &&
    mediaFiles.length === after.mediaFiles.length &&
    mediaFiles.every((id, place) => after.mediaFiles[place] === id)
  )
}
