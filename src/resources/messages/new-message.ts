import type { Message } from './messages.table.ts'

/** The fields of a free text message that nobody has read. */
export const messageDefaults = {
  price: 0,
  lockedText: false,
  giphyId: null,
  mediaFiles: [],
  previews: [],
  isTip: false,
  isLiked: false,
  isPinned: false,
  isOpened: false,
  isViewed: false,
  purchasedAt: null,
  queueId: null,
  replyToMessageId: null,
  rfTag: [],
  rfPartner: [],
  rfGuest: [],
} satisfies Partial<Message>

/** The fields of a new message. One that is left out has its default. */
export type NewMessage = Pick<
  Message,
  'id' | 'accountId' | 'chatId' | 'fanId' | 'isFromFan' | 'text' | 'createdAt'
> &
  Partial<Omit<Message, 'changedAt'>>

/**
 * Makes a message that was never changed.
 * @note It names every field: spreading the defaults into each of thousands of seeded messages
 * takes ten times as long.
 */
export function newMessage({
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
