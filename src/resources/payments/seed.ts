import { groupBy } from '../../lib/iterables.ts'
import { dayMs, parseIso, getStartOfUtcDay } from '../../lib/time.ts'
import { reassignIdsByTime } from '../../seed/seed-ids.ts'
import { createWeightedPicker, shuffle } from '../seeding.ts'
import type { AccountPlan, Mutable, SeedContext } from '../seeding.ts'
import { listPublishedPosts, raiseViewCounts } from '../posts/seed/posting.ts'
import type { SeededPost } from '../posts/seed/posting.ts'
import { sumPostPayments } from '../posts/statistics/payment-statistics.ts'
import type { ChatSizes } from '../chats/chats.table.ts'
import { largeTip } from '../chats/seeded-tips.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { listPeriodStarts } from '../subscribers/subscriptions.ts'
import {
  pickPaymentOutcome,
  createSeededTransaction,
  refund,
  storePlannedPayments,
  getPlannedPayments,
} from './seeded-transactions.ts'
import type { Category, Payment, Purchase, Spender } from './seeded-transactions.ts'
import type { PaymentSizes, Transaction } from './transactions.table.ts'
import {
  createPostPurchasePicker,
  createOtherPurchase,
  createSpender,
  hasFewBuyers,
  selectSpenders,
} from './spending.seed.ts'
import { toCents } from '../../lib/money.ts'
import { defineFactory } from '../define.ts'
import type { FactoryContext } from '../define.ts'
import { createTextSources } from '../../seed/texts.ts'
import { isLocked } from '../messages/messages.table.ts'
import { resolveAccountAndFan } from '../subscribers/find-subscription.ts'
import { splitPayment } from './fees.ts'
import { toUnlockKey } from './transactions.table.ts'

type Plan = AccountPlan<PaymentSizes & ChatSizes>

/**
 * At most this fraction of payments are for subscriptions. If an account has few payments, most of
 * its fans joined for free.
 */
const maxMonthsShare = 0.8

/**
 * Approximate number of paid messages that a fan buys in an ordinary and in a long conversation,
 * and a factor for accounts with few buyers.
 */
const soldMessages = { ordinary: 0.4, long: 12, toFew: 0.2 }

/**
 * Plans the payments of an account's fans: unlocked posts, tips and payments of unknown category.
 * Updates the post statistics that depend on the payments, and decides which fans pay for their
 * subscription. The rows are created in a later step, after the conversations that mention some of
 * these payments.
 */
export function seedPostPayments(seeding: SeedContext, plan: Plan): void {
  const payments: Payment[] = []
  const { sizes } = plan
  seeding.requireRoom(sizes.transactions)
  const posts = listPublishedPosts(seeding.rows.posts)
  const { countedFans, otherFans } = separateFans(seeding, plan)
  const monthCount = chooseSubscribers(
    seeding,
    plan,
    shuffle(seeding.branch('order').random, otherFans),
  )
  const spenders = sizes.transactions === 0 ? [] : selectSpenders(seeding, plan, otherFans)
  const drawSpender = createWeightedPicker(
    seeding.random,
    spenders.map((spender) => [spender, spender.weight] as const),
  )
  const drawForPost = createPostPurchasePicker(seeding, plan, {
    posts,
    isSmall: hasFewBuyers(spenders),
  })
  const draw = (spender: Spender, at?: number): Purchase => {
    const drawn = drawForPost(spender, at)
    return typeof drawn === 'string'
      ? createOtherPurchase(seeding, plan, {
          spender,
          category: drawn,
          ...(at === undefined ? {} : { at }),
        })
      : drawn
  }
  for (const [index, fan] of countedFans.entries()) {
    makeSubscriptionFree(fan)
    const spender = createSpender(fan, seeding.now)
    for (let left = sizes.transactionsPerFan[index] ?? 0; left > 0; left -= 1)
      payments.push(
        toEdgeCase(pickPaymentOutcome(seeding, draw(spender, getEdgeTime(seeding, left))), left),
      )
  }
  const wanted = sizes.transactions - monthCount - countSold(sizes, hasFewBuyers(spenders))
  while (spenders.length > 0 && payments.length < wanted)
    payments.push(pickPaymentOutcome(seeding, draw(drawSpender() as Spender)))
  storePlannedPayments(seeding.rows, { payments, spenders, refunded: new Set() })
  updateFigures(posts, payments)
}

