import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'

/** Marks the payments for saved streams of an account. It runs after the transactions are seeded. */
export function markStreamPayments({ rows }: Seeding, plan: AccountPlan): void {
  const streams = new Set(ownRows(rows.posts, plan.account).flatMap(({ id, isStream }) => (isStream ? id : [])))
  for (const row of ownRows(rows.transactions, plan.account))
    if (row.postId !== null && streams.has(row.postId)) Object.assign(row, { isOnStream: true })
}
