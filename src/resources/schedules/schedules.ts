import type { SortedList } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { parseIso } from '../../lib/time.ts'
import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import { getDueTime } from '../mass-messages/mass-messages.table.ts'
import type { MassMessage } from '../mass-messages/mass-messages.table.ts'
import { cancelMassMessage, deliverMassMessage } from '../mass-messages/writes.ts'
import type { Post } from '../posts/posts.table.ts'
import { deletePost, publishPostNow, requireDeletablePost } from '../posts/writes.ts'

/** A scheduled post, or a queued mass message (type `chat`). `at` is the scheduled time. */
export type ScheduledItem =
  | { id: number; type: 'post'; at: string; post: Post }
  | { id: number; type: 'chat'; at: string; message: MassMessage }

/**
 * A filter for scheduled items. Times are epoch ms. Both ends are inclusive. An empty list of types
 * matches all types.
 */
export interface ScheduleFilter {
  start: number
  end: number
  types: readonly string[]
}

/** Returns the scheduled items of the account in the window, soonest first. */
export function listScheduledItems(
  world: World,
  account: Account,
  { start, end, types }: ScheduleFilter,
): ScheduledItem[] {
  const { posts, massMessages } = world.db
  const hasType = (type: string) => types.length === 0 || types.includes(type)
  const inWindow = <Row>(list: SortedList<Row>, toItem: (row: Row) => ScheduledItem) =>
    list
      .slice(
        list.findPartitionPoint((row) => parseIso(toItem(row).at) >= start),
        list.findPartitionPoint((row) => parseIso(toItem(row).at) > end),
      )
      .map(toItem)
  return [
    ...(hasType('post') ? inWindow(posts.in('scheduledOn', account.id), toScheduledPost) : []),
    ...(hasType('chat') ? inWindow(massMessages.in('queued', account.id), toScheduledMessage) : []),
  ].toSorted((a, b) => parseIso(a.at) - parseIso(b.at) || a.id - b.id)
}

/**
 * Returns the account's scheduled item with the given id.
 * @throws {ApiError} schedule_item_unknown, also if the item is already published or sent
 */
export function requireScheduledItem(
  world: World,
  account: Account,
  itemId: number,
): ScheduledItem {
  const id = Math.floor(itemId / 2)
  const post = itemId % 2 === 0 ? world.db.posts.get(id) : undefined
  if (post?.accountId === account.id && post.status === 'scheduled') return toScheduledPost(post)
  const message = itemId % 2 === 1 ? world.db.massMessages.get(id) : undefined
  if (message?.accountId === account.id && message.state === 'queued')
    return toScheduledMessage(message)
  throw createApiError('schedule_item_unknown', { item_id: itemId, account_id: account.id })
}

/**
 * Publishes or sends the item now.
 * @throws {ApiError} post_locked
 */
export function publishScheduledItem(world: World, item: ScheduledItem): void {
  if (item.type === 'post') publishPostNow(world, item.post)
  else deliverMassMessage(world, item.message)
}

/**
 * Deletes the post, or cancels the mass message.
 * @throws {ApiError} post_locked
 */
export function deleteScheduledItem(world: World, item: ScheduledItem): void {
  if (item.type === 'post') deletePost(world, requireDeletablePost(item.post))
  else cancelMassMessage(world, item.message)
}

/**
 * Converts a post to a scheduled item. Posts get even ids and messages get odd ids, so no two
 * scheduled items share an id.
 */
export function toScheduledPost(post: Post): ScheduledItem & { type: 'post' } {
  return { id: post.id * 2, type: 'post', at: post.postedAt, post }
}

/** Converts a mass message to a scheduled item. */
export function toScheduledMessage(message: MassMessage): ScheduledItem & { type: 'chat' } {
  return {
    id: message.id * 2 + 1,
    type: 'chat',
    at: getDueTime(message),
    message,
  }
}
