import { toPlatformTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { getRemainingUnsendSeconds as getQueueSeconds } from '../mass-messages/mass-messages.ts'
import { signMedia, noVideoSources, toVideoSources } from '../media/signatures.ts'
import { toUserReference, toUserView } from '../users/users.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import { getAttachedMedia } from '../vault/vault.ts'
import type { Message } from './messages.table.ts'
import { isMessageRead, getRemainingUnsendSeconds } from './messages.ts'
import type { MessageItem } from './schemas.ts'

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
