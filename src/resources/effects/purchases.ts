import { toIsoTime } from '../../lib/time.ts'
import { markFanSeen } from '../fans/fan-values.ts'
import type { Message } from '../messages/messages.table.ts'
import { addFanMessage } from '../messages/messages.ts'
import { toNotice, addNotification } from '../notifications/notifications.ts'
import { splitPayment } from '../payments/fees.ts'
import { toUnlockKey } from '../payments/transactions.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { addFanView } from '../posts/statistics/engagement.ts'
import type { Post } from '../posts/posts.table.ts'
import { requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'

/** A payment by a fan. */
export interface Purchase {
  accountId: number
  fanId: number
  category: NonNullable<Transaction['category']>
  /** Dollars. */
  amount: number
  postId?: number | null
  messageId?: number | null
  /**
   * `loading` means that the payment is pending.
   * @default 'done'
   */
  status?: 'done' | 'loading'
  /** Epoch ms. @default now */
  at?: number
}

/** A payment for an item whose price is known. */
export type Payment = Pick<Purchase, 'fanId' | 'status' | 'at'>

/**
 * Records a payment, updates the time when the fan was last seen, and notifies the creator.
 * `resources/all-listeners.ts` lists everything else that a payment changes.
 */
export function recordPurchase(
  world: World,
  {
    accountId,
    fanId,
    category,
    amount,
    postId = null,
    messageId = null,
    status = 'done',
    at = world.clock.now(),
  }: Purchase,
): Transaction {
  const transaction = world.db.transactions.insert({
    id: String(world.nextId('transactions')),
    accountId,
    fanId,
    transaction_created_at: toIsoTime(at),
    amount,
    ...splitPayment({ fanId, amount }, requireTexts(world)),
    currency: 'USD',
    category,
    status,
    postId,
    isOnStream: postId !== null && world.db.posts.get(postId)?.isStream === true,
    messageId,
  })
  markFanSeen(world, fanId, at)
  addNotification(world, accountId, {
    ...toNotice({ category, amount, postId, messageId }),
    fanId,
    at,
  })
  return transaction
}

/** The target of a tip: a post, the chat (with an optional HTML message) or the profile. */
export type TipTarget = { post: Post } | { chat: { text?: string } } | 'profile'

/** Records a tip by the fan. */
export function recordTip(
  world: World,
  accountId: number,
  target: TipTarget,
  payment: Payment & { amount: number },
): Transaction {
  const purchase = { ...payment, accountId, category: 'tip' } as const
  if (target === 'profile') return recordPurchase(world, purchase)
  if ('post' in target) {
    addFanView(world, target.post, payment.fanId)
    return recordPurchase(world, { ...purchase, postId: target.post.id })
  }
  const message = addFanMessage(world, accountId, payment.fanId, {
    ...target.chat,
    tipAmount: payment.amount,
  })
  return recordPurchase(world, { ...purchase, messageId: message.id })
}

/** Unlocks a post for the fan, who pays its price. */
export function unlockPost(world: World, post: Post, payment: Payment): Transaction {
  addFanView(world, post, payment.fanId)
  return recordPurchase(world, {
    ...payment,
    accountId: post.accountId,
    category: 'unlock',
    amount: post.price,
    postId: post.id,
  })
}

/** Unlocks a message for its recipient, who pays its price. */
export function unlockMessage(
  world: World,
  { id: messageId, accountId, fanId, price: amount }: Message,
  payment: Omit<Payment, 'fanId'> = {},
): Transaction {
  return recordPurchase(world, {
    ...payment,
    accountId,
    fanId,
    category: 'message',
    amount,
    messageId,
  })
}

/** True if the fan has bought the post, unless the payment was refunded. */
export function hasUnlocked(world: World, post: Post, fanId: number): boolean {
  return world.db.transactions
    .list('unlocks', toUnlockKey(post.id, fanId))
    .some(({ status }) => status !== 'undo')
}

/** Statuses that reverse a payment, each with the statuses that may precede it. */
export const reversals = { pending_return: ['done'], undo: ['done', 'pending_return'] } as const

/**
 * Sets the status of a payment, and updates all values that depend on it. A reversal after
 * `pending_return` counts as a chargeback, and an immediate reversal as a refund.
 */
export function setTransactionStatus(
  world: World,
  transaction: Transaction,
  status: Transaction['status'],
): Transaction {
  const isDisputed =
    status === 'pending_return' || (status === 'undo' && transaction.status === 'pending_return')
  const reversal = isDisputed ? 'chargeback' : status === 'undo' ? 'refund' : null
  return world.db.transactions.update(transaction.id, { status, reversal })
}
