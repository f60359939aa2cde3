import { z } from 'zod'
import {
  defineTable,
  compareDescending,
  combineComparators,
  compareAscending,
  recordTime,
} from '../../data/define-table.ts'
import {
  expireDays,
  mediaIds,
  postPrice,
  releaseFormTags,
  taggedPeople,
  lazyObject,
} from '../../lib/fields.ts'
import { MediaType as MediaTypeSchema } from '../media/schemas.ts'
import type { MediaType } from '../vault/vault.table.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** The two archive buckets. Their posts are not in the feed. */
export const archiveBuckets = ['archived', 'private_archived'] as const

/**
 * A post. `commentCount` and the tip and purchase statistics are derived from comments and
 * transactions.
 */
export const Post = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  status: z.enum(['scheduled', 'published']),
  /** Time of creation. It equals the publication time, unless the post was scheduled. */
  createdAt: recordTime,
  /** Time of publication. For a scheduled post, it is in the future. */
  postedAt: recordTime,
  /**
   * `postedAt` in epoch seconds with six decimals, such as `1790845200.000000`. Unique within the
   * account.
   */
  postedAtPrecise: z.string().regex(/^\d{10}\.\d{6}$/),
  text: z.string(),
  rawText: z.string(),
  /** A topic from the creator's persona. Empty if unknown. */
  topic: z.string().default(''),
  bucket: z.enum(archiveBuckets).nullable().default(null),
  labels: z.array(z.int()).default([]),
  isPinned: z.boolean().default(false),
  /** True for a saved live stream. */
  isStream: z.boolean().default(false),
  /** Price to unlock the post, dollars. 0 if the post is free. */
  price: postPrice.default(0),
  mediaFiles: mediaIds.default([]),
  /** The types of `mediaFiles`, in the same order. */
  mediaTypes: z.array(MediaTypeSchema).default([]),
  preview: mediaIds.default([]),
  rfTag: releaseFormTags.default([]),
  rfGuest: taggedPeople.default([]),
  rfPartner: taggedPeople.default([]),
  expireDays: expireDays.nullable().default(null),
  /** Time when the post is removed. Null if it is never removed. */
  expiresAt: recordTime.nullable().default(null),
  canComment: z.boolean().default(true),
  /**
   * True if the account may change or delete the post.
   * @default true
   */
  canEdit: z.boolean().optional(),
  canDelete: z.boolean().optional(),
  /** False until the platform has collected statistics. */
  hasStats: z.boolean().default(false),
  lookCount: z.int().default(0),
  uniqueLookCount: z.int().default(0),
  /** Total number of seconds watched by all viewers. */
  lookDuration: z.int().default(0),
  likeCount: z.int().default(0),
  commentCount: z.int().default(0),
  tipCount: z.int().default(0),
  tipSum: z.number().default(0),
  purchasedCount: z.int().default(0),
  purchasedSumm: z.number().default(0),
  /** Charts show the seeded views and likes up to this time. */
  countedUntil: recordTime,
}))
export type Post = Readonly<z.infer<typeof Post>>

/** Sort fields of the feed. */
export type RankedPost = Pick<Post, 'id' | 'postedAtPrecise' | 'likeCount' | 'tipSum'>

const newestFirst = compareDescending<Pick<Post, 'id' | 'postedAtPrecise'>>(
  (post) => post.postedAtPrecise,
  (post) => post.id,
)

/** Sorts posts by cursor, then newest first. Cursors are equal only in manually written records. */
const byCursor = combineComparators<Pick<Post, 'id' | 'postedAtPrecise'>>(
  compareAscending((post) => post.postedAtPrecise),
  compareDescending((post) => post.id),
)

const highestFirst = (
  field: 'likeCount' | 'tipSum' | 'commentCount' | 'lookCount' | 'purchasedCount',
) =>
  combineComparators<Post>(
    compareDescending((post) => post[field]),
    newestFirst,
  )

/** Ranked orders of the feed, by index name. */
export const feedRankings = {
  byFavorites: combineComparators<RankedPost>(
    compareDescending((post) => post.likeCount),
    newestFirst,
  ),
  byTips: combineComparators<RankedPost>(
    compareDescending((post) => post.tipSum),
    newestFirst,
  ),
} as const

const soonestFirst = (time: (post: Post) => string) =>
  compareAscending<Post>(time, (post) => post.id)

/** Groups published posts by account. Other posts are not in the index. */
const onAccount = (post: Post) => (post.status === 'published' ? post.accountId : null)

/** Groups posts that wait for an event, such as their publication. All accounts share one group. */
const waiting = (isWaiting: (post: Post) => boolean) => (post: Post) =>
  isWaiting(post) ? 'all' : null

