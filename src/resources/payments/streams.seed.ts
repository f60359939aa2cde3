import { ownRows } from '../../world/sowing.ts'
import type { Field, Sower } from '../../world/sowing.ts'

/** Marks the payments for the saved streams of an account. Comes after the transactions. */
export function markStreamPayments({ rows }: Sower, field: Field): void {
  const streams = new Set(ownRows(rows.posts, field).flatMap(({ id, isStream }) => (isStream ? id : [])))
  for (const row of ownRows(rows.transactions, field)) if (row.postId !== null && streams.has(row.postId)) Object.assign(row, { isOnStream: true })
}
