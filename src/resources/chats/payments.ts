import type { ChangeListener } from '../../data/change-log.ts'
import type { World } from '../world.ts'
import { newestFirst } from '../messages/messages.table.ts'
import type { Message } from '../messages/messages.table.ts'
import { isMessagePurchase } from '../payments/transactions.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { findChatWith, computeChatSpending } from './chats.ts'
import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'

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

export const chatInvariants: readonly Invariant<World>[] = [
  {
    name: 'the unread count of a chat is the number of messages of the fan after the last read one',
    check: findMiscounted,
  },
  { name: 'the last message of a chat is its newest one', check: findOutdated },
  { name: 'the flags of chats for paid and tipped match the payments', check: findUnknownSpenders },
]

function findMiscounted({ db }: World): string[] {
  return findViolations(db.chats.all(), ({ id, unreadCount, lastReadMessageId }) => {
    const broken: string[] = []
    const lastRead = db.messages.get(lastReadMessageId)
    if (lastReadMessageId !== 0 && lastRead?.chatId !== id)
      broken.push(
        `The last read message of chat ${id} is ${lastReadMessageId}, which does not exist.`,
      )
    let count = 0
    for (const message of db.messages.in('byChat', id).walk()) {
      if (lastRead !== undefined && newestFirst(message, lastRead) >= 0) break
      count += Number(message.isFromFan)
    }
    if (count !== unreadCount)
      broken.push(
        `The chat ${id} has ${unreadCount} unread messages, but the fan wrote ${count} since ` +
          `${lastReadMessageId}.`,
      )
    return broken
  })
}

function findOutdated({ db }: World): string[] {
  return findViolations(db.chats.all(), ({ id, lastMessageId, lastMessageAt }) => {
    const broken: string[] = []
    const newest = db.messages.in('byChat', id).at(0)
    if (lastMessageId !== (newest?.id ?? 0))
      broken.push(
        `The last message of chat ${id} is ${lastMessageId}, but the newest one is ` +
          `${newest?.id ?? 'none'}.`,
      )
    if (newest !== undefined && newest.createdAt !== lastMessageAt)
      broken.push(
        `The last message of chat ${id} was sent at ${newest.createdAt}, not ${lastMessageAt}.`,
      )
    return broken
  })
}

function findUnknownSpenders(world: World): string[] {
  return findViolations(world.db.chats.all(), ({ id, accountId, fanId, hasSpent, hasTipped }) => {
    const spending = computeChatSpending(world, accountId, fanId)
    if (spending.hasSpent === hasSpent && spending.hasTipped === hasTipped) return []
    return [
      `The chat ${id} has hasSpent ${hasSpent} and hasTipped ${hasTipped}, but its payments ` +
        `require ${spending.hasSpent} and ${spending.hasTipped}.`,
    ]
  })
}
