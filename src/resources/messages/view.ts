import { toPlatformTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { getRemainingUnsendSeconds as getQueueSeconds } from '../mass-messages/mass-messages.ts'
import { signMedia, noVideoSources, toVideoSources } from '../media/media-links.ts'
import { toUserReference, toUserView } from '../users/users.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import { getAttachedMedia, requireMediaByIds } from '../vault/vault.ts'
import type { Message } from './messages.table.ts'
import { isMessageRead, getRemainingUnsendSeconds, pickMessageContent } from './messages.ts'
import type { MessageItem, MessageBody } from './schemas.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { isBlankHtml } from '../../lib/text.ts'
import { createApiError, createBodyFieldError } from '../../errors.ts'
import type { MessageContent } from './messages.ts'

/**
 * Converts a message to its API form. With `skipUsers: 'none'`, includes all fields of a fan who
 * wrote the message.
 */
export function toMessageItem(
  world: World,
  message: Message,
  skipUsers: 'all' | 'none' = 'all',
): MessageItem {
  const { id, accountId, fanId, isFromFan, price, queueId } = message
  const isOpened = isMessageRead(world, message)
  const cancelSeconds = getRemainingUnsendSeconds(world, message)
  const item = queueId === null ? undefined : world.db.massMessages.get(queueId)
  const queueSeconds = item === undefined ? 0 : getQueueSeconds(world, item)
  const media = getAttachedMedia(world, message)
  return {
    responseType: 'message',
    id,
    text: message.text,
    fromUser: isFromFan
      ? toUserView(world, accountId, fanId, skipUsers)
      : toUserReference(accountId),
    createdAt: toPlatformTime(message.createdAt),
    changedAt: toPlatformTime(message.changedAt),
    isFree: price === 0,
    price,
    lockedText: message.lockedText,
    giphyId: message.giphyId,
    mediaCount: media.length,
    media: media.map((each) => toMessageMedia(world, each)),
    previews: [...message.previews],
    isMediaReady: media.every(({ isReady }) => isReady),
    isTip: message.isTip,
    isLiked: message.isLiked,
    isPinned: message.isPinned,
    canBePinned: true,
    isOpened,
    isNew: isFromFan && !isOpened,
    isFromQueue: queueId !== null,
    // JSON omits undefined fields. Conditional spreads would be slower.
    queueId: queueId ?? undefined,
    canUnsendQueue: queueId === null ? undefined : queueSeconds > 0,
    unsendSecondsQueue: queueId === null ? undefined : queueSeconds,
    cancelSeconds,
    replyToMessageId:
      message.replyToMessageId === null
        ? null
        : (world.db.messages.get(message.replyToMessageId)?.id ?? null),
    canPurchase: false,
    canPurchaseReason: getPurchaseReason(price, isOpened),
    canReport: isFromFan,
    isReportedByMe: false,
    isCouplePeopleMedia: message.rfPartner.length > 0,
    isMarkdownDisabled: false,
    releaseForms: [
      ...toTags(message.rfTag, 'tag'),
      ...toTags(message.rfPartner, 'partner'),
      ...toTags(message.rfGuest, 'guest'),
    ],
  }
}

function getPurchaseReason(price: number, isOpened: boolean): MessageItem['canPurchaseReason'] {
  if (price === 0) return 'free'
  return isOpened ? 'opened' : 'not_opened'
}

function toMessageMedia(world: World, media: VaultMedia): MessageItem['media'][number] {
  const { id, type, createdAt, duration, isReady, convertedToVideo, hasError, hasCustomPreview } =
    media
  const files = signMedia(world, media)
  return {
    id,
    type,
    convertedToVideo,
    canView: media.canView && isReady,
    hasError,
    hasCustomPreview,
    isReady,
    createdAt: toPlatformTime(createdAt),
    duration,
    files,
    videoSources: media.type === 'video' ? toVideoSources(files) : noVideoSources,
  }
}

function toTags(ids: readonly number[], type: 'tag' | 'partner' | 'guest') {
  return ids.map((id) => ({ id, type }))
}

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
  ) => createBodyFieldError({ [name]: value }, expected)
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
