import { z } from 'zod'
import {
  compareAscending,
  defineTable,
  compareDescending,
  combineComparators,
} from '../../data/define-table.ts'

/**
 * A purchase of a creator's message. It is kept if the message is deleted. Its id is the id of the
 * payment.
 */
export const MessagePurchase = z.lazy(() =>
  z.object({
    id: z.string(),
    accountId: z.int(),
    messageId: z.int(),
    /** The id of the mass message, or null for a message to one fan. */
    queueId: z.int().nullable(),
    fanId: z.int(),
    at: z.iso.datetime(),
    /**
     * Cursor in the list of buyers: the purchase time in epoch seconds, unique within the mass
     * message. If that second is taken, it is one second after the latest cursor.
     */
    second: z.int(),
    /** The refund time in the form of `second`. Null without a refund. */
    refundedSecond: z.int().nullable(),
  }),
)
export type MessagePurchase = Readonly<z.infer<typeof MessagePurchase>>

/**
 * Sorts payments in order of creation. Their ids are integers as strings, so a shorter id is lower.
 */
export const byPaymentId = combineComparators<{ id: string }>(
  compareAscending((payment) => payment.id.length),
  compareAscending((payment) => payment.id),
)

/** Sorts purchases by time, latest first. */
export const latestFirst = combineComparators<MessagePurchase>(
  compareDescending((row) => row.at),
  (a, b) => byPaymentId(b, a),
)

/**
 * Returns the time of the latest event of a purchase, epoch seconds. This is its payment or its
 * refund.
 */
export const lastSecond = ({ second, refundedSecond }: MessagePurchase) =>
  Math.max(second, refundedSecond ?? 0)

export const messagePurchases = defineTable({
  schema: MessagePurchase,
  references: { accountId: 'accounts', fanId: 'fans', queueId: 'massMessages' },
  derived: 'stored',
  indexes: {
    /** The purchases of a mass message that were not refunded. */
    bought: {
      group: (row) => (row.refundedSecond === null ? row.queueId : null),
      order: latestFirst,
    },
    /** The refunded purchases of a mass message, latest refund first. */
    refunded: {
      group: (row) => (row.refundedSecond === null ? null : row.queueId),
      order: combineComparators<MessagePurchase>(
        compareDescending((row) => row.refundedSecond ?? 0),
        byPaymentId,
      ),
    },
    /** The purchases of a mass message, sorted by the latest purchase or refund. */
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
 * Returns the key in the index `bySource` for purchases that were not refunded, such as
 * `310240117:direct`. They are purchases of an account's mass messages, or of its messages to
 * single fans.
 */
export function toPurchaseSourceKey(accountId: number, source: 'mass' | 'direct'): string {
  return `${accountId}:${source}`
}
