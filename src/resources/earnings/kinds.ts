import type { Transaction } from '../payments/transactions.table.ts'

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

/** What a transaction earned by: that never changes, whatever becomes of the post or story. */
export function earningKind({ category, messageId, storyId, postId, isOnStream }: Pick<Transaction, 'category' | 'messageId' | 'storyId' | 'postId' | 'isOnStream'>): EarningKind {
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
