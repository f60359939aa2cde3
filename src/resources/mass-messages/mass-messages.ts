import type { ChangeListener } from '../../data/change-log.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { isBlankHtml } from '../../lib/text.ts'
import { parseIso } from '../../lib/time.ts'
import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import type { Message } from '../messages/messages.table.ts'
import { unsendMs } from '../messages/messages.ts'
import type { MassMessage } from './mass-messages.table.ts'
import type { ListReference } from './schemas.ts'
import { buildDailyCountChart, buildDailySumChart } from '../../api/lists/day-counts.ts'
import { readPageOfWholeSeconds } from '../../api/lists/paging.ts'
import type { WholeSecondPage } from '../../api/lists/paging.ts'
import type { Span, Window } from '../../api/lists/windows.ts'
import { toPurchaseSourceKey } from '../messages/messages.table.ts'
import { createPurchaseAccessors } from '../messages/message-purchases.ts'
import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'

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
 * Removes a deleted user list from queued mass messages. Messages that exclude the list exclude its
 * members instead.
 */
export function removeListFromQueue(
  world: World,
  { accountId, listId, members }: { accountId: number; listId: number; members: readonly number[] },
): void {
  const isOther = (list: ListReference) => list !== listId
  for (const { id, userLists, excludedLists, excludedIds } of world.db.massMessages.list(
    'queued',
    accountId,
  ))
    world.db.massMessages.update(id, {
      userLists: userLists.filter(isOther),
      excludedLists: excludedLists.filter(isOther),
      excludedIds: excludedLists.every(isOther)
        ? excludedIds
        : [...new Set([...excludedIds, ...members])],
    })
}

/** Cancels a queued mass message if the media or the recipients that it needs were deleted. */
export function createQueueCanceller(world: World): ChangeListener<MassMessage> {
  return (before, after) => {
    if (before === undefined || after?.state !== 'queued') return
    const { id, text, price, mediaFiles, giphyId } = after
    const needsMedia = price > 0 || (isBlankHtml(text) && giphyId === null)
    const cancelReason =
      needsMedia && mediaFiles.length === 0 && before.mediaFiles.length > 0
        ? 'media_deleted'
        : hasRecipients(before) && !hasRecipients(after)
          ? 'recipients_deleted'
          : undefined
    if (cancelReason !== undefined)
      world.db.massMessages.update(id, { state: 'cancelled', cancelReason })
  }
}

/** True if a mass message has lists or users as recipients. */
export function hasRecipients({
  userLists,
  userIds,
}: Pick<MassMessage, 'userLists' | 'userIds'>): boolean {
  return userLists.length > 0 || userIds.length > 0
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

/**
 * Returns one page of the mass messages sent in a window, newest first. Messages of the same second
 * are always on the same page.
 */
export function listMassMessageStats(
  world: World,
  account: Account,
  query: { window: Window; limit: number },
): WholeSecondPage<MassMessage> {
  return readPageOfWholeSeconds(
    world.db.massMessages.in('sent', account.id),
    query,
    ({ sentAt }) => sentAt ?? '',
  )
}

/** Counts the sent mass messages by day, and adds up the amounts of their purchases in dollars. */
export function buildMassMessageChart(world: World, account: Account, { start, end }: Span) {
  return world.json(toChart, account, { start, end })
}

function toChart(world: World, account: Account, window: Span) {
  const { massMessages, messagePurchases } = world.db
  return {
    group_messages: buildDailyCountChart(
      massMessages.in('sent', account.id),
      window,
      (item) => item.sentAt ?? '',
    ),
    group_messages_purchases: buildDailySumChart(
      messagePurchases.in('bySource', toPurchaseSourceKey(account.id, 'mass')),
      window,
      createPurchaseAccessors(world),
    ),
  }
}

export const massMessageInvariants: readonly Invariant<World>[] = [
  { name: 'no mass message was sent in the future', check: findFuture },
  { name: 'a mass message has no more buyers than viewers', check: findUnseen },
]

function findFuture({ db, clock }: World): string[] {
  const now = clock.iso()
  return findViolations(db.massMessages.all(), ({ id, sentAt }) =>
    sentAt !== null && sentAt > now
      ? [`Mass message ${id} was sent at ${sentAt}, but the current time is ${now}.`]
      : [],
  )
}

function findUnseen(world: World): string[] {
  return findViolations(world.db.massMessages.all(), (item) => {
    const bought = countMassMessagePurchases(world, item)
    const viewed = countMassMessageViews(world, item)
    if (bought <= viewed) return []
    return [`Mass message ${item.id} was viewed by ${viewed} fans, but bought by ${bought}.`]
  })
}