/**
 * Seeds the rows of all payments of an account's fans: for posts, subscriptions and messages in
 * conversations, and tips.
 */
export function seedTransactions(seeding: SeedContext, plan: Plan): void {
  const { sizes } = plan
  const rows = seeding.rows.transactions
  const add = (payment: Payment) => rows.push(createSeededTransaction(seeding, plan, payment))
  const { payments, spenders } = getPlannedPayments(seeding.rows)
  for (const payment of payments) add(payment)
  if (sizes.transactions === 0) return
  const { otherFans } = separateFans(seeding, plan)
  payMonths(seeding, otherFans, add)
  buyMessages(seeding, otherFans, add)
  // If fans bought fewer messages than expected, they sent more small tips, without thanks.
  const small = seeding.texts.prices.otherPurchases.filter((amount) => amount < largeTip)
  while (spenders.length > 0 && rows.length < sizes.transactions) {
    const spender = seeding.random.pick(spenders)
    const tip = createOtherPurchase(seeding, plan, { spender, category: 'tip' })
    const amount = seeding.random.pick(small)
    add(pickPaymentOutcome(seeding, { ...tip, amount }))
  }
}

/** Reassigns the ids of an account's payments, in the order of their times. */
export function seedPaymentIds({ rows }: SeedContext): void {
  reassignIdsByTime(rows.transactions, ({ transaction_created_at: at }) => at)
}

/** Separates the fans whose number of purchases is set by the scenario from the other fans. */
function separateFans(
  { rows: { subscriptions } }: SeedContext,
  { sizes }: Plan,
): Record<'countedFans' | 'otherFans', readonly Subscription[]> {
  const count = sizes.transactionsPerFan.length
  return { countedFans: subscriptions.slice(0, count), otherFans: subscriptions.slice(count) }
}

/**
 * Estimates the number of paid messages that fans buy in conversations. A few buyers buy few of
 * them.
 */
function countSold({ transactions, chats, longChats }: Plan['sizes'], areFew: boolean): number {
  const sold = chats * soldMessages.ordinary + longChats * soldMessages.long
  return Math.floor(Math.min(transactions * 0.25, sold) * (areFew ? soldMessages.toFew : 1))
}

/**
 * Turns a payment into an edge case for paging: settled, with the same time as other payments.
 * Every seventh payment gets no time.
 */
function toEdgeCase(payment: Payment, left: number): Payment {
  return {
    ...payment,
    status: payment.status === 'loading' ? 'done' : payment.status,
    isUndated: left % 7 === 3,
  }
}

/**
 * Returns one of five fixed times some weeks ago, so that several purchases have the same time.
 * Epoch ms.
 */
function getEdgeTime({ now }: SeedContext, left: number): number {
  return getStartOfUtcDay(now) - (52 - (left % 5)) * dayMs + dayMs / 2
}

/**
 * Decides which fans pay for each period of their subscription, up to a maximum number of payments.
 * The other fans join for free. Returns the number of payments.
 */
function chooseSubscribers(
  seeding: SeedContext,
  { sizes }: Plan,
  fans: readonly Subscription[],
): number {
  const maxPayments = Math.ceil(sizes.transactions * maxMonthsShare)
  let count = 0
  for (const fan of fans) {
    const periods = fan.spans.reduce((sum, span) => sum + listPeriodStarts(span).length, 0)
    if (count + periods > maxPayments) makeSubscriptionFree(fan)
    else if (fan.price > 0) count += periods
  }
  return count
}

/** Minimum number of viewers of a post per fan who paid for it. */
const viewsPerBuyer = 1.5

/** Adds a payment at the beginning of each subscription period. */
function payMonths(
  seeding: SeedContext,
  fans: readonly Subscription[],
  add: (payment: Payment) => void,
): void {
  for (const fan of fans) {
    let category: Category = 'new_subscription'
    for (const span of fan.spans)
      for (const start of listPeriodStarts(span)) {
        const time = span.paidAt === undefined ? start : parseIso(span.paidAt)
        if (span.price > 0)
          add(pickPaymentOutcome(seeding, { fan, time, amount: span.price, category }))
        category = 'recurring_subscription'
      }
  }
}

/** Makes all periods of a subscription free. */
function makeSubscriptionFree(fan: Mutable<Subscription>): void {
  fan.price = 0
  for (const span of fan.spans) span.price = 0
}

