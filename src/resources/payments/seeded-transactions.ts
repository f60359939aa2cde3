import type { Random } from '../../world/random.ts'
import { dayMs, toIsoTime } from '../../lib/time.ts'
import { getTimeDaysAgo } from '../../seed/seeding.ts'
import type { AccountPlan, SeedContext } from '../../seed/seeding.ts'
import type { Post } from '../posts/posts.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { splitPayment } from './fees.ts'
import type { Transaction } from './transactions.table.ts'

/** The purpose of a payment. */
export type Category = NonNullable<Transaction['category']>

/** The status of a payment, and the kind of reversal, if any. */
type PaymentStatus = Pick<Transaction, 'status' | 'reversal'>

const settled: PaymentStatus = { status: 'done', reversal: null }
/** The status of a payment that was refunded. */
export const refund: PaymentStatus = { status: 'undo', reversal: 'refund' }

/** Payments older than this (days) no longer have the status `loading`. */
const loadingDays = 2
/** Number of days until the fan's bank decides on a chargeback. */
const disputeDays = 21

const recentStandings: readonly (readonly [PaymentStatus, number])[] = [
  [settled, 952],
  [{ status: 'pending_return', reversal: 'chargeback' }, 40],
  [refund, 8],
]
const oldStandings: readonly (readonly [PaymentStatus, number])[] = [
  [settled, 977],
  [refund, 20],
  [{ status: 'undo', reversal: 'chargeback' }, 3],
]

/** Rows that are at least this old (days) may lack fields, like the platform's legacy rows. */
const legacyDays = 500

/** A purchase by a fan. The amount is in dollars. The time is in epoch ms. */
export interface Purchase {
  fan: Subscription
  time: number
  amount: number
  category: Category
  post?: Pick<Post, 'id' | 'isStream'> | undefined
  messageId?: number
}

/** A purchase with its outcome. */
export interface Payment extends Purchase, PaymentStatus {
  /** True if the row has no time. */
  isUndated: boolean
}

/** Picks a random outcome for a purchase. Subscriptions are not refunded, because they go on. */
export function pickPaymentOutcome(
  { random, now }: SeedContext,
  { fan, time, amount, category, post, messageId }: Purchase,
): Payment {
  const standing = drawStanding(random, time, now)
  const isKept = category.endsWith('subscription') && standing.reversal === 'refund'
  const { status, reversal } = isKept ? settled : standing
  return { fan, time, amount, category, post, messageId, status, reversal, isUndated: false }
}

/** Creates the row of a payment, including its fee and tax. Some old rows lack a field. */
export function createSeededTransaction(
  seeding: SeedContext,
  { account }: AccountPlan,
  payment: Payment,
): Transaction {
  const { random } = seeding
  const { fan, time, amount, category, post, messageId, status, reversal, isUndated } = payment
  const { fanId } = fan
  const { fee, vat_amount, net } = splitPayment({ fanId, amount }, seeding.texts)
  const missing =
    isLegacy(seeding, time) && random.chance(0.4)
      ? random.pick(['amount', 'fee', 'vat_amount', 'currency', 'category', 'time'] as const)
      : undefined
  // Rows for posts and messages always have an amount and a category, because statistics need them.
  const isLinked = post !== undefined || messageId !== undefined
  const hasAmount = missing !== 'amount' || isLinked
  return {
    id: String(seeding.nextId('transactions')),
    accountId: account.id,
    fanId,
    transaction_created_at:
      isUndated || (missing === 'time' && messageId === undefined) ? null : toIsoTime(time),
    amount: hasAmount ? amount : null,
    fee: !hasAmount || missing === 'fee' ? null : fee,
    vat_amount: !hasAmount || missing === 'vat_amount' ? null : vat_amount,
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

function isLegacy(seeding: SeedContext, time: number): boolean {
  return time < getTimeDaysAgo(seeding, legacyDays)
}

function drawStanding(random: Random, time: number, now: number): PaymentStatus {
  if (time > now - loadingDays * dayMs)
    return random.chance(0.3) ? settled : { status: 'loading', reversal: null }
  return random.pickWeighted(time > now - disputeDays * dayMs ? recentStandings : oldStandings)
}
