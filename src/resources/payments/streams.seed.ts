import { inUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'

/** Marks the payments for saved streams of an account. It runs after the transactions are seeded. */
export function* markStreamPayments({ rows }: Seeding, plan: AccountPlan): Work {
  const streams = new Set<number>()
  yield* inUnits(ownRows(rows.posts, plan.account), ({ id, isStream }) => {
    if (isStream) streams.add(id)
  })
  yield* inUnits(ownRows(rows.transactions, plan.account), (row) => {
    if (row.postId !== null && streams.has(row.postId)) Object.assign(row, { isOnStream: true })
  })
}
