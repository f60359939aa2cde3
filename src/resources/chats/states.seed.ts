import { dayMs, fromIso } from '../../engine/time.ts'
import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Rows, Seeding, Mutable } from '../../world/seeding.ts'
import type { Message } from '../messages/messages.table.ts'
import { tipText } from '../messages/messages.ts'
import { messageDefaults } from '../messages/new-message.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Chat } from './chats.table.ts'
import { purchaseTime } from './payments.ts'

/** How often a fan's last words are unread: while they are recent, and later. */
const chances = { unread: 0.7, forgotten: 0.01 }
/** Until when they are recent. */
const unreadMs = 30 * dayMs

/** Seeds the states of chats and their messages: tips, and what is read, bought, liked, pinned and muted. It needs the transactions. */
export function seedChatStates(seeding: Seeding, plan: AccountPlan): void {
  const { random, rows } = seeding
  const chats: Mutable<Chat>[] = ownRows(rows.chats, plan.account)
  if (chats.length === 0) return
  const inOrder = orderMessages(seeding, plan)
  const byFan = new Map<number, Transaction[]>(chats.map(({ fanId }) => [fanId, []]))
  const byMessage = new Map<number, Transaction>()
  for (const row of ownRows(rows.transactions, plan.account)) {
    if (row.status === 'undo') continue
    byFan.get(row.fanId)?.push(row)
    if (row.messageId !== null) byMessage.set(row.messageId, row)
  }
  const byChat = new Map<number, Mutable<Message>[]>(chats.map(({ id }) => [id, []]))
  for (const message of inOrder) byChat.get(message.chatId)?.push(message)
  for (const chat of chats) {
    const payments = byFan.get(chat.fanId) ?? []
    const messages = byChat.get(chat.id) ?? []
    const tip = tipAfter(payments, messages.at(-1)?.createdAt ?? chat.lastMessageAt)
    if (tip !== undefined) messages.push(addTip(seeding, chat, tip))
    const lastFromFan = messages.findLastIndex(({ isFromFan }) => isFromFan)
    const lastFromCreator = messages.findLastIndex(({ isFromFan }) => !isFromFan)
    for (const [index, message] of messages.entries()) {
      if (message.isFromFan) {
        message.isLiked = random.chance(0.12)
        continue
      }
      // The seed of mass messages has decided who saw them.
      const isRead = message.queueId === null ? message.isOpened || index < lastFromFan || random.chance(0.7) : message.isViewed
      if (message.price > 0) {
        const payment = byMessage.get(message.id)
        message.purchasedAt = payment === undefined ? null : purchaseTime(message, [payment])
        message.isOpened = message.purchasedAt !== null
      } else message.isOpened = isRead
      message.isViewed = isRead || message.isOpened
    }
    const pinned = random.chance(0.12) ? messages[random.integer(0, messages.length - 1)] : undefined
    if (pinned !== undefined) pinned.isPinned = true
    const isRecent = fromIso(messages[lastFromFan]?.createdAt ?? chat.lastMessageAt) > seeding.now - unreadMs
    const isUnread = lastFromFan > lastFromCreator && random.chance(isRecent ? chances.unread : chances.forgotten)
    const unread = isUnread ? messages.slice(lastFromCreator + 1) : []
    chat.isMuted = random.chance(0.06)
    chat.lastMessageAt = messages.at(-1)?.createdAt ?? chat.lastMessageAt
    chat.lastMessageId = messages.at(-1)?.id ?? 0
    chat.unreadCount = unread.length
    chat.lastReadMessageId = messages.at(-1 - unread.length)?.id ?? 0
    chat.hasUnreadTips = unread.some(({ isTip }) => isTip)
    chat.pinnedCount = pinned === undefined ? 0 : 1
    chat.hasSpent = payments.length > 0
    chat.hasTipped = payments.some(({ category }) => category === 'tip')
  }
}

/**
 * Sorts the account's messages, oldest first, and gives their ids anew, so that these rise with time: conversations and copies of mass
 * messages were made one after the other.
 */
function orderMessages({ rows }: Seeding, { account }: AccountPlan): readonly Mutable<Message>[] {
  const messages: Mutable<Message>[] = ownRows(rows.messages, account)
  // They were made with rising ids.
  const ids = messages.map(({ id }) => id)
  messages.sort(oldestFirst)
  const renamed = new Map<number, number>()
  for (const [place, message] of messages.entries()) {
    const id = ids[place] ?? message.id
    if (message.price > 0) renamed.set(message.id, id)
    message.id = id
  }
  const transactions: Mutable<Transaction>[] = ownRows(rows.transactions, account)
  for (const row of transactions) if (row.messageId !== null) row.messageId = renamed.get(row.messageId) ?? row.messageId
  return messages
}

function oldestFirst(a: Message, b: Message): number {
  if (a.createdAt === b.createdAt) return a.id - b.id
  return a.createdAt < b.createdAt ? -1 : 1
}

/** The fan's first tip, later than the last message, that was not for a post, a message or a story. */
function tipAfter(payments: readonly Transaction[], lastAt: string): Transaction | undefined {
  return payments.find(
    ({ category, postId, messageId, storyId, amount, transaction_created_at: time }) =>
      category === 'tip' && postId === null && messageId === null && storyId === null && amount !== null && time !== null && time > lastAt,
  )
}

function addTip(seeding: Seeding, { id: chatId, accountId, fanId }: Rows['chats'][number], tip: Transaction): Message {
  const createdAt = tip.transaction_created_at ?? ''
  const text = tipText(seeding.texts, tip.amount ?? 0)
  // Not by `newMessage`: snapshots show the fields of a seeded tip in this order.
  const message = {
    ...messageDefaults,
    id: seeding.nextId('messages'),
    accountId,
    chatId,
    fanId,
    isFromFan: true,
    text,
    createdAt,
    changedAt: createdAt,
    isTip: true,
  }
  seeding.rows.messages.push(message)
  Object.assign(tip, { messageId: message.id })
  return message
}
