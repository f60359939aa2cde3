import { z } from 'zod'
import { ascending, defineTable, orderBy } from '../../engine/store/table.ts'
import type { TransactionCategory } from '../fans/schemas.ts'

/** What an account earns by: the categories of transactions, tips and unlocks split by where they were paid. */
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

/** What of a payment tells what the account earned by it. */
interface Payment {
  category: z.infer<typeof TransactionCategory> | null
  messageId: number | null
  storyId: number | null
  postId: number | null
  isOnStream: boolean
}

/** What a payment earned by: that never changes, whatever becomes of the post or story. */
export function earningKind({ category, messageId, storyId, postId, isOnStream }: Payment): EarningKind {
  if (category === 'unlock') return isOnStream ? 'unlock_stream' : 'unlock_post'
  if (category !== 'tip') return category ?? 'unknown'
  if (messageId !== null) return 'tip_chat'
  if (storyId !== null) return 'tip_story'
  if (postId === null) return 'tip_profile'
  return isOnStream ? 'tip_stream' : 'tip_post'
}

/** The group of an account's payments of one kind, in the index `byEarning`. */
export function earningKey(accountId: number, kind: EarningKind): string {
  return `${accountId}:${kind}`
}

/** What an account earned by one kind on one UTC day, refunds left out; rows without a time are on the day ''. Kept up to date with every transaction. */
export const EarningDay = z.object({
  id: z.string(),
  accountId: z.int(),
  /** `YYYY-MM-DD`, or '' */
  day: z.string(),
  kind: z.enum(earningKinds),
  grossCents: z.int(),
  netCents: z.int(),
  /** What of `netCents` the platform still holds: loading, or about to go back. */
  heldCents: z.int(),
  count: z.int(),
})
export type EarningDay = Readonly<z.infer<typeof EarningDay>>

export const earningDays = defineTable({
  schema: EarningDay,
  derived: 'rebuilt',
  indexes: {
    byAccount: {
      group: (row) => row.accountId,
      order: orderBy<EarningDay>(
        ascending((row) => row.day),
        ascending((row) => row.id),
      ),
    },
  },
})
