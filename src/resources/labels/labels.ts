import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { SortedList } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import { toFeedKey } from '../posts/posts.table.ts'
import type { Post } from '../posts/posts.table.ts'
import { requirePublishedPost } from '../posts/posts.ts'
import type { PostLabel } from './labels.table.ts'

/**
 * Returns the account's custom label with the given id.
 * @throws {ApiError} label_unknown
 */
export function requireLabel(world: World, account: Account, labelId: number): PostLabel {
  const label = world.db.postLabels.get(labelId)
  if (label?.accountId !== account.id)
    throw createApiError('label_unknown', { label_id: labelId, account_id: account.id })
  return label
}

/**
 * Returns a hash of the ids of the account's labels. The hash changes when a label is added or
 * removed.
 */
export function hashLabelIds(world: World, account: Account): string {
  const ids = world.db.postLabels
    .in('byAccount', account.id)
    .slice()
    .map(({ id }) => id)
  return bytesToHex(md5(utf8ToBytes(ids.join())))
}

/** Returns the posts in the feed that have the label, newest first. */
export function listLabelledPosts(world: World, { accountId, id }: PostLabel): SortedList<Post> {
  return world.db.posts.in('byTime', toFeedKey(accountId, 'feed', id))
}

/** Deletes a label and removes it from its posts. */
export function deleteLabel(world: World, label: PostLabel): void {
  const posts = world.db.posts.in('byLabel', label.id).slice()
  world.db.posts.updateMany(posts.map((post) => [post.id, omitLabel(post, label)]))
  world.db.postLabels.remove(label.id)
}

/**
 * Adds a label to posts.
 * @throws {ApiError} post_unknown if an id is not a published post of the account. In that case, no
 * post gets the label.
 */
export function labelPosts(
  world: World,
  account: Account,
  { label, postIds }: { label: PostLabel; postIds: readonly number[] },
): void {
  const posts = postIds.map((id) => requirePublishedPost(world, account, id))
  world.db.posts.updateMany(
    posts.map(({ id, labels }) => [id, { labels: [...new Set([...labels, label.id])] }]),
  )
}

/** Removes a label from a post. */
export function unlabelPost(world: World, post: Post, label: PostLabel): void {
  world.db.posts.update(post.id, omitLabel(post, label))
}

function omitLabel({ labels }: Post, label: PostLabel): Pick<Post, 'labels'> {
  return { labels: labels.filter((id) => id !== label.id) }
}
