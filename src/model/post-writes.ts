import { invalidParameter } from '../errors.ts'
import { dayMs, fromIso, toIso } from '../schemas/time.ts'
import type { Account } from './organisations.ts'
import { noStatistics, postAt, toPrecise } from './posts.ts'
import type { Post } from './posts.ts'
import { toPlainText } from './text.ts'
import { requireMedia } from './vault.ts'
import type { VaultMedia } from './vault.ts'
import type { World } from './world.ts'

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
    createdAt: toIso(now),
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

/** Removes a post for good, with its comments and statistics. Payments for it stay. */
export function deletePost(world: World, post: Post): void {
  for (const comment of world.db.comments.in('byPost', post.id).slice()) world.db.comments.remove(comment.id)
  for (const day of world.db.postDays.in('byPost', post.id).slice()) world.db.postDays.remove(day.id)
  world.db.posts.remove(post.id)
}

/** What the agenda does when a scheduled post's time has come. */
export function publishPost(world: World, post: Post): void {
  world.db.posts.update(post.id, { status: 'published' })
}

/** Publishes a scheduled post now, before its time; the days until it expires count from now. */
export function publishPostNow(world: World, post: Post): Post {
  const now = world.clock.now()
  return world.db.posts.update(post.id, {
    status: 'published',
    postedAt: toIso(now),
    postedAtPrecise: freePreciseTime(world, post.accountId, now),
    expiresAt: post.expireDays === null ? null : toIso(now + post.expireDays * dayMs),
    countedUntil: toIso(now),
  })
}

/** What the agenda does when the media of a new post are transcoded. */
export function finishMedia(world: World, post: Post): void {
  world.db.posts.update(post.id, { mediaReadyAt: null })
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