/** Adds the payments for messages that fans bought in their chats. */
function buyMessages(
  seeding: SeedContext,
  fans: readonly Subscription[],
  add: (payment: Payment) => void,
): void {
  const byFan = new Map(fans.map((fan) => [fan.fanId, fan]))
  const { refunded } = getPlannedPayments(seeding.rows)
  for (const { id: messageId, fanId, price: amount, purchasedAt } of seeding.rows.messages) {
    const fan = amount > 0 && purchasedAt !== null ? byFan.get(fanId) : undefined
    if (fan === undefined || purchasedAt === null) continue
    const payment = pickPaymentOutcome(seeding, {
      fan,
      time: parseIso(purchasedAt),
      amount,
      category: 'message',
      messageId,
    })
    add(refunded.has(messageId) ? { ...payment, ...refund } : payment)
  }
}

/** Sets the post statistics that depend on payments. */
function updateFigures(posts: readonly SeededPost[], payments: readonly Payment[]): void {
  const byPost = groupBy(payments, ({ post }) => post?.id)
  for (const post of posts) {
    const paid = byPost.get(post.id)
    if (paid !== undefined)
      // More fans view a post than pay for it.
      Object.assign(
        post,
        sumPostPayments(paid),
        raiseViewCounts(post, Math.ceil(new Set(paid.map(({ fan }) => fan)).size * viewsPerBuyer)),
      )
  }
}

type GivenPayment = Partial<Transaction>

/**
 * Fills in missing fields of payments. By default, a payment is settled. It pays for the given post
 * or message. If neither is given, it is a tip.
 */
export const transactionFactory = defineFactory({
  name: 'transaction',
  table: 'transactions',
  time: 'transaction_created_at',
  complete(given, context) {
    const { world } = context
    const message = world.db.messages.get(given.messageId ?? 0)
    const story = world.db.stories.get(given.storyId ?? 0)
    const post = world.db.posts.get(given.postId ?? 0)
    const { accountId, fanId } = resolveAccountAndFan(context, {
      accountId: given.accountId ?? (message ?? post ?? story)?.accountId,
      fanId: given.fanId ?? message?.fanId,
    })
    const category =
      given.category === undefined ? resolveCategory(context, { ...given, fanId }) : given.category
    const amount =
      given.amount === undefined
        ? resolveAmount(context, { ...given, accountId, category })
        : given.amount
    const shares = splitPayment({ fanId, amount: amount ?? 0 }, createTextSources(context).texts)
    const { fee = shares.fee, vat_amount = shares.vat_amount } = given
    return {
      id: String(context.id),
      accountId,
      fanId,
      transaction_created_at: context.iso,
      amount,
      fee,
      vat_amount,
      net: (toCents(amount ?? 0) - toCents(fee ?? 0) - toCents(vat_amount ?? 0)) / 100,
      currency: 'USD',
      category,
      status: 'done' as const,
      isOnStream: post?.isStream ?? false,
    }
  },
})

/** Returns the category: `unlock` if the fan has not bought the item yet, otherwise `tip`. */
function resolveCategory(
  { world: { db } }: FactoryContext,
  { postId, messageId, fanId }: GivenPayment,
): 'unlock' | 'message' | 'tip' {
  const message = db.messages.get(messageId ?? 0)
  if (message !== undefined) return isLocked(message) ? 'message' : 'tip'
  const isPaid = (db.posts.get(postId ?? 0)?.price ?? 0) > 0
  return isPaid && db.transactions.in('unlocks', toUnlockKey(postId ?? 0, fanId ?? 0)).size === 0
    ? 'unlock'
    : 'tip'
}

/** Returns the default amount, dollars. */
function resolveAmount(
  context: FactoryContext,
  { accountId, category, postId, messageId }: GivenPayment,
): number {
  const { db } = context.world
  const { prices } = createTextSources(context).texts
  if (category === 'tip') return context.random.pick(prices.tips)
  if (category === 'new_subscription' || category === 'recurring_subscription')
    return db.accounts.get(accountId ?? 0)?.subscribePrice ?? 0
  const price = (db.messages.get(messageId ?? 0) ?? db.posts.get(postId ?? 0))?.price ?? 0
  return price > 0 ? price : context.random.pick(prices.otherPurchases)
}
