import type { DueEffect } from '../../world/timeline.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { isBlankHtml, toPlainText } from '../../lib/text.ts'
import { dayMs, parseIso, parseRfc3339, toIsoTime } from '../../lib/time.ts'
import { createApiError, createBodyFieldError } from '../../errors.ts'
import type { World } from '../world.ts'
import { requireMediaByIds, startTranscoding } from '../vault/vault.ts'
import { toCursorKey } from './posts.table.ts'
import type { Post } from './posts.table.ts'
import { countBeforeCursor, noStatistics, toCursor } from './posts.ts'

/** The fields of a post that a caller sets. */
export interface PostContent {
  text: string
  /** Topic from the creator's persona, if known. */
  topic?: string
  mediaFiles: number[]
  price: number
  preview: number[]
  rfTag: string[]
  rfGuest: number[]
  rfPartner: number[]
  /** RFC 3339, as the client sent it. If omitted, the post is published now. */
  scheduledTime?: string
  expireDays?: number
}

/**
 * Publishes or schedules a post.
 * @throws {ApiError} parameter_invalid if the fields are inconsistent
 */
export function createPost(world: World, account: Account, input: PostContent): Post {
  const { text, price, expireDays } = input
  const now = world.clock.now()
  const media = requireMediaByIds(world, account, input.mediaFiles, 'mediaFiles')
  checkContent(input)
  checkPreview(input)
  const scheduledAt = parseScheduledTime(input.scheduledTime, now)
  const postedAt = scheduledAt ?? now
  startTranscoding(world, input.mediaFiles)
  return world.db.posts.add({
    id: world.nextId('posts'),
    accountId: account.id,
    status: scheduledAt === undefined ? 'published' : 'scheduled',
    createdAt: toIsoTime(now),
    postedAt: toIsoTime(postedAt),
    postedAtPrecise: findUnusedCursor(world, account.id, postedAt),
    text,
    rawText: toPlainText(text),
    topic: input.topic ?? '',
    bucket: null,
    labels: [],
    isPinned: false,
    isStream: false,
    price,
    mediaFiles: input.mediaFiles,
    mediaTypes: media.map(({ type }) => type),
    preview: input.preview,
    rfTag: input.rfTag,
    rfGuest: input.rfGuest,
    rfPartner: input.rfPartner,
    expireDays: expireDays ?? null,
    expiresAt: expireDays === undefined ? null : toIsoTime(postedAt + expireDays * dayMs),
    canComment: true,
    // The field is set explicitly, because adding a field after a spread is slow.
    hasStats: noStatistics.hasStats,
    lookCount: noStatistics.lookCount,
    uniqueLookCount: noStatistics.uniqueLookCount,
    lookDuration: noStatistics.lookDuration,
    likeCount: noStatistics.likeCount,
    commentCount: noStatistics.commentCount,
    tipCount: noStatistics.tipCount,
    tipSum: noStatistics.tipSum,
    purchasedCount: noStatistics.purchasedCount,
    purchasedSumm: noStatistics.purchasedSumm,
    countedUntil: toIsoTime(postedAt),
  })
}

/**
 * Changes only the given fields of a post.
 * @throws {ApiError} parameter_invalid if the fields are inconsistent, post_locked
 */
