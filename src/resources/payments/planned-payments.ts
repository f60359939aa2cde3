import type { Rows } from '../../seed/seeding.ts'
import type { Payment } from './seeded-transactions.ts'
import type { Spender } from './spending.ts'

/**
 * Planned payments by an account's fans: unlocked posts, tips, and payments of unknown category.
 */
interface PlannedPayments {
  /**
   * Payments that have no rows yet. If a chat mentions a tip, it sets the payment's `messageId`.
   */
  payments: readonly Payment[]
  /** Fans who buy more than their subscription, highest spenders first. */
  spenders: readonly Spender[]
  /** Ids of messages whose price the creator agreed to refund. */
  refunded: Set<number>
}

/** Planned payments of each account. The key is the object that holds the account's rows. */
const planned = new WeakMap<Rows, PlannedPayments>()

/** Returns the planned payments of the account. The payments have no rows yet. */
export function getPlannedPayments(rows: Rows): PlannedPayments {
  return planned.get(rows) ?? { payments: [], spenders: [], refunded: new Set() }
}

/**
 * Stores planned payments. Later seeding steps mention these payments in chats and create their
 * rows.
 */
export function storePlannedPayments(rows: Rows, payments: PlannedPayments): void {
  planned.set(rows, payments)
}
