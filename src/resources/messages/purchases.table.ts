import { z } from 'zod'
import { ascending, defineTable, descending, orderBy } from '../../data/define-table.ts'

/**
 * A purchase of a message of the creator. It is kept when the message is deleted. Its id is the id
 * of the payment.
 */
export const MessagePurchase = z.lazy(() =>
  z.object({
    id: z.string(),
    accountId: z.int(),
    messageId: z.int(),
    /** The mass message that the message is a copy of; null for a message to one fan. */
    queueId: z.int().nullable(),
    fanId: z.int(),
    at: z.iso.datetime(),
    /**
     * When it was bought, as the markers of the buyer list count: epoch seconds, unique within the
     * mass message. It is the second after the latest one that is taken, if that is later than the
     * purchase.
     */
    second: z.int(),
    /** When it was refunded, counted likewise; null while it is paid. */
    refundedSecond: z.int().nullable(),
  }),
)
export type MessagePurchase = Readonly<z.infer<typeof MessagePurchase>>

/**
 * The order in which payments were made: their ids are whole numbers written as text, so the
 * shorter id is the lower one.
 */
export const byPaymentId = orderBy<{ id: string }>(
  ascending((payment) => payment.id.length),
  ascending((payment) => payment.id),
)

/** The latest purchase first. */
export const latestFirst = orderBy<MessagePurchase>(
  descending((row) => row.at),
  (a, b) => byPaymentId(b, a),
)

/** The second of the last thing that happened to a purchase: its payment or its refund. */
export const lastSecond = ({ second, refundedSecond }: MessagePurchase) =>
  Math.max(second, refundedSecond ?? 0)

export const messagePurchases = defineTable({
  schema: MessagePurchase,
  references: { accountId: 'accounts', fanId: 'fans', queueId: 'massMessages' },
  derived: 'stored',
  indexes: {
    /** The purchases of a mass message, without refunded ones. */
    bought: {
      group: (row) => (row.refundedSecond === null ? row.queueId : null),
      order: latestFirst,
    },
    /** The refunded purchases of a mass message, the latest refund first. */
    refunded: {
      group: (row) => (row.refundedSecond === null ? null : row.queueId),
      order: orderBy<MessagePurchase>(
        descending((row) => row.refundedSecond ?? 0),
        byPaymentId,
      ),
    },
    /** The purchases of a mass message, the last bought or refunded one first. */
    touched: {
      group: (row) => row.queueId,
      order: orderBy<MessagePurchase>(descending(lastSecond), byPaymentId),
    },
    byMessage: { group: (row) => row.messageId, order: ascending((row) => row.id) },
    bySource: {
      group: (row) =>
        row.refundedSecond === null
          ? purchaseSource(row.accountId, row.queueId === null ? 'direct' : 'mass')
          : null,
      order: latestFirst,
    },
  },
})

/**
 * The group in the index `bySource`: the purchases of an account's mass messages, or those of its
 * messages to one fan, such as `310240117:direct`. It leaves out refunded ones.
 */
export function purchaseSource(accountId: number, source: 'mass' | 'direct'): string {
  return `${accountId}:${source}`
}
