import { emptyList } from '../../data/freeze.ts'
import type { Message } from './messages.table.ts'

/** Fields of an unread, free text message. */
export const messageDefaults = {
  price: 0,
  lockedText: false,
  giphyId: null,
  mediaFiles: emptyList,
  previews: emptyList,
  isTip: false,
  isLiked: false,
  isPinned: false,
  isOpened: false,
  isViewed: false,
  purchasedAt: null,
  queueId: null,
  replyToMessageId: null,
  rfTag: emptyList,
  rfPartner: emptyList,
  rfGuest: emptyList,
} satisfies Partial<Message>

/** Fields of a new message. Omitted fields get defaults. */
export type NewMessage = Pick<
  Message,
  'id' | 'accountId' | 'chatId' | 'fanId' | 'isFromFan' | 'text' | 'createdAt'
> &
  Partial<Omit<Message, 'changedAt'>>

/**
 * Creates a new message.
 * @note Lists all fields, because spreading defaults into thousands of seeded messages takes ten
 * times as long.
 */
export function createMessage({
  id,
  accountId,
  chatId,
  fanId,
  isFromFan,
  text,
  price = messageDefaults.price,
  lockedText = messageDefaults.lockedText,
  giphyId = messageDefaults.giphyId,
  mediaFiles = messageDefaults.mediaFiles,
  previews = messageDefaults.previews,
  createdAt,
  isTip = messageDefaults.isTip,
  isLiked = messageDefaults.isLiked,
  isPinned = messageDefaults.isPinned,
  isOpened = messageDefaults.isOpened,
  isViewed = messageDefaults.isViewed,
  purchasedAt = messageDefaults.purchasedAt,
  queueId = messageDefaults.queueId,
  replyToMessageId = messageDefaults.replyToMessageId,
  rfTag = messageDefaults.rfTag,
  rfPartner = messageDefaults.rfPartner,
  rfGuest = messageDefaults.rfGuest,
}: NewMessage): Message {
  return {
    id,
    accountId,
    chatId,
    fanId,
    isFromFan,
    text,
    price,
    lockedText,
    giphyId,
    mediaFiles,
    previews,
    createdAt,
    changedAt: createdAt,
    isTip,
    isLiked,
    isPinned,
    isOpened,
    isViewed,
    purchasedAt,
    queueId,
    replyToMessageId,
    rfTag,
    rfPartner,
    rfGuest,
  }
}