export function updatePost(
  world: World,
  account: Account,
  { post, changes }: { post: Post; changes: Partial<PostContent> },
): Post {
  const { text = post.text, mediaFiles = post.mediaFiles, price = post.price } = changes
  const { rfTag = post.rfTag, rfGuest = post.rfGuest, rfPartner = post.rfPartner } = changes
  requireEditablePost(post)
  const now = world.clock.now()
  const mediaTypes =
    changes.mediaFiles === undefined
      ? post.mediaTypes
      : requireMediaByIds(world, account, changes.mediaFiles, 'mediaFiles').map(({ type }) => type)
  if (changes.text !== undefined || changes.mediaFiles !== undefined)
    checkContent({ text, mediaFiles }, changes.text === undefined ? 'mediaFiles' : 'text')
  if (changes.preview !== undefined) checkPreview({ mediaFiles, price, preview: changes.preview })
  // If the preview is omitted, it is adapted to the new price and media, because the caller may not
  // know the preview.
  const isPreview = (id: number) => price > 0 && mediaFiles.includes(id)
  const preview =
    changes.preview ??
    (post.preview.every(isPreview) ? post.preview : post.preview.filter(isPreview))
  if (changes.scheduledTime !== undefined && post.status !== 'scheduled')
    throw createBodyFieldError(
      { scheduledTime: changes.scheduledTime },
      'it must be omitted, because the post is already published',
    )
  const moved = parseScheduledTime(changes.scheduledTime, now)
  const postedAt = moved ?? parseIso(post.postedAt)
  const expireDays = changes.expireDays ?? post.expireDays
  if (changes.expireDays !== undefined)
    checkExpiry(changes.expireDays, postedAt + changes.expireDays * dayMs, now)
  startTranscoding(
    world,
    mediaFiles.filter((id) => !post.mediaFiles.includes(id)),
  )
  return world.db.posts.update(post.id, {
    text,
    rawText: toPlainText(text),
    mediaFiles,
    mediaTypes,
    price,
    preview,
    rfTag,
    rfGuest,
    rfPartner,
    expireDays,
    ...(changes.expireDays === undefined && moved === undefined
      ? {}
      : { expiresAt: findExpiry({ ...post, expireDays }, postedAt) }),
    ...(moved === undefined
      ? {}
      : {
          postedAt: toIsoTime(moved),
          postedAtPrecise: findUnusedCursor(world, account.id, moved),
          countedUntil: toIsoTime(moved),
        }),
  })
}

/** Moves a published post from the feed into the archive. */
export function archivePost(world: World, post: Post): void {
  world.db.posts.update(post.id, { bucket: 'archived' })
}

/** Pins a post to the top of the profile, or unpins it. */
export function setPostPinned(world: World, post: Post, isPinned: boolean): void {
  world.db.posts.update(post.id, { isPinned })
}

/**
 * Throws if the account may not change the post, or publish it early.
 * @throws {ApiError} post_locked
 */
function requireEditablePost(post: Post): void {
  if (post.canEdit === false)
    throw createApiError('post_locked', { post_id: post.id, verb: 'changed' })
}

/**
 * Returns the post if the account may delete it.
 * @throws {ApiError} post_locked
 */
export function requireDeletablePost(post: Post): Post {
  if (post.canDelete === false)
    throw createApiError('post_locked', { post_id: post.id, verb: 'deleted' })
  return post
}

/** Deletes a post permanently, including its comments and statistics. Its payments are kept. */
export function deletePost(world: World, post: Post): void {
  for (const comment of world.db.comments.list('byPost', post.id))
    world.db.comments.remove(comment.id)
  for (const day of world.db.postDays.list('byPost', post.id)) world.db.postDays.remove(day.id)
  world.db.posts.remove(post.id)
}

/** Publishes a scheduled post when it is due. */
export function publishPost(world: World, post: Post): void {
  world.db.posts.update(post.id, { status: 'published' })
}

/** Returns the time when a post that is published at `postedAt` (epoch ms) is removed. */
function findExpiry(
  { expireDays, expiresAt }: Pick<Post, 'expireDays' | 'expiresAt'>,
  postedAt: number,
): string | null {
  return expireDays === null ? expiresAt : toIsoTime(postedAt + expireDays * dayMs)
}

/**
 * Publishes a scheduled post early. The days until its expiry are counted from now.
 * @throws {ApiError} post_locked
 */
export function publishPostNow(world: World, post: Post): Post {
  requireEditablePost(post)
  const now = world.clock.now()
  return world.db.posts.update(post.id, {
    status: 'published',
    postedAt: toIsoTime(now),
    postedAtPrecise: findUnusedCursor(world, post.accountId, now),
    expiresAt: findExpiry(post, now),
    countedUntil: toIsoTime(now),
  })
}

