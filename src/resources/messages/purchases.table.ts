import { z } from 'zod'
import {
  compareAscending,
  defineTable,
  compareDescending,
  combineComparators,
} from '../../data/define-table.ts'
import { recordTime } from '../../data/record-time.ts'

/**
 * A purchase of a creator's message. Its id is the id of the payment. The purchase is kept if the
 * message is deleted.
 */
export const MessagePurchase = z.lazy(() =>
  z.object({
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
  }),
)
export type MessagePurchase = Readonly<z.infer<typeof MessagePurchase>>

/** Sorts payments by creation. Their ids are integers as strings, so a shorter id is lower. */
export const byPaymentId = combineComparators<{ id: string }>(
  compareAscending((payment) => payment.id.length),
  compareAscending((payment) => payment.id),
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
