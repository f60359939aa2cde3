import { dayMs, parseIso, toIsoTime } from '../../lib/time.ts'
import type { AccountPlan, SeedContext, Mutable } from '../seeding.ts'
import type { Message } from '../messages/messages.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { createLatestActivityLookup } from '../subscribers/find-subscription.ts'
import type { Chat } from './chats.table.ts'
import { getPlannedPayments } from '../payments/seeded-transactions.ts'
import { findPurchaseTime } from './payments.ts'

/**
 * Probabilities that a fan's last messages are unread if they are recent (unread) or older
 * (forgotten), and that a message was edited (edited).
 */
const chances = { unread: 0.7, forgotten: 0.01, edited: 0.006 }
/** Messages that are newer than this count as recent. */
const unreadMs = 30 * dayMs
/** Number of the best spenders, whose chats are never muted. */
const bestFans = 10

/**
 * Seeds the states of chats and their messages: read, bought, liked, pinned and muted. Runs after
 * the transactions are seeded.
 */
export function seedChatStates(
  seeding: SeedContext,
  { account }: Pick<AccountPlan, 'account'>,
): void {
  const { rows } = seeding
  const chats: Mutable<Chat>[] = rows.chats
  if (chats.length === 0) return
  const lastActiveAt = createLatestActivityLookup(seeding, account)
  orderMessages(seeding)
  const byChat = new Map<number, Mutable<Message>[]>(chats.map(({ id }) => [id, []]))
  for (const message of rows.messages) byChat.get(message.chatId)?.push(message)
  const payers = new Map<number, Payer>()
  for (const { fanId } of chats) payers.set(fanId, { hasSpent: false, hasTipped: false })
  const byMessage = collectPaymentFlags(payers, rows.transactions)
  const best = new Set(
    getPlannedPayments(rows)
      .spenders.slice(0, bestFans)
      .map(({ fan }) => fan.fanId),
  )
  for (const chat of chats)
    seedState(seeding, chat, {
      messages: byChat.get(chat.id) ?? [],
      payer: payers.get(chat.fanId),
      byMessage,
      isBest: best.has(chat.fanId),
      lastActiveAt: lastActiveAt(chat.fanId),
    })
}

/** Data that determines the state of a chat: its messages, oldest first, and payments. */
interface ChatSources {
  messages: Mutable<Message>[]
  payer: Payer | undefined
  byMessage: ReadonlyMap<number, Transaction>
  isBest: boolean
  /** Latest time at which the fan may have read a message, epoch ms. */
  lastActiveAt: number
}

function seedState(
  seeding: SeedContext,
  chat: Mutable<Chat>,
  { messages, payer, byMessage, isBest, lastActiveAt }: ChatSources,
): void {
  const { random } = seeding
  const { hasSpent = false, hasTipped = false } = payer ?? {}
  const lastFromFan = messages.findLastIndex(({ isFromFan }) => isFromFan)
  // Copies of mass messages do not count as replies.
  const lastAnswer = messages.findLastIndex(
    ({ isFromFan, queueId }) => !isFromFan && queueId === null,
  )
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index] as Mutable<Message>
    if (message.isFromFan) {
      message.isLiked = random.chance(0.12)
      continue
    }
    if (message.queueId === null && message.price === 0 && random.chance(chances.edited))
      message.changedAt = drawEditTime(seeding, message)
    // Read states of mass messages were set when they were seeded.
    const isRead =
      message.queueId === null
        ? message.isOpened ||
          index < lastFromFan ||
          (random.chance(0.7) && parseIso(message.createdAt) < lastActiveAt)
        : message.isViewed
    if (message.price > 0) {
      const payment = byMessage.get(message.id)
      message.purchasedAt = payment === undefined ? null : findPurchaseTime(message, [payment])
      message.isOpened = message.purchasedAt !== null
    } else message.isOpened = isRead
    message.isViewed = isRead || message.isOpened
  }
  const pinned = random.chance(0.12) ? messages[random.integer(0, messages.length - 1)] : undefined
  if (pinned !== undefined) pinned.isPinned = true
  const isRecent =
    parseIso(messages[lastFromFan]?.createdAt ?? chat.lastMessageAt) > seeding.now - unreadMs
  const isUnread =
    lastFromFan > lastAnswer && random.chance(isRecent ? chances.unread : chances.forgotten)
  const unread = isUnread ? messages.slice(lastAnswer + 1).filter(({ isFromFan }) => isFromFan) : []
  const [firstUnread] = unread
  chat.isMuted = random.chance(0.06) && !isBest
  chat.lastMessageAt = messages.at(-1)?.createdAt ?? chat.lastMessageAt
  chat.lastMessageId = messages.at(-1)?.id ?? 0
  chat.unreadCount = unread.length
  chat.lastReadMessageId =
    (firstUnread === undefined ? messages.at(-1) : messages[messages.indexOf(firstUnread) - 1])
      ?.id ?? 0
  chat.hasUnreadTips = unread.some(({ isTip }) => isTip)
  chat.pinnedCount = pinned === undefined ? 0 : 1
  chat.hasSpent = hasSpent
  chat.hasTipped = hasTipped
}

/**
 * Sorts the account's messages, oldest first, and reassigns their ids in that order. Conversations
 * and copies of mass messages were created separately, so their ids are not in order.
 */
function orderMessages({ rows }: SeedContext): void {
  const messages: Mutable<Message>[] = rows.messages
  // The messages were created with increasing ids.
  const ids = messages.map(({ id }) => id)
  const inOrder = messages
    .map((message) => ({ message, at: parseIso(message.createdAt) }))
    .sort((a, b) => a.at - b.at)
    .map(({ message }) => message)
  const renamed = new Map<number, number>()
  for (let place = 0; place < inOrder.length; place += 1) {
    const message = inOrder[place] as Mutable<Message>
    messages[place] = message
    const id = ids[place] ?? message.id
    if (message.id === id) continue
    renamed.set(message.id, id)
    message.id = id
  }
  for (const message of inOrder)
    if (message.replyToMessageId !== null)
      message.replyToMessageId = renamed.get(message.replyToMessageId) ?? message.replyToMessageId
  const transactions: Mutable<Transaction>[] = rows.transactions
  for (const row of transactions) {
    if (row.messageId !== null) row.messageId = renamed.get(row.messageId) ?? row.messageId
  }
}

/** Returns a random time at which a message was edited (ISO), some minutes after it was sent. */
function drawEditTime({ random, now }: SeedContext, { createdAt }: Message): string {
  return toIsoTime(Math.min(now, parseIso(createdAt) + random.integer(20, 1500) * 1000))
}

/** Flags that are derived from a fan's payments. */
interface Payer {
  hasSpent: boolean
  hasTipped: boolean
}

/** Records the payment flags of each fan. Returns the payments for messages, by message id. */
function collectPaymentFlags(
  payers: ReadonlyMap<number, Payer>,
  rows: readonly Transaction[],
): Map<number, Transaction> {
  const byMessage = new Map<number, Transaction>()
  for (const row of rows) {
    if (row.status === 'undo') continue
    if (row.messageId !== null) byMessage.set(row.messageId, row)
    const payer = payers.get(row.fanId)
    if (payer === undefined) continue
    payer.hasSpent = true
    if (row.category === 'tip') payer.hasTipped = true
  }
  return byMessage
}
