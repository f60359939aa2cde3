import type { ChangeListener } from '../../data/changes.ts'
import type { World } from '../world.ts'
import type { Message } from '../messages/messages.table.ts'
import { isMessagePurchase } from '../payments/transactions.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { findChatWith, computeChatSpending } from './chats.ts'

/**
 * Updates flags of chats and messages when transactions change: whether the fan has paid or tipped,
 * and which messages were bought. Seeded and restored rows do not need this, because they are
 * already consistent.
 */
export function createChatPaymentUpdater(world: World): ChangeListener<Transaction> {
  return (before, after) => {
    for (const row of [before, after]) {
      if (row === undefined) continue
      updateSpending(world, row)
      if (row.messageId !== null) updatePurchase(world, row.messageId)
    }
  }
}

/**
 * Derives flags of manually written chats and messages from payments: whether the fan has paid or
 * tipped, and which messages were bought.
 */
export function deriveChatPaymentFlags(world: World): void {
  const { chats, transactions } = world.db
  for (const chat of chats.all()) updateSpending(world, chat)
  for (const messageId of new Set(transactions.all().map((row) => row.messageId)))
    if (messageId !== null) updatePurchase(world, messageId)
}

/**
 * Returns the time when a message was bought, from its transactions. Null if the message was not
 * bought or was refunded. If the transaction has no time, returns the time of the message.
 */
export function findPurchaseTime(
  { createdAt }: Pick<Message, 'createdAt'>,
  rows: Iterable<Transaction>,
): string | null {
  for (const row of rows) if (isMessagePurchase(row)) return row.transaction_created_at ?? createdAt
  return null
}

function updateSpending(
  world: World,
  { accountId, fanId }: Pick<Transaction, 'accountId' | 'fanId'>,
): void {
  const chat = findChatWith(world, accountId, fanId)
  if (chat === undefined) return
  const spending = computeChatSpending(world, accountId, fanId)
  if (spending.hasSpent !== chat.hasSpent || spending.hasTipped !== chat.hasTipped)
    world.db.chats.update(chat.id, spending)
}

function updatePurchase(world: World, messageId: number): void {
  const message = world.db.messages.get(messageId)
  if (message === undefined || message.isFromFan || message.price === 0) return
  const purchasedAt = findPurchaseTime(
    message,
    world.db.transactions.in('byMessage', messageId).walk(),
  )
  if (purchasedAt === message.purchasedAt) return
  const isBought = purchasedAt !== null
  world.db.messages.update(messageId, {
    purchasedAt,
    isOpened: isBought,
    isViewed: message.isViewed || isBought,
  })
}
