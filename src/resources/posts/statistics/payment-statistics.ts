import type { ChangeListener } from '../../../data/change-log.ts'
import { toCents } from '../../../lib/money.ts'
import type { Transaction } from '../../payments/transactions.table.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'

/**
 * Returns the tip and purchase statistics of a post, excluding refunds. Amounts are in dollars,
 * exact to the cent.
 */
export function sumPostPayments(
  rows: Iterable<Pick<Transaction, 'status' | 'category' | 'amount'>>,
): Pick<Post, 'tipCount' | 'tipSum' | 'purchasedCount' | 'purchasedSumm'> {
  let tipCount = 0
  let tipCents = 0
  let purchasedCount = 0
  let purchasedCents = 0
  for (const row of rows) {
    if (row.status === 'undo') continue
    if (row.category === 'tip') {
      tipCount += 1
      tipCents += toCents(row.amount ?? 0)
    }
    if (row.category === 'unlock') {
      purchasedCount += 1
      purchasedCents += toCents(row.amount ?? 0)
    }
  }
  return { tipCount, tipSum: tipCents / 100, purchasedCount, purchasedSumm: purchasedCents / 100 }
}

/** Keeps the tip and purchase statistics of posts in sync with transactions. */
export function createPostPaymentUpdater(world: World): ChangeListener<Transaction> {
  return (before, after) => {
    for (const postId of new Set([before?.postId, after?.postId])) {
      const post = postId === undefined || postId === null ? undefined : world.db.posts.get(postId)
      if (post === undefined) continue
      const [old, now] = [before, after].map((row) =>
        sumPostPayments(row?.postId === post.id ? [row] : []),
      )
      world.db.posts.update(post.id, { hasStats: true, ...replacePayment(post, old, now) })
    }
  }
}

type Payments = ReturnType<typeof sumPostPayments>

/**
 * Updates a post's statistics after a payment changed from `old` to `now`, without adding up all
 * payments of the post again.
 */
function replacePayment(
  post: Payments,
  old: Payments = noPayments,
  now: Payments = noPayments,
): Payments {
  const count = (field: 'tipCount' | 'purchasedCount') =>
    Math.max(0, post[field] - old[field] + now[field])
  const sum = (field: 'tipSum' | 'purchasedSumm') =>
    Math.max(0, toCents(post[field]) - toCents(old[field]) + toCents(now[field])) / 100
  return {
    tipCount: count('tipCount'),
    tipSum: sum('tipSum'),
    purchasedCount: count('purchasedCount'),
    purchasedSumm: sum('purchasedSumm'),
  }
}

const noPayments: Payments = { tipCount: 0, tipSum: 0, purchasedCount: 0, purchasedSumm: 0 }

/**
 * Sets the tip and purchase statistics of manually written posts from their payments. Posts without
 * payments keep their values.
 */
export function derivePostPaymentStatistics({ db }: World): void {
  for (const postId of new Set(db.transactions.all().map((row) => row.postId))) {
    const post = db.posts.get(postId ?? 0)
    if (post === undefined) continue
    const paid = sumPostPayments(db.transactions.in('byPost', post.id).walk())
    const isSaid = (Object.keys(paid) as (keyof typeof paid)[]).every(
      (figure) => post[figure] === paid[figure],
    )
    if (!isSaid) db.posts.update(post.id, { hasStats: true, ...paid })
  }
}
