import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { isBlankHtml } from '../../lib/text.ts'
import { createInvalidParameterError, createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import { requireMediaByIds } from '../vault/vault.ts'
import { getRemainingUnsendSeconds, pickMessageContent } from './messages.ts'
import type { MessageContent } from './messages.ts'
import type { MessageBody } from './schemas.ts'
import type { Message } from './messages.table.ts'

/**
 * Reads and validates the content of a message from a request body.
 * @throws {ApiError} parameter_invalid if the fields are inconsistent, or the media are not in the
 * account's vault
 */
export function readMessageContent(
  world: World,
  account: Account,
  body: MessageBody,
): MessageContent {
  const content = pickMessageContent(body)
  checkMessageContent(world, account, { content, changed: body })
  return content
}

/**
 * Checks that the fields of a message are consistent. Errors mention only fields that the request
 * contains (`changed`), because stored fields are not validated again.
 * @throws {ApiError} parameter_invalid
 */
export function checkMessageContent(
  world: World,
  account: Account,
  { content, changed }: { content: MessageContent; changed: Partial<MessageBody> },
): void {
  const { text, price, mediaFiles, previews, giphyId } = content
  const refuse = (
    name: 'text' | 'price' | 'mediaFiles' | 'previews',
    value: unknown,
    expected: string,
  ) => createInvalidParameterError('Body field', name, value, expected)
  const setsMedia = changed.mediaFiles !== undefined
  if (setsMedia) requireMediaByIds(world, account, mediaFiles, 'mediaFiles')
  if (isBlankHtml(text) && mediaFiles.length === 0 && giphyId === null) {
    if (changed.text !== undefined)
      throw refuse('text', text, 'it may be empty only with mediaFiles or giphyId')
    if (setsMedia)
      throw refuse('mediaFiles', mediaFiles, 'it may be empty only with text or giphyId')
  }
  if (price > 0 && mediaFiles.length === 0) {
    if (changed.price !== undefined) throw refuse('price', price, 'it needs mediaFiles')
    if (setsMedia) throw refuse('mediaFiles', mediaFiles, 'it may be empty only without a price')
  }
  const foreign = previews.find((id) => !mediaFiles.includes(id))
  if (foreign === undefined) return
  if (changed.previews !== undefined)
    throw refuse('previews', foreign, 'it must list only ids of mediaFiles')
  if (setsMedia)
    throw refuse('mediaFiles', mediaFiles, `it must contain ${foreign}, which is in previews`)
}

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
