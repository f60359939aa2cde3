import type { z } from 'zod'
import type { ChangeListener } from '../../../data/changes.ts'
import type { Account } from '../../../world/tenancy/tenancy.table.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'
import type { PostCounters } from './counters.table.ts'

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
    count(counters, post, sign)
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
    count(counters, post, 1)
  }
  return [...byAccount.values()]
}

/** Adds a post to the counters. With the sign -1, subtracts it. */
function count(counters: z.infer<typeof PostCounters>, post: Post, sign: number): void {
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
