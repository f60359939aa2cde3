import { apiError, invalidParameter } from '../errors.ts'
import type { ListReference, MassMessageBody, MassMessageChanges } from '../schemas/mass-messages.ts'
import { fromIso, parseInstant, toIso } from '../schemas/time.ts'
import { subscriptionOf } from './fans.ts'
import { unsendSecondsOf } from './mass-messages.ts'
import type { MassMessage } from './mass-messages.ts'
import { removeMessage } from './message-writes.ts'
import { messageContent, sendMessage } from './messages.ts'
import type { Account } from './organisations.ts'
import { memberIds } from './user-lists.ts'
import { marksOf } from './user-marks.ts'
import type { World } from './world.ts'

/** Sends a mass message, or queues it for its date. @throws {ApiError} parameter_invalid when its fields do not fit together or name what is not the account's. */
export function createMassMessage(world: World, account: Account, body: MassMessageBody): MassMessage {
  const fields = checkFields(world, account, body)
  const item = world.db.massMessages.insert({
    ...fields,
    id: world.nextId('massMessages'),
    accountId: account.id,
    state: 'queued',
    createdAt: world.clock.iso(),
    scheduledDate: body.scheduledDate === undefined ? null : checkLater(world, body.scheduledDate),
    sentAt: null,
    sentCount: 0,
  })
  return item.scheduledDate === null ? deliverMassMessage(world, item) : item
}

/** Changes what is given of a queued mass message. @throws {ApiError} mass_message_final, and parameter_invalid as for a new one. */
export function updateMassMessage(world: World, account: Account, { item, changes }: { item: MassMessage; changes: MassMessageChanges }): MassMessage {
  if (item.state !== 'queued') throw toFinal(item, 'edited')
  const { giphyId, ...kept } = item
  const fields = checkFields(world, account, { ...kept, giphyId: giphyId ?? undefined, ...withoutUndefined(changes) })
  const { scheduledDate } = changes
  return world.db.massMessages.update(item.id, { ...fields, ...(scheduledDate === undefined ? {} : { scheduledDate: checkLater(world, scheduledDate) }) })
}

/**
 * Takes a mass message out of the queue or, within a day after it went out, back from all who have not bought it.
 * @throws {ApiError} mass_message_final
 */
export function cancelMassMessage(world: World, item: MassMessage): void {
  if (unsendSecondsOf(world, item) === 0) throw toFinal(item, 'cancelled')
  for (const message of world.db.messages.in('byQueue', item.id).slice()) {
    if (world.db.massPurchases.get(`${item.id}:${message.fanId}`) === undefined) removeMessage(world, message)
  }
  world.db.massMessages.update(item.id, { state: 'cancelled' })
}

/** Sends a queued mass message: to the members of its lists and its users less the members of its excluded lists, never to who is blocked. */
export function deliverMassMessage(world: World, item: MassMessage): MassMessage {
  const { id, accountId, text, lockedText, price, mediaFiles, previews, giphyId, rfTag, rfPartner, rfGuest } = item
  const account = world.db.accounts.get(accountId)
  if (account === undefined) return world.db.massMessages.update(id, { state: 'cancelled' })
  const fanIds = recipientsOf(world, account, item)
  // No two on an account go out at the same time: their times are the cursor of the statistics.
  const latest = world.db.massMessages.in('sent', accountId).at(0)?.sentAt
  const sentAt = Math.max(world.clock.now(), latest == null ? 0 : fromIso(latest) + 1)
  const sent = world.db.massMessages.update(id, { state: 'sent', sentAt: toIso(sentAt), sentCount: fanIds.length })
  const content = { text, lockedText, price, mediaFiles, previews, giphyId, rfTag, rfPartner, rfGuest }
  for (const fanId of fanIds) sendMessage(world, account, fanId, content, { queueId: id })
  return sent
}

function recipientsOf(world: World, account: Account, { userLists, userIds, excludedLists }: MassMessage): number[] {
  const members = (lists: readonly ListReference[]) => lists.flatMap((list) => (isKnownList(world, account, list) ? memberIds(world, account, list) : []))
  const excluded = new Set(members(excludedLists))
  const isReached = (fanId: number) => !excluded.has(fanId) && world.db.fans.get(fanId) !== undefined && (marksOf(world, account.id, fanId)?.blockedAt ?? null) === null
  return [...new Set([...members(userLists), ...userIds])].filter(isReached)
}

type Fields = Omit<MassMessageBody, 'scheduledDate'>

function checkFields(world: World, account: Account, body: Fields) {
  const { userLists, userIds, excludedLists } = body
  const content = messageContent(world, account, body)
  if (userLists.length === 0 && userIds.length === 0) throw invalidParameter('Body field', 'userLists', userLists, 'it or userIds must name whom the message is for')
  for (const [field, lists] of Object.entries({ userLists, excludedLists })) {
    const unknown = lists.find((list) => !isKnownList(world, account, list))
    if (unknown !== undefined) throw invalidParameter('Body field', field, unknown, `it must list only user lists of account ${account.id}`)
  }
  const stranger = userIds.find((id) => subscriptionOf(world, account.id, id) === undefined)
  if (stranger !== undefined) throw invalidParameter('Body field', 'userIds', stranger, `it must list only fans of account ${account.id}`)
  return { ...content, userLists, userIds, excludedLists }
}

function isKnownList(world: World, account: Account, list: ListReference): boolean {
  return typeof list === 'string' || world.db.userLists.get(list)?.accountId === account.id
}

function checkLater(world: World, scheduledDate: string): string {
  const time = parseInstant(scheduledDate) ?? 0
  if (time > world.clock.now()) return toIso(time)
  throw invalidParameter('Body field', 'scheduledDate', scheduledDate, `it must be later than now (${world.clock.iso()})`)
}

function toFinal({ id, state }: MassMessage, verb: string) {
  return apiError('mass_message_final', { message_id: id, state, verb })
}

function withoutUndefined<Changes extends object>(changes: Changes): { [Name in keyof Changes]: Exclude<Changes[Name], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as { [Name in keyof Changes]: Exclude<Changes[Name], undefined> }
}
