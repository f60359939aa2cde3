import { apiError } from '../../errors.ts'
import type { World } from '../world.ts'
import type { Message } from './messages.table.ts'
import { unsendSeconds } from './messages.ts'

/**
 * Unsends a creator's message, which removes it for both sides.
 * @throws {ApiError} message_of_fan, or unsend_over after 24 hours
 */
export function unsendMessage(world: World, message: Message): void {
  if (message.isFromFan)
    throw apiError('message_of_fan', { message_id: message.id, verb: 'unsent' })
  if (unsendSeconds(world, message) === 0) throw apiError('unsend_over', { message_id: message.id })
  world.db.messages.remove(message.id)
}

/** Likes or unlikes the message. */
export function likeMessage(world: World, message: Message, isLiked: boolean): void {
  world.db.messages.update(message.id, { isLiked })
}

/** Pins or unpins the message in its chat. */
export function pinMessage(world: World, message: Message, isPinned: boolean): void {
  world.db.messages.update(message.id, { isPinned })
}

/**
 * Sets release-form tags of a creator's message. Omitted kinds of tags do not change.
 * @throws {ApiError} message_of_fan
 */
export function attachTags(
  world: World,
  message: Message,
  tags: Partial<Pick<Message, 'rfTag' | 'rfPartner' | 'rfGuest'>>,
): void {
  if (message.isFromFan)
    throw apiError('message_of_fan', { message_id: message.id, verb: 'tagged' })
  world.db.messages.update(message.id, tags)
}
