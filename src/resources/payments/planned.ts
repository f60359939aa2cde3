import type { Rows } from '../../seed/seeding.ts'
import type { Payment } from './draw.ts'
import type { Spender } from './spending.ts'

/** Payments of the fans of an account for posts, as tips, and for unknown things. */
interface PlannedPayments {
  /** A chat that tells of a tip sets its `messageId`. */
  payments: readonly Payment[]
  /** The fans who buy more than their subscription, the best ones first. */
  spenders: readonly Spender[]
}

/** The planned payments, by the records of the account so far. */
const planned = new WeakMap<Rows, PlannedPayments>()

/** The payments of the account that have no rows yet. */
export function plannedPayments(rows: Rows): PlannedPayments {
  return planned.get(rows) ?? { payments: [], spenders: [] }
}

/** Keeps payments for the steps that tell of them and that make their rows. */
export function planPayments(rows: Rows, payments: PlannedPayments): void {
  planned.set(rows, payments)
}
