import type { z } from 'zod'
import type { ChangeListener } from '../../../data/change-log.ts'
import type { Account } from '../../../world/tenancy/tenancy.table.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'
import type { PostCounters, PublishedDay } from './statistics.table.ts'
import { chooseBucketWidth, findRowsInSpan } from '../../../api/lists/day-counts.ts'
import type { Span } from '../../../api/lists/windows.ts'
import { dayMs, parseIso, toUtcDay } from '../../../lib/time.ts'

/** Returns the counters of the whole account, which do not depend on the filters of the feed. */
export function countPosts(world: World, account: Account): Omit<PostCounters, 'id'> {
  const counters = world.db.postCounters.get(account.id)
  return counters === undefined
    ? omitId(world, createEmptyCounters(account.id))
    : world.cached(omitId, counters)
}

function omitId(_world: World, row: PostCounters): Omit<PostCounters, 'id'> {
  const { id: _, ...counters } = row
  return counters
}

/** Keeps the table postCounters in sync with posts. */
export function createPostCounterUpdater(world: World): ChangeListener<Post> {
  const table = world.db.postCounters
  table.derive(() => countAccounts(world.db.posts.all()))
  const add = (post: Post, sign: number) => {
    const counters = { ...(table.get(post.accountId) ?? createEmptyCounters(post.accountId)) }
    addToCounters(counters, post, sign)
    table.put(counters)
  }
  return (before, after) => {
    if (before !== undefined && after !== undefined && hasSameEffect(before, after)) return
    if (before !== undefined) add(before, -1)
    if (after !== undefined) add(after, 1)
  }
}

/** True if both versions of a post have the same effect on the counters. */
function hasSameEffect(before: Post, after: Post): boolean {
  return (
    before.status === after.status &&
    before.bucket === after.bucket &&
    before.isStream === after.isStream &&
    before.mediaTypes === after.mediaTypes
  )
}

function countAccounts(posts: readonly Post[]): PostCounters[] {
  const byAccount = new Map<number, z.infer<typeof PostCounters>>()
  for (const post of posts) {
    const counters = byAccount.get(post.accountId) ?? createEmptyCounters(post.accountId)
    byAccount.set(post.accountId, counters)
    addToCounters(counters, post, 1)
  }
  return [...byAccount.values()]
}

/** Adds a post to the counters. With the sign -1, subtracts it. */
function addToCounters(counters: z.infer<typeof PostCounters>, post: Post, sign: number): void {
  if (post.status !== 'published') return
  if (post.bucket === 'archived') counters.archivedPostsCount += sign
  if (post.bucket === 'private_archived') counters.privateArchivedPostsCount += sign
  if (post.bucket !== null) return
  counters.postsCount += sign
  if (post.isStream) counters.streamsCount += sign
  for (const type of post.mediaTypes) {
    if (type === 'gif') continue
    counters[`${type}sCount`] += sign
    counters.mediasCount += sign
  }
}

function createEmptyCounters(accountId: number): z.infer<typeof PostCounters> {
  return {
    postsCount: 0,
    photosCount: 0,
    videosCount: 0,
    audiosCount: 0,
    mediasCount: 0,
    streamsCount: 0,
    archivedPostsCount: 0,
    privateArchivedPostsCount: 0,
    id: accountId,
  }
}

/**
 * Number of posts published at one time or on one day, and the total of their views. `at` is epoch
 * ms.
 */
export interface PublishedPosts {
  at: number
  count: number
  views: number
}

/**
 * Counts the posts that an account published in the span. Returns one item per whole day, read from
 * the table publishedDays. For partial days and in spans with an hourly chart, returns one item per
 * post.
 */
export function countPublishedPosts(world: World, accountId: number, span: Span): PublishedPosts[] {
  const from = Math.ceil(span.start / dayMs) * dayMs
  const to = Math.floor((span.end + 1) / dayMs) * dayMs
  if (from >= to || chooseBucketWidth(span) === 'hour')
    return listPostsInSpan(world, accountId, span)
  const [first, last] = [toUtcDay(from), toUtcDay(to - dayMs)]
  const list = world.db.publishedDays.in('byAccount', accountId)
  const days = list.slice(
    list.findPartitionPoint((row) => row.day >= first),
    list.findPartitionPoint((row) => row.day > last),
  )
  return [
    ...listPostsInSpan(world, accountId, { start: span.start, end: from - 1 }),
    ...days.map(({ day, count, views }) => ({ at: parseIso(day), count, views })),
    ...listPostsInSpan(world, accountId, { start: to, end: span.end }),
  ]
}

/** Keeps the table publishedDays in sync with posts. */
export function createPublishedDayUpdater(world: World): ChangeListener<Post> {
  const table = world.db.publishedDays
  table.derive(() => sumByDay(world.db.posts.all()))
  const add = (post: Post, sign: number) => {
    if (!isCounted(post)) return
    const day = { ...(table.get(toDayId(post)) ?? createEmptyDay(post)) }
    count(day, post, sign)
    if (day.count > 0) table.put(day)
    else table.remove(day.id)
  }
  return (before, after) => {
    if (before !== undefined && after !== undefined && hasSameCounts(before, after)) return
    if (before !== undefined) add(before, -1)
    if (after !== undefined) add(after, 1)
  }
}

/** True if both versions of a post have the same day and views. */
function hasSameCounts(before: Post, after: Post): boolean {
  return (
    isCounted(before) === isCounted(after) &&
    toDayId(before) === toDayId(after) &&
    before.lookCount === after.lookCount
  )
}

function sumByDay(posts: readonly Post[]): PublishedDay[] {
  const days = new Map<string, z.infer<typeof PublishedDay>>()
  for (const post of posts) {
    if (!isCounted(post)) continue
    const day = days.get(toDayId(post)) ?? createEmptyDay(post)
    days.set(day.id, day)
    count(day, post, 1)
  }
  return [...days.values()]
}

/** Adds a post to its day. With the sign -1, subtracts it. */
function count(day: z.infer<typeof PublishedDay>, { lookCount }: Post, sign: number): void {
  day.count += sign
  day.views += sign * lookCount
}

/** Returns the posts published in the span, newest first, each as a separate item. */
function listPostsInSpan(world: World, accountId: number, span: Span): PublishedPosts[] {
  return findRowsInSpan(world.db.posts.in('published', accountId), span, ({ postedAt }) => postedAt)
    .filter(isCounted)
    .map(({ postedAt, lookCount }) => ({ at: parseIso(postedAt), count: 1, views: lookCount }))
}

function isCounted({ status, isStream }: Post): boolean {
  return status === 'published' && !isStream
}

function toDayId({ accountId, postedAt }: Post): string {
  return `${accountId}:${postedAt.slice(0, 'YYYY-MM-DD'.length)}`
}

function createEmptyDay(post: Post): z.infer<typeof PublishedDay> {
  return {
    id: toDayId(post),
    accountId: post.accountId,
    day: post.postedAt.slice(0, 'YYYY-MM-DD'.length),
    count: 0,
    views: 0,
  }
}
