import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { compareAscending, defineTable } from '../../data/define-table.ts'
import type { TransactionCategory } from '../fans/schemas.ts'

/**
 * Kinds of earnings. These are the transaction categories, but tips and unlocks have one kind per
 * type of item.
 */
export const earningKinds = [
  'new_subscription',
  'recurring_subscription',
  'message',
  'unlock_post',
  'unlock_stream',
  'tip_profile',
  'tip_post',
  'tip_chat',
  'tip_stream',
  'tip_story',
  'unknown',
] as const

export type EarningKind = (typeof earningKinds)[number]

/** The fields of a payment that determine its kind of earnings. */
interface Payment {
  category: z.infer<typeof TransactionCategory> | null
  messageId: number | null
  storyId: number | null
  postId: number | null
  isOnStream: boolean
}

/**
 * Returns a payment's kind of earnings. It never changes, even if the post or story is deleted
 * later.
 */
export function getEarningKind({
  category,
  messageId,
  storyId,
  postId,
  isOnStream,
}: Payment): EarningKind {
  if (category === 'unlock' && messageId !== null) return 'message'
  if (category === 'unlock') return isOnStream ? 'unlock_stream' : 'unlock_post'
  if (category !== 'tip') return category ?? 'unknown'
  if (messageId !== null) return 'tip_chat'
  if (storyId !== null) return 'tip_story'
  if (postId === null) return 'tip_profile'
  return isOnStream ? 'tip_stream' : 'tip_post'
}

/**
 * Returns the key in the index `byEarning` for an account's payments of one kind, such as
 * `310240117:tip_post`.
 */
export function toEarningKey(accountId: number, kind: EarningKind): string {
  return `${accountId}:${kind}`
}

/** The day that is used for payments without a time. It sorts before all other days. */
export const undated = ''

/** Returns the day of a payment, `YYYY-MM-DD`. If the payment has no time, returns `undated`. */
export function getEarningDay({
  transaction_created_at: time,
}: {
  transaction_created_at: string | null
}): string {
  return time === null ? undated : time.slice(0, 'YYYY-MM-DD'.length)
}

/** Earnings per account, kind and UTC day, excluding refunds. Updated with each transaction. */
export const EarningDay = lazyObject(() => ({
  id: z.string(),
  accountId: z.int(),
  /** `YYYY-MM-DD`, or `undated` */
  day: z.string(),
  kind: z.enum(earningKinds),
  grossCents: z.int(),
  netCents: z.int(),
  /**
   * The part of `netCents` that the platform still holds: payments with the status loading or
   * pending_return.
   */
  heldCents: z.int(),
  count: z.int(),
}))
export type EarningDay = Readonly<z.infer<typeof EarningDay>>

export const earningDays = defineTable({
  schema: EarningDay,
  derived: 'rebuilt',
  indexes: {
    byAccount: {
      group: (row) => row.accountId,
      order: compareAscending<EarningDay>(
        (row) => row.day,
        (row) => row.id,
      ),
    },
  },
})
