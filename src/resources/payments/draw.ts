import { dayMs, toIso } from '../../engine/time.ts'
import { daysAgo } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { shareOut } from './fees.ts'
import type { Transaction } from './transactions.table.ts'

export type Category = NonNullable<Transaction['category']>

/** What became of payments that had time to settle. */
const statuses: readonly (readonly [Transaction['status'], number])[] = [
  ['done', 94],
  ['undo', 4],
  ['pending_return', 2],
]

const legacyDays = 500

interface Purchase {
  fan: Subscription
  time: number
  amount: number
  category: Category
  postId?: number
  messageId?: number
}

/** A purchase of a fan; some old ones lack a plan. */
export function toTransaction(
  seeding: Seeding,
  { account }: AccountPlan,
  { fan, time, amount, category, postId, messageId }: Purchase,
): Transaction {
  const { random } = seeding
  const { fee, vat_amount, net } = shareOut(random, amount)
  const isLegacy = time < daysAgo(seeding, legacyDays) && random.chance(0.4)
  const gap = isLegacy ? random.pick(['amount', 'fee', 'vat_amount', 'currency', 'category', 'time'] as const) : undefined
  const isLinked = postId !== undefined || messageId !== undefined
  return {
    id: String(seeding.nextId('transactions')),
    accountId: account.id,
    fanId: fan.fanId,
    transaction_created_at: gap === 'time' ? null : toIso(time),
    amount: gap === 'amount' && !isLinked ? null : amount,
    fee: gap === 'fee' ? null : fee,
    vat_amount: gap === 'vat_amount' ? null : vat_amount,
    net,
    currency: gap === 'currency' ? null : 'USD',
    category: gap === 'category' && !isLinked ? null : category,
    status: time > seeding.now - 2 * dayMs ? random.pick(['done', 'loading'] as const) : random.weighted(statuses),
    postId: postId ?? null,
    isOnStream: false,
    messageId: messageId ?? null,
    storyId: null,
  }
}
