import type { Random } from '../../world/random.ts'
import { dayMs, toIsoTime } from '../../lib/time.ts'
import { getTimeDaysAgo } from '../seeding.ts'
import type { AccountPlan, SeedContext, Rows } from '../seeding.ts'
import type { Post } from '../posts/posts.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { splitPayment, tipTerms } from './fees.ts'
import type { Transaction } from './transactions.table.ts'
import { findPartitionPoint } from '../../lib/iterables.ts'
import type { Persona } from '../../seed/persona.ts'

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

/** A paying fan, with the periods in which they were subscribed. */
export interface Spender {
  fan: Subscription
  /**
   * Alternating starts and ends of the spans, epoch ms. A flat array of numbers is faster than
   * objects.
   */
  stays: readonly number[]
  /** Total length of all subscription spans, ms. */
  length: number
  /** Probability weight of a purchase by this fan. */
  weight: number
  /** Factor for the usual tip. */
  generosity: number
  /** Ids of unlocked posts. */
  unlocked: Set<number> | undefined
}

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

/** Typical tip amounts, all round, dollars. */
const roundAmounts = [
  5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 150, 200, 250, 300, 400, 500, 750, 1000,
] as const

/**
 * Picks a random amount for a tip, in whole dollars. Most tips are small round amounts, some are
 * large, and some are not round. `generosity` scales the usual amount.
 */
export function pickTipAmount(
  random: Random,
  { tips: { median, spread } }: Pick<Persona['money'], 'tips'>,
  generosity = 1,
): number {
  const amount = median * generosity * Math.exp(spread * drawNormal(random))
  const dollars = random.chance(0.8) ? roundToNearestTip(amount) : Math.round(amount)
  return Math.min(tipTerms.max, Math.max(tipTerms.min, dollars))
}

/** Unusual amounts that some fans tip for fun, in dollars, with weights. */
const oddAmounts = [
  6.66, 6.9, 7.77, 11.11, 12.34, 13.37, 22.22, 33.33, 42, 44.44, 69, 69.69, 77.77, 111, 123,
]
const oddShare = 0.06

/** Picks a random unusual amount for a tip that is not for a post. Undefined for most tips. */
export function pickUnusualTip(random: Random): number | undefined {
  return random.chance(oddShare) ? random.pick(oddAmounts) : undefined
}

/** Returns a random number from an approximately standard normal distribution. */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}

function roundToNearestTip(amount: number): number {
  const place = findPartitionPoint(roundAmounts, (each) => each >= amount)
  const [below, above] = [roundAmounts[place - 1] ?? 0, roundAmounts[place] ?? tipTerms.max]
  return amount - below < above - amount ? below : above
}
