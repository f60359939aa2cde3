import { z } from 'zod'
import { ascending, defineTable, descending, orderBy } from '../../engine/store/table.ts'

/** A purchase of a message of the creator: follows its payment, and outlives the message. The id is the payment's. */
export const MessagePurchase = z.object({
  id: z.string(),
  accountId: z.int(),
  messageId: z.int(),
  /** The mass message that it came with. */
  queueId: z.int().nullable(),
  fanId: z.int(),
  at: z.iso.datetime(),
  /** What markers of the buyers count: epoch seconds, or the first one after them in which nothing else happened to the mass message. */
  second: z.int(),
  /** The same of its refund; null while it is paid. */
  refundedSecond: z.int().nullable(),
})
export type MessagePurchase = Readonly<z.infer<typeof MessagePurchase>>

/** Ids of payments are numbers in text. */
export function byArrival(a: { id: string }, b: { id: string }): number {
  return a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

export const latestFirst = orderBy<MessagePurchase>(
  descending((row) => row.at),
  (a, b) => byArrival(b, a),
)

export const lastSecond = ({ second, refundedSecond }: MessagePurchase) => Math.max(second, refundedSecond ?? 0)

export const messagePurchases = defineTable({
  schema: MessagePurchase,
  derived: 'remembers',
  indexes: {
    /** Of one mass message, refunded ones left out. */
    bought: { group: (row) => (row.refundedSecond === null ? row.queueId : null), order: latestFirst },
    /** Of one mass message, the last refund first. */
    refunded: {
      group: (row) => (row.refundedSecond === null ? null : row.queueId),
      order: orderBy<MessagePurchase>(
        descending((row) => row.refundedSecond ?? 0),
        byArrival,
      ),
    },
    /** Of one mass message, what something happened to last first. */
    touched: { group: (row) => row.queueId, order: orderBy<MessagePurchase>(descending(lastSecond), byArrival) },
    byMessage: { group: (row) => row.messageId, order: ascending((row) => row.id) },
    bySource: {
      group: (row) => (row.refundedSecond === null ? purchaseSource(row.accountId, row.queueId === null ? 'direct' : 'mass') : null),
      order: latestFirst,
    },
  },
})

/** The group of the purchases of an account's mass messages, or of its other messages, in the index `bySource`; refunded ones left out. */
export function purchaseSource(accountId: number, source: 'mass' | 'direct'): string {
  return `${accountId}:${source}`
}