/** Rejects a post without text and media. `field` is the field that the error mentions. */
function checkContent(
  { text, mediaFiles }: Pick<PostContent, 'text' | 'mediaFiles'>,
  field: 'text' | 'mediaFiles' = 'text',
): void {
  if (mediaFiles.length > 0 || !isBlankHtml(text)) return
  if (field === 'text') throw createBodyFieldError({ text }, 'it may be empty only with mediaFiles')
  throw createBodyFieldError({ mediaFiles }, 'it may be empty only if text is given')
}

function checkPreview({
  mediaFiles,
  price,
  preview,
}: Pick<PostContent, 'mediaFiles' | 'price' | 'preview'>): void {
  const foreign = preview.find((id) => !mediaFiles.includes(id))
  if (foreign !== undefined)
    throw createBodyFieldError({ preview: foreign }, 'it must contain only ids of mediaFiles')
  if (preview.length > 0 && price === 0)
    throw createBodyFieldError({ preview }, 'it needs a price greater than 0')
}

function checkExpiry(expireDays: number, expiresAt: number, now: number): void {
  if (expiresAt > now) return
  throw createBodyFieldError(
    { expireDays },
    `it must end later than now (${toIsoTime(now)}), but that number of days after publication ` +
      `ended at ${toIsoTime(expiresAt)}`,
  )
}

/** Parses the publication time as epoch ms. It must be later than `now`. */
function parseScheduledTime(scheduledTime: string | undefined, now: number): number | undefined {
  if (scheduledTime === undefined) return undefined
  const instant = parseRfc3339(scheduledTime)
  if (instant !== undefined && instant > now) return instant
  throw createBodyFieldError({ scheduledTime }, `it must be later than now (${toIsoTime(now)})`)
}

/** Returns the account's first unused cursor at or after the given time. */
export function findUnusedCursor(world: World, accountId: number, epochMs: number): string {
  // The cursor of a removed post must not be reused.
  const removed = world.db.removedPosts.in('byPrecise', accountId)
  for (let micros = 0; ;) {
    const posts = world.db.posts.in('byPrecise', toCursorKey(accountId, toCursor(epochMs, micros)))
    const next = findUnusedCursorAfter(
      removed,
      epochMs,
      findUnusedCursorAfter(posts, epochMs, micros),
    )
    if (next === micros) return toCursor(epochMs, micros)
    micros = next
  }
}

/**
 * Returns the first unused cursor, starting at the given microsecond. Uses an exponential search,
 * because many consecutive cursors may be taken.
 */
function findUnusedCursorAfter<Row extends Pick<Post, 'postedAtPrecise'>>(
  posts: SortedList<Row>,
  epochMs: number,
  start: number,
): number {
  const first = toCursor(epochMs, start)
  const rank = countBeforeCursor(posts, first)
  const isInRun = (place: number) =>
    posts.at(rank + place)?.postedAtPrecise === toCursor(epochMs, start + place)
  if (!isInRun(0)) return start
  let [inside, outside] = [0, 1]
  while (isInRun(outside)) [inside, outside] = [outside, outside * 2]
  while (outside - inside > 1) {
    const middle = Math.floor((inside + outside) / 2)
    if (isInRun(middle)) inside = middle
    else outside = middle
  }
  return start + outside
}

/** Returns the clock event for the next scheduled post to publish. */
export function findNextPostPublication(world: World): DueEffect | undefined {
  const post = world.db.posts.in('scheduled', 'all').at(0)
  return post && { at: parseIso(post.postedAt), fire: () => publishPost(world, post) }
}

/** Returns the clock event for the next post to expire. */
export function findNextPostExpiry(world: World): DueEffect | undefined {
  const post = world.db.posts.in('expiring', 'all').at(0)
  return post && { at: parseIso(post.expiresAt ?? ''), fire: () => deletePost(world, post) }
}
