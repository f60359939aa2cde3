import { apiError } from '../../errors.ts'
import type { World } from '../../world/world.ts'
import type { Message } from './messages.table.ts'
import { unsendSeconds } from './messages.ts'

/** Takes a message of the creator back: it is gone for both sides. @throws {ApiError} message_of_fan, unsend_over once 24 hours have passed. */
export function unsendMessage(world: World, message: Message): void {
  if (message.isFromFan) throw apiError('message_of_fan', { message_id: message.id, verb: 'unsent' })
  if (unsendSeconds(world, message) === 0) throw apiError('unsend_over', { message_id: message.id })
  world.db.messages.remove(message.id)
}

/** Likes the message, or takes the like back. */
export function likeMessage(world: World, message: Message, isLiked: boolean): void {
  world.db.messages.update(message.id, { isLiked })
}

/** Pins the message in its chat, or unpins it. */
export function pinMessage(world: World, message: Message, isPinned: boolean): void {
  world.db.messages.update(message.id, { isPinned })
}

/** Sets the release-form tags that are given of a message of the creator, and leaves the others. @throws {ApiError} message_of_fan */
export function attachTags(world: World, message: Message, tags: Partial<Pick<Message, 'rfTag' | 'rfPartner' | 'rfGuest'>>): void {
  if (message.isFromFan) throw apiError('message_of_fan', { message_id: message.id, verb: 'tagged' })
  world.db.messages.update(message.id, tags)
}
