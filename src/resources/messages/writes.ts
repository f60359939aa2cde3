import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import type { Message } from './messages.table.ts'
import { getRemainingUnsendSeconds } from './messages.ts'

/**
 * Unsends a creator's message: it disappears for both the creator and the fan.
 * @throws {ApiError} message_of_fan; message_bought; unsend_over after 24 hours
 */
export function unsendMessage(world: World, message: Message): void {
  if (message.isFromFan)
    throw createApiError('message_of_fan', { message_id: message.id, verb: 'unsent' })
  if (message.purchasedAt !== null)
    throw createApiError('message_bought', { message_id: message.id, user_id: message.fanId })
  if (getRemainingUnsendSeconds(world, message) === 0)
    throw createApiError('unsend_over', { message_id: message.id })
  world.db.messages.remove(message.id)
}

/** Likes or unlikes a message. */
export function setMessageLiked(world: World, message: Message, isLiked: boolean): void {
  world.db.messages.update(message.id, { isLiked })
}

/** Pins or unpins a message in its chat. */
export function setMessagePinned(world: World, message: Message, isPinned: boolean): void {
  world.db.messages.update(message.id, { isPinned })
}

/**
 * Sets the release-form tags of a creator's message. Omitted kinds of tags are not changed.
 * @throws {ApiError} message_of_fan
 */
export function setMessageTags(
  world: World,
  message: Message,
  tags: Partial<Pick<Message, 'rfTag' | 'rfPartner' | 'rfGuest'>>,
): void {
  if (message.isFromFan)
    throw createApiError('message_of_fan', { message_id: message.id, verb: 'tagged' })
  world.db.messages.update(message.id, tags)
}
