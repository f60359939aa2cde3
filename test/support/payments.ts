import type { Sandbox } from 'creator-api-sandbox'

type Transaction = NonNullable<ReturnType<Sandbox['db']['transactions']['get']>>

/**
 * Returns all payments, with the two rows of a partly refunded payment merged into one with the
 * full amount.
 */
export function mergePartialRefunds(rows: readonly Transaction[]): Transaction[] {
  const whole = new Map<string, Transaction>()
  for (const row of rows) {
    const {
      id,
      accountId,
      fanId,
      transaction_created_at: time,
      category,
      postId,
      messageId,
      amount,
    } = row
    const key =
      time === null || amount === null
        ? id
        : [accountId, fanId, time, category, postId, messageId].join()
    const other = whole.get(key)
    const cents = Math.round(((other?.amount ?? 0) + (amount ?? 0)) * 100)
    whole.set(key, other === undefined ? row : { ...other, amount: cents / 100 })
  }
  return [...whole.values()]
}
