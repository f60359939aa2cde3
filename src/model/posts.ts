import { z } from 'zod'
import { apiError, invalidParameter } from '../errors.ts'
import type { Account } from './organisations.ts'
import { defineTable, descending, orderBy, ascending } from './table.ts'
import { toPlainText } from './text.ts'
import { dayMs, fromIso, toIso } from '../schemas/time.ts'
import { requireMedia, mediaTypes } from './vault.ts'
import type { VaultMedia } from './vault.ts'
import type { World } from './world.ts'

/** The two archive buckets, which the feed leaves out. */
export const archiveBuckets = ['archived', 'private_archived'] as const

/** A post. `commentCount` and the tip and purchase figures follow the comments and transactions. */
export const Post = z.object({
  id: z.int(),
  accountId: z.int(),
  status: z.enum(['scheduled', 'published']),
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
  mediaTypes: z.array(z.enum(mediaTypes)),
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

/** The orders of the feed, each with the cursor parameter that continues it. */
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

const newestFirst = orderBy<Post>(
  descending((post) => post.postedAtPrecise),
  descending((post) => post.id),
)
const highestFirst = (field: 'likeCount' | 'tipSum' | 'commentCount' | 'lookCount' | 'purchasedCount') =>
  orderBy<Post>(
    descending((post) => post[field]),
    newestFirst,
  )
const onAccount = (post: Post) => (post.status === 'published' ? post.accountId : null)
const waiting = (isWaiting: (post: Post) => boolean) => (post: Post) => (isWaiting(post) ? 'all' : null)

export const posts = defineTable({
  schema: Post,
  indexes: {
    byTime: { group: facetsOf, order: newestFirst },
    byFavorites: { group: facetsOf, order: highestFirst('likeCount') },
    byTips: { group: facetsOf, order: highestFirst('tipSum') },
    published: { group: onAccount, order: newestFirst },
    comments: { group: onAccount, order: highestFirst('commentCount') },
    likes: { group: onAccount, order: highestFirst('likeCount') },
    views: { group: onAccount, order: highestFirst('lookCount') },
    tips: { group: onAccount, order: highestFirst('tipSum') },
    purchases: { group: onAccount, order: highestFirst('purchasedCount') },
    byLabel: { group: (post) => post.labels, order: newestFirst },
    byPrecise: { group: (post) => preciseKey(post.accountId, post.postedAtPrecise), order: newestFirst },
    scheduled: { group: waiting((post) => post.status === 'scheduled'), order: ascending((post) => post.postedAt) },
    transcoding: { group: waiting((post) => post.mediaReadyAt !== null), order: ascending((post) => post.mediaReadyAt ?? '') },
    expiring: { group: waiting((post) => post.expiresAt !== null), order: ascending((post) => post.expiresAt ?? '') },
  },
})

/** Where a published post is shown: the feed or one of the archive buckets. */
export type Shelf = 'feed' | (typeof archiveBuckets)[number]

/** The group of a shelf's posts in the feed's indexes: all of them, or those with one property. */
export function facet(accountId: number, shelf: Shelf, property: 'all' | 'pinned' | 'media' | (typeof mediaTypes)[number] | number = 'all'): string {
  return `${accountId}:${shelf}:${property}`
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

/** The post of that id on the account, scheduled ones included. @throws {ApiError} post_unknown */
export function requirePost(world: World, account: Account, postId: number): Post {
  const post = world.db.posts.get(postId)
  if (post?.accountId !== account.id) throw apiError('post_unknown', { post_id: postId, account_id: account.id })
  return post
}

/** What a caller gives to make a post; times are epoch ms. */
export interface NewPost {
  text: string
  mediaFiles: readonly number[]
  price: number
  preview: readonly number[]
  rfTag: readonly string[]
  rfGuest: readonly number[]
  rfPartner: readonly number[]
  scheduledTime?: number
  expireDays?: number
}

/** Publishes a post or schedules it. @throws {ApiError} parameter_invalid when the fields do not fit together. */
export function createPost(world: World, account: Account, input: NewPost): Post {
  const { text, price, scheduledTime, expireDays } = input
  const now = world.clock.now()
  const media = checkContent(world, account, input)
  if (scheduledTime !== undefined) checkLater(scheduledTime, now)
  const postedAt = scheduledTime ?? now
  return world.db.posts.insert({
    id: world.nextId('posts'),
    accountId: account.id,
    status: scheduledTime === undefined ? 'published' : 'scheduled',
    postedAt: toIso(postedAt),
    postedAtPrecise: freePreciseTime(world, account.id, postedAt),
    text,
    rawText: toPlainText(text),
    bucket: null,
    labels: [],
    isPinned: false,
    isStream: false,
    price,
    mediaFiles: [...input.mediaFiles],
    mediaTypes: media.map(({ type }) => type),
    preview: [...input.preview],
    rfTag: [...input.rfTag],
    rfGuest: [...input.rfGuest],
    rfPartner: [...input.rfPartner],
    expireDays: expireDays ?? null,
    expiresAt: expireDays === undefined ? null : toIso(postedAt + expireDays * dayMs),
    canComment: true,
    mediaReadyAt: media.length === 0 ? null : toIso(now + world.options.transcodingMs),
    ...noStatistics,
    countedUntil: toIso(postedAt),
  })
}

/** Changes what is given of a post and leaves the rest. @throws {ApiError} parameter_invalid when the fields do not fit together. */
export function updatePost(world: World, account: Account, { post, ...changes }: { post: Post } & Partial<NewPost>): Post {
  const { text, mediaFiles, price, preview, rfTag, rfGuest, rfPartner } = { ...post, ...changes }
  const media = checkContent(world, account, { text, mediaFiles, price, preview })
  const now = world.clock.now()
  const moved = changes.scheduledTime
  if (moved !== undefined) {
    if (post.status !== 'scheduled') throw invalidParameter('Body field', 'scheduledTime', toIso(moved), 'it must be left out: the post is published already')
    checkLater(moved, now)
  }
  const postedAt = moved ?? fromIso(post.postedAt)
  const expireDays = changes.expireDays ?? post.expireDays
  const hasNewMedia = mediaFiles.some((id) => !post.mediaFiles.includes(id))
  return world.db.posts.update(post.id, {
    text,
    rawText: toPlainText(text),
    mediaFiles: [...mediaFiles],
    mediaTypes: media.map(({ type }) => type),
    mediaReadyAt: hasNewMedia ? toIso(now + world.options.transcodingMs) : post.mediaReadyAt,
    price,
    preview: [...preview],
    rfTag: [...rfTag],
    rfGuest: [...rfGuest],
    rfPartner: [...rfPartner],
    expireDays,
    expiresAt: expireDays === null ? null : toIso(postedAt + expireDays * dayMs),
    ...(moved === undefined ? {} : { postedAt: toIso(moved), postedAtPrecise: freePreciseTime(world, account.id, moved), countedUntil: toIso(moved) }),
  })
}

/** Moves a published post into the archive, out of the feed. */
export function archivePost(world: World, post: Post): void {
  world.db.posts.update(post.id, { bucket: 'archived' })
}

/** Pins a post to the top of the profile, or unpins it. */
export function pinPost(world: World, post: Post, isPinned: boolean): void {
  world.db.posts.update(post.id, { isPinned })
}

/** The published post of that id on the account. @throws {ApiError} post_unknown, also for a scheduled one. */
export function requirePublishedPost(world: World, account: Account, postId: number): Post {
  const post = requirePost(world, account, postId)
  if (post.status !== 'published') throw apiError('post_unknown', { post_id: postId, account_id: account.id })
  return post
}

/** The figures of a post that nobody has seen yet. */
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

/** Removes a post for good, with its comments. Payments for it stay. */
export function deletePost(world: World, post: Post): void {
  for (const comment of world.db.comments.in('byPost', post.id).slice()) world.db.comments.remove(comment.id)
  world.db.posts.remove(post.id)
}

/** What the agenda does when a scheduled post's time has come. */
export function publishPost(world: World, post: Post): void {
  world.db.posts.update(post.id, { status: 'published' })
}

/** What the agenda does when the media of a new post are transcoded. */
export function finishMedia(world: World, post: Post): void {
  world.db.posts.update(post.id, { mediaReadyAt: null })
}

/** The post whose publication is that cursor. */
export function postAt(world: World, accountId: number, precise: string): Post | undefined {
  return world.db.posts.in('byPrecise', preciseKey(accountId, precise)).at(0)
}

/** Epoch seconds with six decimals of an instant, as a cursor has it. */
export function toPrecise(epochMs: number, micros = 0): string {
  return `${Math.floor(epochMs / 1000)}.${String((epochMs % 1000) * 1000 + micros).padStart(6, '0')}`
}


/** The media of a post, once its fields fit together. */
function checkContent(world: World, account: Account, { text, mediaFiles, price, preview }: Pick<NewPost, 'text' | 'mediaFiles' | 'price' | 'preview'>): VaultMedia[] {
  const media = requireMedia(world, account, mediaFiles, 'mediaFiles')
  if (text === '' && media.length === 0) throw invalidParameter('Body field', 'text', text, 'it may be empty only with mediaFiles')
  const foreign = preview.find((id) => !mediaFiles.includes(id))
  if (foreign !== undefined) throw invalidParameter('Body field', 'preview', foreign, 'it must list only ids of mediaFiles')
  if (preview.length > 0 && price === 0) throw invalidParameter('Body field', 'preview', preview, 'it needs a price greater than 0')
  return media
}

function checkLater(scheduledTime: number, now: number): void {
  if (scheduledTime > now) return
  throw invalidParameter('Body field', 'scheduledTime', toIso(scheduledTime), `it must be later than now (${toIso(now)})`)
}

function freePreciseTime(world: World, accountId: number, epochMs: number): string {
  for (let micros = 0; ; micros += 1) {
    const precise = toPrecise(epochMs + Math.floor(micros / 1000), micros % 1000)
    if (postAt(world, accountId, precise) === undefined) return precise
  }
}

function preciseKey(accountId: number, precise: string): string {
  return `${accountId}@${precise}`
}
