import { z } from 'zod'
import { defineTable, descending, orderBy, ascending } from '../../engine/store/table.ts'
import { MediaType as MediaTypeSchema } from '../media/schemas.ts'
import type { MediaType } from '../vault/vault.table.ts'

/** The two archive buckets, which the feed leaves out. */
export const archiveBuckets = ['archived', 'private_archived'] as const

/** A post. `commentCount` and the tip and purchase figures follow the comments and transactions. */
export const Post = z.object({
  id: z.int(),
  accountId: z.int(),
  status: z.enum(['scheduled', 'published']),
  /** When it was made: its publication, unless it was scheduled. */
  createdAt: z.iso.datetime(),
  /** The publication, past or scheduled. */
  postedAt: z.iso.datetime(),
  /** The same in epoch seconds with six decimals; unique on the account. */
  postedAtPrecise: z.string().regex(/^\d{10}\.\d{6}$/),
  text: z.string(),
  rawText: z.string(),
  bucket: z.enum(archiveBuckets).nullable(),
  labels: z.array(z.int()),
  isPinned: z.boolean(),
  /** Whether it is a saved live stream. */
  isStream: z.boolean(),
  /** Dollars to unlock it; 0 when free. */
  price: z.number().min(0),
  mediaFiles: z.array(z.int()),
  /** The type of each of `mediaFiles`. */
  mediaTypes: z.array(MediaTypeSchema),
  preview: z.array(z.int()),
  rfTag: z.array(z.string()),
  rfGuest: z.array(z.int()),
  rfPartner: z.array(z.int()),
  expireDays: z.int().nullable(),
  /** When it is removed by itself. */
  expiresAt: z.iso.datetime().nullable(),
  canComment: z.boolean(),
  /** When the platform will have transcoded its media; null once it has. */
  mediaReadyAt: z.iso.datetime().nullable(),
  /** False until the platform has gathered statistics. */
  hasStats: z.boolean(),
  lookCount: z.int(),
  uniqueLookCount: z.int(),
  /** Seconds watched by all viewers together. */
  lookDuration: z.int(),
  likeCount: z.int(),
  commentCount: z.int(),
  tipCount: z.int(),
  tipSum: z.number(),
  purchasedCount: z.int(),
  purchasedSumm: z.number(),
  /** Until when views and likes were counted. */
  countedUntil: z.iso.datetime(),
})
export type Post = Readonly<z.infer<typeof Post>>

/** What tells where a post stands in the orders of the feed. */
export type RankedPost = Pick<Post, 'id' | 'postedAtPrecise' | 'likeCount' | 'tipSum'>

const newestFirst = orderBy<Pick<Post, 'id' | 'postedAtPrecise'>>(
  descending((post) => post.postedAtPrecise),
  descending((post) => post.id),
)

const highestFirst = (field: 'likeCount' | 'tipSum' | 'commentCount' | 'lookCount' | 'purchasedCount') =>
  orderBy<Post>(
    descending((post) => post[field]),
    newestFirst,
  )

/** The ranked orders of the feed, by their index. */
export const feedRankings = {
  byFavorites: orderBy<RankedPost>(
    descending((post) => post.likeCount),
    newestFirst,
  ),
  byTips: orderBy<RankedPost>(
    descending((post) => post.tipSum),
    newestFirst,
  ),
} as const

const soonestFirst = (time: (post: Post) => string) =>
  orderBy<Post>(
    ascending(time),
    ascending((post) => post.id),
  )

const onAccount = (post: Post) => (post.status === 'published' ? post.accountId : null)

const waiting = (isWaiting: (post: Post) => boolean) => (post: Post) => (isWaiting(post) ? 'all' : null)

export const posts = defineTable({
  schema: Post,
  firstId: 1_204_000_000,
  indexes: {
    byTime: { group: facetsOf, order: newestFirst },
    byFavorites: { group: facetsOf, order: feedRankings.byFavorites },
    byTips: { group: facetsOf, order: feedRankings.byTips },
    published: { group: onAccount, order: newestFirst },
    comments: { group: onAccount, order: highestFirst('commentCount') },
    likes: { group: onAccount, order: highestFirst('likeCount') },
    views: { group: onAccount, order: highestFirst('lookCount') },
    tips: { group: onAccount, order: highestFirst('tipSum') },
    purchases: { group: onAccount, order: highestFirst('purchasedCount') },
    byLabel: { group: (post) => post.labels, order: newestFirst },
    byMedia: { group: mediaShown, order: ascending((post) => post.id) },
    streams: { group: (post) => (post.isStream ? onAccount(post) : null), order: newestFirst },
    byPrecise: { group: (post) => preciseKey(post.accountId, post.postedAtPrecise), order: newestFirst },
    scheduled: { group: waiting((post) => post.status === 'scheduled'), order: soonestFirst((post) => post.postedAt) },
    scheduledOn: { group: (post) => (post.status === 'scheduled' ? post.accountId : null), order: soonestFirst((post) => post.postedAt) },
    transcoding: { group: waiting((post) => post.mediaReadyAt !== null), order: soonestFirst((post) => post.mediaReadyAt ?? '') },
    expiring: { group: waiting((post) => post.expiresAt !== null), order: soonestFirst((post) => post.expiresAt ?? '') },
  },
})

/** Where a published post is shown: the feed or one of the archive buckets. */
export type Shelf = 'feed' | (typeof archiveBuckets)[number]

/** The group of a shelf's posts in the feed's indexes: all of them, or those with one property. */
export function facet(accountId: number, shelf: Shelf, property: 'all' | 'pinned' | 'media' | MediaType | number = 'all'): string {
  return `${accountId}:${shelf}:${property}`
}

/** The group of the saved live streams with that media, in the index `byMedia`. */
export function streamOf(mediaId: number): string {
  return `stream ${mediaId}`
}

function mediaShown({ mediaFiles, isStream }: Post): readonly (number | string)[] {
  return isStream ? [...mediaFiles, ...mediaFiles.map(streamOf)] : mediaFiles
}

/** Which properties `facet` knows of a post. */
function facetsOf(post: Post): readonly string[] | null {
  if (post.status !== 'published') return null
  const shelf = post.bucket ?? 'feed'
  const types = new Set(post.mediaTypes)
  const properties = [
    'all' as const,
    ...(post.isPinned ? (['pinned'] as const) : []),
    ...(types.size > (types.has('gif') ? 1 : 0) ? (['media'] as const) : []),
    ...types,
    ...post.labels,
  ]
  return properties.map((property) => facet(post.accountId, shelf, property))
}

/** The group of a cursor in the index `byPrecise`. */
export function preciseKey(accountId: number, precise: string): string {
  return `${accountId}@${precise}`
}
