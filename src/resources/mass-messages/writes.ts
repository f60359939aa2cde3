import type { DueEffect } from '../../world/timeline.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { parseIso, parseRfc3339, toIsoTime } from '../../lib/time.ts'
import { createApiError, createBodyFieldError } from '../../errors.ts'
import type { World } from '../world.ts'
import { findWriteObstacle } from '../chats/chats.ts'
import { checkMessageContent, readMessageContent } from '../messages/view.ts'
import { pickMessageContent, sendCopies, setNewestMessages } from '../messages/messages.ts'
import { findSubscription } from '../subscribers/find-subscription.ts'
import { listMemberIds } from '../user-lists/user-lists.ts'
import { startTranscoding } from '../vault/vault.ts'
import { getDueTime } from './mass-messages.table.ts'
import type { MassMessage } from './mass-messages.table.ts'
import { getRemainingUnsendSeconds, hasRecipients } from './mass-messages.ts'
import type { ListReference, MassMessageBody, MassMessageChanges } from './schemas.ts'

/**
 * Creates a mass message. It is sent immediately, or queued until its date.
 * @throws {ApiError} parameter_invalid if its fields are inconsistent, or refer to lists, fans or
 *   media that the account does not have
 */
export function createMassMessage(
  world: World,
  account: Account,
  body: MassMessageBody,
): MassMessage {
  const content = readMessageContent(world, account, body)
  const { userLists, userIds, excludedLists } = body
  const recipients = { userLists, userIds, excludedLists }
  checkRecipients(world, account, { recipients, changed: recipients })
  const scheduledDate =
    body.scheduledDate === undefined ? null : requireLaterDate(world, body.scheduledDate)
  startTranscoding(world, content.mediaFiles)
  const item = world.db.massMessages.insert({
    ...content,
    ...recipients,
    excludedIds: [],
    id: world.nextId('massMessages'),
    accountId: account.id,
    state: 'queued',
    createdAt: world.clock.iso(),
    scheduledDate,
    sentAt: null,
    sentCount: 0,
    goneViews: 0,
  })
  return item.scheduledDate === null ? deliverMassMessage(world, item) : item
}

/**
 * Changes the given fields of a queued mass message, without validating the other fields again.
 * @throws {ApiError} mass_message_final if it was sent or cancelled; parameter_invalid in the same
 * cases as for a new mass message
 */
export function updateMassMessage(
  world: World,
  account: Account,
  { item, changes }: { item: MassMessage; changes: MassMessageChanges },
): MassMessage {
  if (item.state !== 'queued') throw createFinalStateError(item, 'edited')
  const { filters: _, recommenders: __, scheduledDate, ...changed } = omitUndefined(changes)
  checkMessageContent(world, account, { content: { ...item, ...changed }, changed })
  checkRecipients(world, account, { recipients: { ...item, ...changed }, changed })
  const date =
    scheduledDate === undefined ? {} : { scheduledDate: requireLaterDate(world, scheduledDate) }
  startTranscoding(
    world,
    (changed.mediaFiles ?? []).filter((id) => !item.mediaFiles.includes(id)),
  )
  return world.db.massMessages.update(item.id, {
    ...changed,
    ...(changed.excludedLists === undefined ? {} : { excludedIds: [] }),
    ...date,
  })
}

/**
 * Cancels a mass message. A queued message is not sent. A message that was sent within the last 24
 * hours is removed from the chats of recipients who did not buy it or got a refund.
 * @throws {ApiError} mass_message_final
 */
export function cancelMassMessage(world: World, item: MassMessage): void {
  if (getRemainingUnsendSeconds(world, item) === 0) throw createFinalStateError(item, 'cancelled')
  const { messages } = world.db
  const unsold = messages.list('byQueue', item.id).filter(({ purchasedAt }) => purchasedAt === null)
  const previous = unsold.flatMap((copy) => {
    const [newest, next] = messages.in('byChat', copy.chatId).slice(0, 2)
    return newest === copy && next !== undefined ? [next] : []
  })
  setNewestMessages(world, previous)
  messages.removeMany(unsold.map(({ id }) => id))
  world.db.massMessages.update(item.id, { state: 'cancelled' })
}

