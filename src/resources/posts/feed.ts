import { defineService } from '../../world/service.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import { TextSearch } from '../../data/text-search.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createQueryParameterError } from '../../errors.ts'
import type { World } from '../world.ts'
import type { MediaType } from '../vault/vault.table.ts'
import { toFeedKey, feedRankings } from './posts.table.ts'
import type { archiveBuckets, Post, RankedPost } from './posts.table.ts'
import { feedOrders, findPostByCursor, findRowAtCursor } from './posts.ts'
import type { FeedOrder } from './posts.ts'
import type { ChangeListener } from '../../data/change-log.ts'
import type { RemovedPost } from './statistics/statistics.table.ts'

/** Full-text index of posts by their caption. */
const captions = defineService(() => new TextSearch<Post>((post) => post.rawText))

/** A label in the feed's filters: the id of a custom label, or an archive bucket. */
type Label = number | (typeof archiveBuckets)[number]

/** Filters, sort order and cursor of a page of the feed. */
interface FeedQuery {
  limit: number
  order: FeedOrder
  mediaType?: MediaType | 'media'
  label?: Label
  excludeLabel?: Label
  /** Part of the caption as plain text, ignoring case. */
  text?: string
  isPinned?: boolean
  /** The `postedAtPrecise` of the last post of the previous page. */
  cursor?: string
}

/** One page of the feed. */
interface FeedPage {
  posts: Post[]
  hasMore: boolean
}

/**
 * Reads a page of the account's posts from the shortest index that matches the filters.
 * @throws {ApiError} parameter_invalid for a ranked cursor of an unknown post
 */
export function readFeed(world: World, account: Account, query: FeedQuery): FeedPage {
  const { limit, order, cursor } = query
  const { backwards } = feedOrders[order]
  const rows = findNarrowestIndex(world, account, query)
  const firstPlace = backwards ? rows.size - 1 : 0
  const start =
    cursor === undefined ? firstPlace : findResumeIndex(world, account, rows, { order, cursor })
  const matches = matchesFilters(query)
  const posts: Post[] = []
  let hasMore = false
  /** Adds the post if it matches. Returns false if the page is full. */
  const addMatch = (post: Post) => {
    if (!matches(post)) return true
    hasMore = posts.length === limit
    if (!hasMore) posts.push(post)
    return !hasMore
  }
  if (query.text === undefined) {
    const step = backwards ? -1 : 1
    // A loop over indexes is faster than `rows.walk`.
    let index = start
    for (let post = rows.at(index); post !== undefined && addMatch(post); post = rows.at(index))
      index += step
  } else
    for (const post of world.service(captions).walk(rows, query.text, start, backwards))
      if (!addMatch(post)) break
  return { posts, hasMore }
}

/** Returns the shortest list that contains all posts that match the filters. */
function findNarrowestIndex(
  world: World,
  account: Account,
  { order, mediaType, label, isPinned }: FeedQuery,
): SortedList<Post> {
  const bucket = typeof label === 'string' ? label : 'feed'
  const list = (property?: Parameters<typeof toFeedKey>[2]) =>
    world.db.posts.in(feedOrders[order].index, toFeedKey(account.id, bucket, property))
  const lists: SortedList<Post>[] = []
  if (mediaType !== undefined) lists.push(list(mediaType))
  if (isPinned === true) lists.push(list('pinned'))
  if (typeof label === 'number') lists.push(list(label))
  // Each of these lists contains only posts of the account.
  if (lists.length === 0) return list()
  return lists.reduce((narrowest, list) => (list.size < narrowest.size ? list : narrowest))
}

/** Returns the index of the first post after a cursor. */
function findResumeIndex(
  world: World,
  account: Account,
  rows: SortedList<Post>,
  { order, cursor }: { order: FeedOrder; cursor: string },
): number {
  const { index, backwards, cursor: name } = feedOrders[order]
  const precise = normalise(cursor, name)
  if (index === 'byTime') {
    const isOlder = backwards
      ? (post: Post) => post.postedAtPrecise <= precise
      : (post: Post) => post.postedAtPrecise < precise
    return backwards ? rows.findPartitionPoint(isOlder) - 1 : rows.findPartitionPoint(isOlder)
  }
  const seen: RankedPost | undefined =
    findPostByCursor(world, account.id, precise) ?? findRemovedPost(world, account.id, precise)
  if (seen === undefined)
    throw createQueryParameterError(
      { [name]: cursor },
      `with order ${order} it must be the postedAtPrecise of a post of the account`,
    )
  const next = rows.findPartitionPoint((post) => feedRankings[index](post, seen) >= 0)
  if (backwards) return next - 1
  return rows.at(next)?.id === seen.id ? next + 1 : next
}

/**
 * Pads a cursor to ten digits and six decimals, so that cursors can be compared as strings. For
 * example, `5.1` becomes `0000000005.100000`.
 */
function normalise(cursor: string, name: string): string {
  const match = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(cursor)
  if (match === null)
    throw createQueryParameterError(
      { [name]: cursor },
      'it must be epoch seconds with a fraction, as in tailMarker',
    )
  return `${(match[1] ?? '').padStart(10, '0')}.${(match[2] ?? '').padEnd(6, '0')}`
}

/**
 * True if a post matches the filters of the feed, except the text filter, which already selected
 * the candidates.
 */
function matchesFilters({
  mediaType,
  label,
  excludeLabel,
  isPinned,
}: FeedQuery): (post: Post) => boolean {
  return (post) =>
    (mediaType === undefined ||
      post.mediaTypes.some(
        (type) => type === mediaType || (mediaType === 'media' && type !== 'gif'),
      )) &&
    (label === undefined || hasLabel(post, label)) &&
    (excludeLabel === undefined || !hasLabel(post, excludeLabel)) &&
    (isPinned === undefined || post.isPinned === isPinned)
}

/** True if the post has the label or is in the archive bucket. */
function hasLabel(post: Post, label: Label): boolean {
  return typeof label === 'number' ? post.labels.includes(label) : post.bucket === label
}

/** Maximum number of removed posts per account. */
export const maxRemovedPosts = 1000

/**
 * Returns the removed post with the given cursor. Undefined if the post never existed or is no
 * longer stored.
 */
function findRemovedPost(
  world: World,
  accountId: number,
  precise: string,
): RemovedPost | undefined {
  return findRowAtCursor(world.db.removedPosts.in('byPrecise', accountId), precise)
}

/** Stores deleted and expired posts. Drops the oldest removed posts above the maximum. */
export function createRemovedPostRecorder(world: World): ChangeListener<Post> {
  return (before, after) => {
    if (before === undefined || after !== undefined) return
    const { id, accountId, postedAtPrecise, likeCount, tipSum } = before
    const table = world.db.removedPosts
    table.remove(id)
    table.insert({
      id,
      accountId,
      postedAtPrecise,
      likeCount,
      tipSum,
      removedAt: world.clock.iso(),
    })
    const ofAccount = table.in('byAccount', accountId)
    const oldest = ofAccount.at(0)
    if (oldest !== undefined && ofAccount.size > maxRemovedPosts) table.remove(oldest.id)
  }
}
