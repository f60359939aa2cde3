import { toCents } from '../../lib/money.ts'
import type { Random } from '../../world/random.ts'
import { dayMs, toIso } from '../../lib/time.ts'
import { daysAgo } from '../../seed/seeding.ts'
import type { AccountPlan, Seeding } from '../../seed/seeding.ts'
import type { Post } from '../posts/posts.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { shareOut } from './fees.ts'
import type { Transaction } from './transactions.table.ts'

/** The purpose of a payment. */
export type Category = NonNullable<Transaction['category']>

/** The status of a payment, and the kind of its reversal if it has one. */
type Standing = Pick<Transaction, 'status' | 'reversal'>

const settled: Standing = { status: 'done', reversal: null }
const refunded: Standing = { status: 'undo', reversal: 'refund' }

/** Payments are on their way for so many days at most. */
const loadingDays = 2
/** The bank of a fan decides about a chargeback within so many days. */
const disputeDays = 21

const recentStandings: readonly (readonly [Standing, number])[] = [
  [settled, 952],
  [{ status: 'pending_return', reversal: 'chargeback' }, 40],
  [refunded, 8],
]
const oldStandings: readonly (readonly [Standing, number])[] = [
  [settled, 992],
  [refunded, 5],
  [{ status: 'undo', reversal: 'chargeback' }, 3],
]

/** Rows older than so many days may lack a field, as those of the platform do. */
const legacyDays = 500

/** A purchase of a fan: in dollars, at a time in epoch ms. */
export interface Purchase {
  fan: Subscription
  time: number
  amount: number
  category: Category
  post?: Pick<Post, 'id' | 'isStream'> | undefined
  messageId?: number
}

/** A purchase, and what became of it. */
export interface Payment extends Purchase, Standing {
  /** True if its row does not say when it was. */
  isUndated: boolean
}

/** Draws what became of a purchase. */
export function toPayment(
  { random, now }: Seeding,
  { fan, time, amount, category, post, messageId }: Purchase,
): Payment {
  const { status, reversal } = drawStanding(random, time, now)
  return { fan, time, amount, category, post, messageId, status, reversal, isUndated: false }
}

/** Makes the row of a payment. It draws the fee and the tax; some old rows lack a field. */
export function toTransaction(
  seeding: Seeding,
  { account }: AccountPlan,
  payment: Payment,
): Transaction {
  const { random } = seeding
  const { fan, time, amount, category, post, messageId, status, reversal, isUndated } = payment
  const { fanId } = fan
  const { fee, vat_amount, net } = shareOut({ fanId, amount }, seeding.texts)
  const missing =
    isLegacy(seeding, time) && random.chance(0.4)
      ? random.pick(['amount', 'fee', 'vat_amount', 'currency', 'category', 'time'] as const)
      : undefined
  // The figures of posts and messages need the amount and the category.
  const isLinked = post !== undefined || messageId !== undefined
  return {
    id: String(seeding.nextId('transactions')),
    accountId: account.id,
    fanId,
    transaction_created_at:
      isUndated || (missing === 'time' && messageId === undefined) ? null : toIso(time),
    amount: missing === 'amount' && !isLinked ? null : amount,
    fee: missing === 'fee' ? null : fee,
    vat_amount: missing === 'vat_amount' ? null : vat_amount,
    net,
    currency: missing === 'currency' ? null : 'USD',
    category: missing === 'category' && !isLinked ? null : category,
    status,
    reversal,
    postId: post?.id ?? null,
    isOnStream: post?.isStream ?? false,
    messageId: messageId ?? null,
    storyId: null,
  }
}

function isLegacy(seeding: Seeding, time: number): boolean {
  return time < daysAgo(seeding, legacyDays)
}

function drawStanding(random: Random, time: number, now: number): Standing {
  if (time > now - loadingDays * dayMs)
    return random.chance(0.3) ? settled : { status: 'loading', reversal: null }
  return random.weighted(time > now - disputeDays * dayMs ? recentStandings : oldStandings)
}

/**
 * Payments that fans sometimes get partly refunded, as for unused days of a month, from an amount
 * in dollars, with the chance of it.
 */
const partlyRefunded: Readonly<Record<Category, { minAmount: number; chance: number }>> = {
  tip: { minAmount: 30, chance: 0.01 },
  unlock: { minAmount: 10, chance: 0.01 },
  message: { minAmount: 12, chance: 0.012 },
  new_subscription: { minAmount: 5, chance: 0.003 },
  recurring_subscription: { minAmount: 5, chance: 0.003 },
  unknown: { minAmount: 8, chance: 0.02 },
}

/**
 * The payments of a purchase: mostly one; for a few the part that the fan got back stands beside
 * the rest. Those of old rows do not.
 */
export function toPayments(seeding: Seeding, purchase: Purchase): Payment[] {
  const payment = toPayment(seeding, purchase)
  const { amount, category, status, time } = payment
  const { minAmount, chance } = partlyRefunded[category]
  if (
    status !== 'done' ||
    amount < minAmount ||
    isLegacy(seeding, time) ||
    !seeding.random.chance(chance)
  )
    return [payment]
  const part = Math.round(amount * seeding.random.pick([0.25, 0.5, 0.5, 0.75]))
  return [
    { ...payment, amount: (toCents(amount) - toCents(part)) / 100 },
    { ...payment, amount: part, ...refunded },
  ]
}
