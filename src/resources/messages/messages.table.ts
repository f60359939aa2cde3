import { z } from 'zod'
import { mediaIds, taggedPeople, lazyObject } from '../../lib/fields.ts'
import {
  compareAscending,
  defineTable,
  compareDescending,
  combineComparators,
  recordTime,
} from '../../data/define-table.ts'

/** A message in a chat, written by the fan or by the creator. */
export const Message = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  chatId: z.int(),
  fanId: z.int(),
  isFromFan: z.boolean(),
  text: z.string(),
  /** Price to unlock the message, dollars. 0 if the message is free. */
  price: z.number().default(0),
  lockedText: z.boolean().default(false),
  giphyId: z.string().nullable().default(null),
  mediaFiles: mediaIds.default([]),
  previews: mediaIds.default([]),
  createdAt: recordTime,
  changedAt: recordTime,
  isTip: z.boolean().default(false),
  isLiked: z.boolean().default(false),
  isPinned: z.boolean().default(false),
  /**
   * For a message from the creator: true if the fan has read it or, if it is paid, has bought it.
   * Always false for a message from the fan. See `isSeen`.
   */
  isOpened: z.boolean().default(false),
  /**
   * For a message from the creator: true if the fan has read or bought it, even if the purchase
   * was refunded. Always false for a message from the fan.
   */
  isViewed: z.boolean().default(false),
  /** Time of the purchase. Null if the message is free, not bought, or refunded. */
  purchasedAt: recordTime.nullable().default(null),
  /** Id of the mass message, if this message is a copy of a mass message. */
  queueId: z.int().nullable().default(null),
  replyToMessageId: z.int().nullable().default(null),
  /** Release-form tags: creators, partners, guests. */
  rfTag: taggedPeople.default([]),
  rfPartner: taggedPeople.default([]),
  rfGuest: taggedPeople.default([]),
}))
export type Message = Readonly<z.infer<typeof Message>>

/** Sorts messages newest first. If times are equal, the message with the higher id comes first. */
export const newestFirst = compareDescending<Message>(
  (message) => message.createdAt,
  (message) => message.id,
)

/** True for a paid message of the creator that the fan has not bought. */
export const isLocked = ({ isFromFan, price, purchasedAt }: Message) =>
  !isFromFan && price > 0 && purchasedAt === null

const isDirect = (message: Message) => !message.isFromFan && message.queueId === null

export const messages = defineTable({
  schema: Message,
  references: {
    accountId: 'accounts',
    chatId: 'chats',
    fanId: 'fans',
    mediaFiles: 'vaultMedia',
    previews: 'vaultMedia',
    queueId: 'massMessages',
  },
  firstId: 5_120_000_000,
  indexes: {
    byChat: { group: (message) => message.chatId, order: newestFirst },
    pinned: { group: (message) => (message.isPinned ? message.chatId : null), order: newestFirst },
    media: {
      group: (message) => (message.mediaFiles.length > 0 ? message.chatId : null),
      order: newestFirst,
    },
    byMedia: {
      group: ({ isFromFan, mediaFiles }) =>
        isFromFan ? mediaFiles.map(toFanMediaKey) : mediaFiles,
      order: compareAscending((message) => message.id),
    },
    /** Paid messages of the creator that the fan has not bought. */
    locked: { group: (message) => (isLocked(message) ? message.chatId : null), order: newestFirst },
    sold: {
      group: (message) => (message.purchasedAt === null ? null : message.chatId),
      order: newestFirst,
    },
    byQueue: { group: (message) => message.queueId, order: newestFirst },
    viewedOfQueue: {
      group: (message) => (message.isViewed ? message.queueId : null),
      order: newestFirst,
    },
    direct: {
      group: (message) => (isDirect(message) ? message.accountId : null),
      order: newestFirst,
    },
    /**
     * Contains only messages that still exist. For purchases of deleted messages, see the table
     * messagePurchases.
     */
    directSales: {
      group: (message) =>
        isDirect(message) && message.purchasedAt !== null ? message.accountId : null,
      order: compareDescending(
        (message) => message.purchasedAt ?? '',
        (message) => message.id,
      ),
    },
  },
})

/**
 * Returns the key in the index `byMedia` for messages from a fan that contain a given media item.
 */
export function toFanMediaKey(mediaId: number): string {
  return `fan ${mediaId}`
}

/**
 * A purchase of a creator's message. Its id is the id of the payment. The purchase is kept if the
 * message is deleted.
 */
export const MessagePurchase = lazyObject(() => ({
  id: z.string(),
  accountId: z.int(),
  messageId: z.int(),
  /** Id of the mass message. Null if the message was sent to an individual fan. */
  queueId: z.int().nullable(),
  fanId: z.int(),
  at: recordTime,
  /**
   * Cursor in the list of buyers, epoch seconds: the purchase time. If another purchase of the
   * mass message already has this cursor, the new cursor is one second after the latest cursor.
   */
  second: z.int(),
  /** Time of the refund, in the same form as `second`. Null if there was no refund. */
  refundedSecond: z.int().nullable(),
}))
export type MessagePurchase = Readonly<z.infer<typeof MessagePurchase>>

/** Sorts payments by creation. Their ids are integers as strings, so a shorter id is lower. */
export const byPaymentId = compareAscending<{ id: string }>(
  (payment) => payment.id.length,
  (payment) => payment.id,
)

/** Sorts purchases by time, latest first. */
export const latestFirst = combineComparators<MessagePurchase>(
  compareDescending((row) => row.at),
  (a, b) => byPaymentId(b, a),
)

/** Returns the time of a purchase or of its refund, whichever is later, epoch seconds. */
export const lastSecond = ({ second, refundedSecond }: MessagePurchase) =>
  Math.max(second, refundedSecond ?? 0)

export const messagePurchases = defineTable({
  schema: MessagePurchase,
  references: { accountId: 'accounts', fanId: 'fans', queueId: 'massMessages' },
  derived: 'stored',
  indexes: {
    /** Purchases of a mass message that were not refunded. */
    bought: {
      group: (row) => (row.refundedSecond === null ? row.queueId : null),
      order: latestFirst,
    },
    /** Refunded purchases of a mass message, latest refund first. */
    refunded: {
      group: (row) => (row.refundedSecond === null ? null : row.queueId),
      order: combineComparators<MessagePurchase>(
        compareDescending((row) => row.refundedSecond ?? 0),
        byPaymentId,
      ),
    },
    /** Purchases of a mass message, sorted by the time of the purchase or refund. */
    touched: {
      group: (row) => row.queueId,
      order: combineComparators<MessagePurchase>(compareDescending(lastSecond), byPaymentId),
    },
    byMessage: { group: (row) => row.messageId, order: compareAscending((row) => row.id) },
    bySource: {
      group: (row) =>
        row.refundedSecond === null
          ? toPurchaseSourceKey(row.accountId, row.queueId === null ? 'direct' : 'mass')
          : null,
      order: latestFirst,
    },
  },
})

/**
 * Returns a key of the index `bySource`, such as `310240117:direct`. The index contains the
 * purchases, without refunds, of an account's mass messages or of its messages to individual fans.
 */
export function toPurchaseSourceKey(accountId: number, source: 'mass' | 'direct'): string {
  return `${accountId}:${source}`
}
