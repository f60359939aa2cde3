import { toCents } from '../../lib/money.ts'
import { defineFactory } from '../define-factory.ts'
import type { FactoryContext } from '../define-factory.ts'
import { createTextSources } from '../../seed/texts.ts'
import { isLocked } from '../messages/messages.table.ts'
import { resolveAccountAndFan } from '../subscribers/account-and-fan.ts'
import { splitPayment } from './fees.ts'
import { toUnlockKey } from './transactions.table.ts'
import type { Transaction } from './transactions.table.ts'

type GivenPayment = Partial<Transaction>

/**
 * Fills in missing fields of payments. By default, a payment is settled. It pays for the given post
 * or message. If neither is given, it is a tip.
 */
const transactionFactory = defineFactory({
  name: 'transaction',
  table: 'transactions',
  after: ['post', 'message', 'story', 'subscription'],
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

export const paymentsFactories = [transactionFactory] as const