/**
 * Sends a queued mass message to its users and the members of its lists. Skips members of excluded
 * lists, blocked users, closed profiles, and users who have never subscribed.
 */
export function deliverMassMessage(world: World, item: MassMessage): MassMessage {
  const { id, accountId } = item
  const account = world.db.accounts.get(accountId)
  if (account === undefined) return world.db.massMessages.update(id, { state: 'cancelled' })
  const fanIds = listRecipientIds(world, account, item)
  const sent = world.db.massMessages.update(id, {
    state: 'sent',
    sentAt: world.clock.iso(),
    sentCount: fanIds.length,
  })
  sendCopies(world, { accountId, fanIds }, { content: pickMessageContent(item), queueId: id })
  return sent
}

function listRecipientIds(
  world: World,
  account: Account,
  { userLists, userIds, excludedLists, excludedIds }: MassMessage,
): number[] {
  const members = (lists: readonly ListReference[]) =>
    lists.flatMap((list) =>
      isKnownList(world, account, list) ? listMemberIds(world, account, list) : [],
    )
  const excluded = new Set([...members(excludedLists), ...excludedIds])
  const isReached = (fanId: number) =>
    !excluded.has(fanId) &&
    isFan(world, account, fanId) &&
    findWriteObstacle(world, account.id, fanId) === undefined
  return [...new Set([...members(userLists), ...userIds])].filter(isReached)
}

type Recipients = Pick<MassMessageBody, 'userLists' | 'userIds' | 'excludedLists'>

/**
 * Checks that a mass message has recipients, and that all of them belong to the account. Errors
 * mention only fields that the request contains (`changed`).
 * @throws {ApiError} parameter_invalid
 */
function checkRecipients(
  world: World,
  account: Account,
  { recipients, changed }: { recipients: Recipients; changed: Partial<Recipients> },
): void {
  const { userLists, userIds } = recipients
  if (!hasRecipients(recipients)) {
    if (changed.userLists !== undefined)
      throw createBodyFieldError({ userLists }, 'userLists or userIds must contain recipients')
    if (changed.userIds !== undefined)
      throw createBodyFieldError({ userIds }, 'userLists or userIds must contain recipients')
  }
  for (const field of ['userLists', 'excludedLists'] as const) {
    const unknown = changed[field]?.find((list) => !isKnownList(world, account, list))
    if (unknown !== undefined)
      throw createBodyFieldError(
        { [field]: unknown },
        `it must contain only user lists of account ${account.id}`,
      )
  }
  const stranger = changed.userIds?.find((id) => !isFan(world, account, id))
  if (stranger !== undefined)
    throw createBodyFieldError(
      { userIds: stranger },
      `it must contain only fans of account ${account.id}`,
    )
}

/** True if the user is or was a subscriber. The account cannot write to other users. */
function isFan(world: World, account: Account, userId: number): boolean {
  return findSubscription(world, account.id, userId) !== undefined
}

function isKnownList(world: World, account: Account, list: ListReference): boolean {
  return typeof list === 'string' || world.db.userLists.get(list)?.accountId === account.id
}

function requireLaterDate(world: World, scheduledDate: string): string {
  const time = parseRfc3339(scheduledDate) ?? 0
  if (time > world.clock.now()) return toIsoTime(time)
  throw createBodyFieldError({ scheduledDate }, `it must be later than now (${world.clock.iso()})`)
}

function createFinalStateError({ id, state }: MassMessage, verb: string) {
  return createApiError('mass_message_final', { message_id: id, state, verb })
}

function omitUndefined<Changes extends object>(
  changes: Changes,
): { [Name in keyof Changes]: Exclude<Changes[Name], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Changes]: Exclude<Changes[Name], undefined>
  }
}

/** Returns the next delivery of a queued mass message. Undefined if the queue is empty. */
export function findNextMassMessageDelivery(world: World): DueEffect | undefined {
  const item = world.db.massMessages.in('waiting', 'all').at(0)
  return (
    item && {
      at: parseIso(getDueTime(item)),
      fire: () => void deliverMassMessage(world, item),
    }
  )
}
