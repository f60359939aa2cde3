import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { toCents } from '../../lib/money.ts'
import {
  compareAscending,
  defineTable,
  compareDescending,
  combineComparators,
  recordTime,
} from '../../data/define-table.ts'
import { toEarningKey, getEarningKind } from '../earnings/earnings.table.ts'
import { toFanKey } from '../fans/fans.table.ts'
import { TransactionCategory, TransactionStatus } from '../fans/schemas.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** A purchase by a fan on an account. Amounts are in dollars. In old rows, some fields are null. */
export const Transaction = lazyObject(() => ({
  id: z.string(),
  accountId: z.int(),
  fanId: z.int(),
  transaction_created_at: recordTime.nullable(),
  amount: z.number().nullable(),
  fee: z.number().nullable().default(null),
  vat_amount: z.number().nullable().default(null),
  net: z.number(),
  currency: z.string().nullable(),
  category: TransactionCategory.nullable(),
  status: TransactionStatus,
  /**
   * Kind of reversal: by the creator (refund) or by the fan's bank (chargeback). The API only
   * shows the status.
   */
  reversal: z.enum(['refund', 'chargeback']).nullable().default(null),
  /** Id of the tipped or unlocked post, if any. */
  postId: z.int().nullable().default(null),
  /** True if the post was a saved live stream when the payment was made. */
  isOnStream: z.boolean().default(false),
  /** Id of the tipped or unlocked message, if any. */
  messageId: z.int().nullable().default(null),
  /** Id of the tipped story, if any. */
  storyId: z.int().nullable().default(null),
  /**
   * The media that a tip on a post counts for. Set when the media of the post change, or the post
   * is deleted. Until then, a tip counts for the media of its post.
   */
  mediaFiles: z.array(z.int()).optional(),
}))
export type Transaction = Readonly<z.infer<typeof Transaction>>

/**
 * Returns the amounts of a payment in cents, so that sums are exact. A payment without an amount
 * counts as 0, even if the row has a net amount.
 */
export function toCentAmounts({ amount, net }: Pick<Transaction, 'amount' | 'net'>): {
  gross: number
  net: number
} {
  return amount === null ? { gross: 0, net: 0 } : { gross: toCents(amount), net: toCents(net) }
}

/** True if the payment unlocked a message and was not refunded. */
export function isMessagePurchase(row: Transaction): boolean {
  return row.status !== 'undo' && row.messageId !== null && getEarningKind(row) === 'message'
}

/**
 * A fan's spending on one account, excluding refunds. Derived from the transactions. Amounts are in
 * dollars.
 */
export const FanSpend = lazyObject(() => ({
  id: z.string(),
  accountId: z.int(),
  fanId: z.int(),
  total: z.number(),
  tips: z.number(),
  /** Payments for subscription months, including renewals. */
  subscribes: z.number(),
  messages: z.number(),
  /** Unlocked posts, excluding streams. */
  posts: z.number(),
  /** Unlocked streams. */
  streams: z.number(),
  /** Payments of unknown category. */
  others: z.number(),
  count: z.int(),
  /** Number of tips, including tips without an amount. */
  tipCount: z.int(),
  largest: z.number(),
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** `total` divided by `count`, to the cent. */
  average: z.number(),
  /** Number of days from the first to the last purchase, rounded up. */
  daysActive: z.int(),
  /**
   * `total` divided by the number of weeks in `daysActive`, to the cent. 0 if `daysActive` is a
   * week or less.
   */
  averageWeekly: z.number(),
}))
export type FanSpend = Readonly<z.infer<typeof FanSpend>>

/**
 * Sorts transactions newest first. If times are equal, the one with the higher id comes first. Rows
 * without a time come last. Ids are integers as strings, so a longer id is higher.
 */
export const newestFirst = compareDescending<Transaction>(
  (row) => row.transaction_created_at ?? '',
  (row) => row.id.length,
  (row) => row.id,
)

export const transactions = defineTable({
  schema: Transaction,
  references: { accountId: 'accounts', fanId: 'fans' },
  firstId: 704_310_000_000,
  indexes: {
    byFan: { group: (row) => toFanKey(row.accountId, row.fanId), order: newestFirst },
    byAccount: { group: (row) => row.accountId, order: newestFirst },
    byPost: { group: (row) => row.postId, order: newestFirst },
    /** Payments that unlocked a post, by post and fan. */
    unlocks: {
      group: (row) =>
        row.postId === null || row.category !== 'unlock'
          ? null
          : toUnlockKey(row.postId, row.fanId),
      order: newestFirst,
    },
    byMessage: { group: (row) => row.messageId, order: newestFirst },
    byStory: { group: (row) => row.storyId, order: newestFirst },
    /** Transactions by account and kind of earning, such as tips on posts. */
    byEarning: {
      group: (row) => toEarningKey(row.accountId, getEarningKind(row)),
      order: newestFirst,
    },
  },
})

/** Returns the key of a post and a fan in the index `unlocks`. */
export function toUnlockKey(postId: number, fanId: number): string {
  return `${postId}:${fanId}`
}

const highestFirst = (measure: (row: FanSpend) => number | string) => ({
  group: (row: FanSpend) => row.accountId,
  order: combineComparators<FanSpend>(
    compareDescending(measure),
    compareAscending((row) => row.fanId),
  ),
})

export const fanSpend = defineTable({
  schema: FanSpend,
  derived: 'rebuilt',
  indexes: {
    total: highestFirst((row) => row.total),
    count: highestFirst((row) => row.count),
    average: highestFirst((row) => row.average),
    averageWeekly: highestFirst((row) => row.averageWeekly),
    daysActive: highestFirst((row) => row.daysActive),
    last: highestFirst((row) => row.last ?? ''),
  },
})

/** Scenario settings for purchases. */
export const paymentSizes = {
  transactions: defineSize(
    () => count.describe("Number of purchases by the account's fans."),
    0,
    ({ transactions }: { transactions: number }) => Math.min(transactions, 1),
  ),
  transactionsPerFan: defineSize(
    () =>
      z
        .array(count)
        .max(100_000)
        .describe(
          'Numbers of additional purchases, one number per fan, starting with the first fan.',
        ),
    [],
    ({ transactionsPerFan }: { transactionsPerFan: readonly number[] }) =>
      transactionsPerFan.length,
  ),
}
export type PaymentSizes = SizeValues<typeof paymentSizes>
