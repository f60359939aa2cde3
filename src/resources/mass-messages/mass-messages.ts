import type { ChangeListener } from '../../data/changes.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { parseIso } from '../../lib/time.ts'
import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import type { Message } from '../messages/messages.table.ts'
import { unsendMs } from '../messages/messages.ts'
import type { MassMessage } from './mass-messages.table.ts'

/**
 * Returns the account's mass message with the given id.
 * @throws {ApiError} mass_message_unknown
 */
export function requireMassMessage(world: World, account: Account, id: number): MassMessage {
  const item = world.db.massMessages.get(id)
  if (item?.accountId !== account.id)
    throw createApiError('mass_message_unknown', { message_id: id, account_id: account.id })
  return item
}

/** Counts the recipients who viewed a mass message, including recipients whose copy was removed. */
export function countMassMessageViews(world: World, { id, goneViews }: MassMessage): number {
  return world.db.messages.in('viewedOfQueue', id).size + goneViews
}

/** Counts the purchases of a mass message, excluding refunds. */
export function countMassMessagePurchases(world: World, { id }: MassMessage): number {
  return world.db.messagePurchases.in('bought', id).size
}

/**
 * When a user list is deleted, queued mass messages that exclude the list exclude its members
 * instead.
 */
export function preserveExclusions(
  world: World,
  { accountId, listId, members }: { accountId: number; listId: number; members: readonly number[] },
): void {
  for (const { id, excludedLists, excludedIds } of world.db.massMessages
    .in('queued', accountId)
    .slice()) {
    if (!excludedLists.includes(listId)) continue
    const lists = excludedLists.filter((list) => list !== listId)
    world.db.massMessages.update(id, {
      excludedLists: lists,
      excludedIds: [...new Set([...excludedIds, ...members])],
    })
  }
}

/** Adds the views of removed copies to the `goneViews` of their mass message. */
export function createMassMessageViewUpdater(world: World): ChangeListener<Message> {
  return (before, after) => {
    if (after !== undefined || before?.isViewed !== true || before.queueId === null) return
    const item = world.db.massMessages.get(before.queueId)
    if (item !== undefined) world.db.massMessages.update(item.id, { goneViews: item.goneViews + 1 })
  }
}

/**
 * Returns the number of seconds left to unsend a mass message. Returns 24 hours if the message is
 * not sent yet, and 0 if it is too late or the message was cancelled.
 */
export function getRemainingUnsendSeconds(world: World, { state, sentAt }: MassMessage): number {
  if (state === 'cancelled') return 0
  if (sentAt === null) return unsendMs / 1000
  const end = parseIso(sentAt) + unsendMs
  return world.clock.hasReached(end)
    ? 0
    : Math.min(unsendMs / 1000, -world.clock.stepsSince(end, 1000))
}
