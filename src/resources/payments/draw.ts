import { dayMs, toIso } from '../../engine/time.ts'
import { daysAgo } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { shareOut } from './fees.ts'
import type { Transaction } from './transactions.table.ts'

/** What a payment is for. */
export type Category = NonNullable<Transaction['category']>

/** The statuses of payments that had time to settle, each with its weight. */
const statuses: readonly (readonly [Transaction['status'], number])[] = [
  ['done', 94],
  ['undo', 4],
  ['pending_return', 2],
]

/** Rows older than so many days may lack a field, as those of the platform do. */
const legacyDays = 500

/** What a fan buys, and when, epoch ms. Dollars. */
interface Purchase {
  fan: Subscription
  time: number
  amount: number
  category: Category
  postId?: number
  messageId?: number
}

/** Makes the row of a purchase. It draws the fee, the tax and the status; some old rows lack a field. */
export function toTransaction(
  seeding: Seeding,
  { account }: AccountPlan,
  { fan, time, amount, category, postId, messageId }: Purchase,
): Transaction {
  const { random } = seeding
  const { fee, vat_amount, net } = shareOut(random, amount)
  const isLegacy = time < daysAgo(seeding, legacyDays) && random.chance(0.4)
  const missing = isLegacy ? random.pick(['amount', 'fee', 'vat_amount', 'currency', 'category', 'time'] as const) : undefined
  // The figures of posts and messages need the amount and the category.
  const isLinked = postId !== undefined || messageId !== undefined
  return {
    id: String(seeding.nextId('transactions')),
    accountId: account.id,
    fanId: fan.fanId,
    transaction_created_at: missing === 'time' ? null : toIso(time),
    amount: missing === 'amount' && !isLinked ? null : amount,
    fee: missing === 'fee' ? null : fee,
    vat_amount: missing === 'vat_amount' ? null : vat_amount,
    net,
    currency: missing === 'currency' ? null : 'USD',
    category: missing === 'category' && !isLinked ? null : category,
    status: time > seeding.now - 2 * dayMs ? random.pick(['done', 'loading'] as const) : random.weighted(statuses),
    postId: postId ?? null,
    isOnStream: false,
    messageId: messageId ?? null,
    storyId: null,
  }
}
