import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Rows, Seeding } from '../../world/seeding.ts'
import type { Message } from '../messages/messages.table.ts'
import { plainMessage, tipText } from '../messages/messages.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { saleOf } from './payments.ts'

/** Seeds what became of the chats: tips in them, what was read, bought, liked, pinned and muted. Comes after the transactions. */
export function seedChatStates(seeding: Seeding, plan: AccountPlan): void {
  const { random, rows } = seeding
  const chats = ownRows(rows.chats, plan.account)
  if (chats.length === 0) return
  const byFan = new Map<number, Transaction[]>(chats.map(({ fanId }) => [fanId, []]))
  const byMessage = new Map<number, Transaction[]>()
  for (const row of ownRows(rows.transactions, plan.account)) {
    if (row.status === 'undo') continue
    byFan.get(row.fanId)?.push(row)
    if (row.messageId !== null) byMessage.set(row.messageId, [row])
  }
  const byChat = new Map<number, Message[]>(chats.map(({ id }) => [id, []]))
  for (const message of ownRows(rows.messages, plan.account)) byChat.get(message.chatId)?.push(message)
  for (const chat of chats) {
    const payments = byFan.get(chat.fanId) ?? []
    const messages = (byChat.get(chat.id) ?? []).sort((a, b) =>
      a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id - b.id,
    )
    const tip = tipAfter(payments, messages.at(-1)?.createdAt ?? chat.lastMessageAt)
    if (tip !== undefined) messages.push(addTip(seeding, chat, tip))
    const lastFromFan = messages.findLastIndex(({ isFromFan }) => isFromFan)
    const lastFromCreator = messages.findLastIndex(({ isFromFan }) => !isFromFan)
    for (const [place, message] of messages.entries()) {
      const growing: { -readonly [AccountPlan in keyof Message]: Message[AccountPlan] } = message
      if (message.isFromFan) growing.isLiked = random.chance(0.12)
      else {
        const isRead = message.isOpened || place < lastFromFan || random.chance(0.7)
        if (message.price > 0) Object.assign(growing, soldBy(message, byMessage.get(message.id) ?? []))
        else growing.isOpened = isRead
        growing.isViewed = isRead || message.isOpened
      }
    }
    const pinned = random.chance(0.12) ? messages[random.integer(0, messages.length - 1)] : undefined
    if (pinned !== undefined) Object.assign(pinned, { isPinned: true })
    const unread = lastFromFan > lastFromCreator && random.chance(0.5) ? messages.slice(lastFromCreator + 1) : []
    Object.assign(chat, {
      isMuted: random.chance(0.06),
      lastMessageAt: messages.at(-1)?.createdAt ?? chat.lastMessageAt,
      lastMessageId: messages.at(-1)?.id ?? 0,
      unreadCount: unread.length,
      lastReadMessageId: messages.at(-1 - unread.length)?.id ?? 0,
      hasUnreadTips: unread.some(({ isTip }) => isTip),
      pinnedCount: pinned === undefined ? 0 : 1,
      hasSpent: payments.some(({ amount }) => (amount ?? 0) > 0),
      hasTipped: payments.some(({ amount, category }) => category === 'tip' && (amount ?? 0) > 0),
    })
  }
}

/** The fan's first tip after the last word that went to nothing else. */
function tipAfter(payments: readonly Transaction[], lastAt: string): Transaction | undefined {
  return payments.find(
    ({ category, postId, messageId, storyId, amount, transaction_created_at: time }) =>
      category === 'tip' && postId === null && messageId === null && storyId === null && amount !== null && time !== null && time > lastAt,
  )
}

function addTip(seeding: Seeding, { id: chatId, accountId, fanId }: Rows['chats'][number], tip: Transaction): Message {
  const createdAt = tip.transaction_created_at ?? ''
  const text = tipText(seeding.texts, tip.amount ?? 0)
  const message = {
    ...plainMessage,
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

function soldBy(message: Message, payments: readonly Transaction[]): Pick<Message, 'purchasedAt' | 'isOpened'> {
  const purchasedAt = saleOf(message, payments)
  return { purchasedAt, isOpened: purchasedAt !== null }
}
