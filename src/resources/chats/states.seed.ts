import { dayMs, fromIso } from '../../engine/time.ts'
import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Rows, Seeding, Mutable } from '../../world/seeding.ts'
import { newestFirst } from '../messages/messages.table.ts'
import type { Message } from '../messages/messages.table.ts'
import { tipText } from '../messages/messages.ts'
import { messageDefaults } from '../messages/new-message.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { purchaseTime } from './payments.ts'

/** How often a fan's last words are unread: while they are recent, and later. */
const chances = { unread: 0.7, forgotten: 0.01 }
/** Until when they are recent. */
const unreadMs = 30 * dayMs

/** Seeds the states of chats and their messages: tips, and what is read, bought, liked, pinned and muted. It needs the transactions. */
export function seedChatStates(seeding: Seeding, plan: AccountPlan): void {
  const { random, rows } = seeding
  const chats = ownRows(rows.chats, plan.account)
  if (chats.length === 0) return
  const inOrder = orderMessages(seeding, plan)
  const byFan = new Map<number, Transaction[]>(chats.map(({ fanId }) => [fanId, []]))
  const byMessage = new Map<number, Transaction[]>()
  ownRows(rows.transactions, plan.account).forEach((row) => {
    if (row.status === 'undo') return
    byFan.get(row.fanId)?.push(row)
    if (row.messageId !== null) byMessage.set(row.messageId, [row])
  })
  const byChat = new Map<number, Message[]>(chats.map(({ id }) => [id, []]))
  inOrder.forEach((message) => byChat.get(message.chatId)?.push(message))
  for (const chat of chats) {
    const payments = byFan.get(chat.fanId) ?? []
    const messages = byChat.get(chat.id) ?? []
    const tip = tipAfter(payments, messages.at(-1)?.createdAt ?? chat.lastMessageAt)
    if (tip !== undefined) messages.push(addTip(seeding, chat, tip))
    const lastFromFan = messages.findLastIndex(({ isFromFan }) => isFromFan)
    const lastFromCreator = messages.findLastIndex(({ isFromFan }) => !isFromFan)
    messages.forEach((message, index) => {
      const mutable: Mutable<Message> = message
      if (message.isFromFan) mutable.isLiked = random.chance(0.12)
      else {
        // The seed of mass messages has decided who saw them.
        const isRead = message.queueId === null ? message.isOpened || index < lastFromFan || random.chance(0.7) : message.isViewed
        if (message.price > 0) Object.assign(mutable, purchaseFields(message, byMessage.get(message.id) ?? []))
        else mutable.isOpened = isRead
        mutable.isViewed = isRead || message.isOpened
      }
    })
    const pinned = random.chance(0.12) ? messages[random.integer(0, messages.length - 1)] : undefined
    if (pinned !== undefined) Object.assign(pinned, { isPinned: true })
    const isRecent = fromIso(messages[lastFromFan]?.createdAt ?? chat.lastMessageAt) > seeding.now - unreadMs
    const isUnread = lastFromFan > lastFromCreator && random.chance(isRecent ? chances.unread : chances.forgotten)
    const unread = isUnread ? messages.slice(lastFromCreator + 1) : []
    Object.assign(chat, {
      isMuted: random.chance(0.06),
      lastMessageAt: messages.at(-1)?.createdAt ?? chat.lastMessageAt,
      lastMessageId: messages.at(-1)?.id ?? 0,
      unreadCount: unread.length,
      lastReadMessageId: messages.at(-1 - unread.length)?.id ?? 0,
      hasUnreadTips: unread.some(({ isTip }) => isTip),
      pinnedCount: pinned === undefined ? 0 : 1,
      hasSpent: payments.length > 0,
      hasTipped: payments.some(({ category }) => category === 'tip'),
    })
  }
}

/**
 * Sorts the account's messages, oldest first, and gives their ids anew, so that these rise with time: conversations and copies of mass
 * messages were made one after the other.
 */
function orderMessages({ rows }: Seeding, { account }: AccountPlan): readonly Message[] {
  const messages: Mutable<Message>[] = ownRows(rows.messages, account)
  // They were made with rising ids.
  const ids = messages.map(({ id }) => id)
  messages.sort((a, b) => newestFirst(b, a))
  const renamed = new Map<number, number>()
  messages.forEach((message, place) => {
    const id = ids[place] ?? message.id
    renamed.set(message.id, id)
    message.id = id
  })
  const transactions: Mutable<Transaction>[] = ownRows(rows.transactions, account)
  transactions.forEach((row) => {
    if (row.messageId !== null) row.messageId = renamed.get(row.messageId) ?? row.messageId
  })
  return messages
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

function purchaseFields(message: Message, payments: readonly Transaction[]): Pick<Message, 'purchasedAt' | 'isOpened'> {
  const purchasedAt = purchaseTime(message, payments)
  return { purchasedAt, isOpened: purchasedAt !== null }
}