export const posts = defineTable({
  schema: Post,
  epochSeconds: ['postedAtPrecise'],
  references: {
    accountId: 'accounts',
    labels: 'postLabels',
    mediaFiles: 'vaultMedia',
    preview: 'vaultMedia',
  },
  firstId: 1_204_000_000,
  indexes: {
    byTime: { group: getFeedKeys, order: newestFirst },
    byFavorites: { group: getFeedKeys, order: feedRankings.byFavorites },
    byTips: { group: getFeedKeys, order: feedRankings.byTips },
    published: { group: onAccount, order: newestFirst },
    comments: { group: onAccount, order: highestFirst('commentCount') },
    likes: { group: onAccount, order: highestFirst('likeCount') },
    views: { group: onAccount, order: highestFirst('lookCount') },
    tips: { group: onAccount, order: highestFirst('tipSum') },
    purchases: { group: onAccount, order: highestFirst('purchasedCount') },
    byLabel: { group: (post) => post.labels, order: newestFirst },
    byMedia: { group: getMediaKeys, order: compareAscending((post) => post.id) },
    streams: { group: (post) => (post.isStream ? onAccount(post) : null), order: newestFirst },
    byPrecise: {
      group: (post) => toCursorKey(post.accountId, post.postedAtPrecise),
      order: byCursor,
    },
    scheduled: {
      group: waiting((post) => post.status === 'scheduled'),
      order: soonestFirst((post) => post.postedAt),
    },
    scheduledOn: {
      group: (post) => (post.status === 'scheduled' ? post.accountId : null),
      order: soonestFirst((post) => post.postedAt),
    },
    expiring: {
      group: waiting((post) => post.expiresAt !== null),
      order: soonestFirst((post) => post.expiresAt ?? ''),
    },
  },
})

/** Location of a published post: the feed or one of the archive buckets. */
type FeedBucket = 'feed' | (typeof archiveBuckets)[number]

/**
 * Returns the index key for all posts of a bucket, or for the posts of a bucket that have a
 * property. For example: `310240117:feed:pinned`.
 */
export function toFeedKey(
  accountId: number,
  bucket: FeedBucket,
  property: FeedProperty = 'all',
): string {
  if (accountId !== cachedKeys.accountId) Object.assign(cachedKeys, { accountId, byBucket: {} })
  const keys = (cachedKeys.byBucket[bucket] ??= new Map())
  const known = keys.get(property)
  if (known !== undefined) return known
  const key = `${accountId}:${bucket}:${property}`
  if (keys.size >= maxCachedKeys) keys.clear()
  keys.set(property, key)
  return key
}

/** A property of a post that a feed filter requires. A number is the id of a label. */
type FeedProperty = 'all' | 'pinned' | 'media' | MediaType | number

/** Maximum number of cached index keys. */
const maxCachedKeys = 1_000
/**
 * Caches the index keys of one account. Reusing the same string for equal keys halves the time to
 * build a large index.
 */
const cachedKeys: {
  accountId: number
  byBucket: Partial<Record<FeedBucket, Map<FeedProperty, string>>>
} = { accountId: 0, byBucket: {} }

/**
 * Returns a key of the index `byPrecise`, which groups posts by their cursors in steps of 28 hours.
 * For example: `310240117:17908`. The groups are short. So a new post is usually the last post of
 * its group, even if other posts are scheduled for later days.
 */
export function toCursorKey(accountId: number, precise: string): string {
  return `${accountId}:${precise.slice(0, 5)}`
}

/**
 * Returns the key in the index `byMedia` for saved live streams that contain a given media item.
 */
export function toStreamMediaKey(mediaId: number): string {
  return `stream ${mediaId}`
}

/** Returns the keys of a post in the index `byMedia`. */
function getMediaKeys({ mediaFiles, isStream }: Post): readonly (number | string)[] {
  return isStream ? [...mediaFiles, ...mediaFiles.map(toStreamMediaKey)] : mediaFiles
}

/** Returns the keys of a post in the indexes of the feed, one for each property of `toFeedKey`. */
function getFeedKeys(post: Post): readonly string[] | null {
  if (post.status !== 'published') return null
  const { accountId, bucket, isPinned, mediaTypes, labels } = post
  const keys: string[] = []
  const add = (property: FeedProperty) => {
    const key = toFeedKey(accountId, bucket ?? 'feed', property)
    if (!keys.includes(key)) keys.push(key)
  }
  add('all')
  if (isPinned) add('pinned')
  for (const type of mediaTypes) {
    add(type)
    // The filter `media` and the counters do not include GIFs.
    if (type !== 'gif') add('media')
  }
  for (const label of labels) add(label)
  return keys
}

/** Scenario settings for posts. */
export const postSizes = {
  posts: defineSize(
    () => count.describe('Number of published posts, including archived posts.'),
    0,
  ),
  scheduledPosts: defineSize(
    () => count.describe('Number of posts that are scheduled for after the start time.'),
    0,
  ),
  archivedPosts: defineSize(
    () => z.boolean().describe('true: some posts are in the archive buckets. Default: true.'),
    true,
  ),
}
export type PostSizes = SizeValues<typeof postSizes>
