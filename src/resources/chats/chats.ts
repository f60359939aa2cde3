import type { ChangeListener } from '../../data/change-log.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import { toFanKey } from '../fans/fans.table.ts'
import { newestFirst } from '../messages/messages.table.ts'
import type { Message } from '../messages/messages.table.ts'
import { findFanSpend } from '../payments/transactions.ts'
import { requireSubscription, findSubscription } from '../subscribers/find-subscription.ts'
import type { Chat } from './chats.table.ts'
import { toPlainText } from '../../lib/text.ts'

/**
 * Creates a chat without messages.
 * @note Lists all fields, because spreading defaults into thousands of seeded chats is several
 * times slower.
 */
export function createChat(
  chat: Pick<Chat, 'id' | 'accountId' | 'fanId' | 'lastMessageAt'> &
    Partial<Pick<Chat, 'isHidden' | 'hasSpent' | 'hasTipped'>>,
) {
  return {
    isHidden: chat.isHidden ?? false,
    isMuted: false,
    lastMessageId: 0,
    unreadCount: 0,
    lastReadMessageId: 0,
    hasUnreadTips: false,
    pinnedCount: 0,
    hasSpent: chat.hasSpent ?? false,
    hasTipped: chat.hasTipped ?? false,
    id: chat.id,
    accountId: chat.accountId,
    fanId: chat.fanId,
    lastMessageAt: chat.lastMessageAt,
  } satisfies Chat
}

/**
 * Returns the account's chat with the given id.
 * @throws {ApiError} chat_unknown, also if the id is that of a fan
 */
export function requireChat(world: World, account: Account, chatId: number): Chat {
  const chat = world.db.chats.get(chatId)
  if (chat?.accountId !== account.id)
    throw createApiError('chat_unknown', { chat_id: chatId, account_id: account.id })
  return chat
}

/** Returns the account's chat with the given fan. Undefined if they have no chat. */
export function findChatWith(world: World, accountId: number, fanId: number): Chat | undefined {
  return world.db.chats.in('byFan', toFanKey(accountId, fanId)).at(0)
}

/**
 * Returns the account's chat with the given fan.
 * @throws {ApiError} chat_with_unknown, also if the id is that of a chat
 */
export function requireChatWith(world: World, account: Account, fanId: number): Chat {
  const chat = findChatWith(world, account.id, fanId)
  if (chat === undefined)
    throw createApiError('chat_with_unknown', { user_id: fanId, account_id: account.id })
  return chat
}

/**
 * Returns the account's chat with one of its fans. Undefined if they have no chat.
 * @throws {ApiError} fan_unknown, also if the id is that of a chat
 */
export function findChat(world: World, account: Account, fanId: number): Chat | undefined {
  const chat = findChatWith(world, account.id, fanId)
  if (chat === undefined) requireSubscription(world, account, fanId)
  return chat
}

/** Returns the account's chat with the given fan. Creates the chat if needed. */
export function getOrCreateChat(world: World, accountId: number, fanId: number): Chat {
  return findChatWith(world, accountId, fanId) ?? addChat(world, accountId, fanId)
}

/** Creates the account's chat with a fan who has none. */
function addChat(world: World, accountId: number, fanId: number): Chat {
  const id = world.nextId('chats')
  return world.db.chats.insert({
    id,
    accountId,
    fanId,
    lastMessageAt: world.clock.iso(),
    ...computeChatSpending(world, accountId, fanId),
  })
}

/** Hides the chat until the fan writes again. Its messages are kept. */
export function hideChat(world: World, chat: Chat): void {
  world.db.chats.update(chat.id, { isHidden: true })
}

/** Mutes or unmutes the notifications of a chat. */
export function setChatMuted(world: World, chat: Chat, isMuted: boolean): void {
  world.db.chats.update(chat.id, { isMuted })
}

/** Marks all messages of the chat as read. */
export function markChatAsRead(world: World, chat: Chat): void {
  const newest = world.db.messages.in('byChat', chat.id).at(0)
  world.db.chats.update(chat.id, {
    unreadCount: 0,
    hasUnreadTips: false,
    lastReadMessageId: newest?.id ?? chat.lastReadMessageId,
  })
}

/**
 * Marks the fan's last message and all later messages as unread. Does nothing if the chat is
 * already unread.
 * @throws {ApiError} chat_without_fan if the chat has no message of the fan
 */
export function markChatAsUnread(world: World, chat: Chat): void {
  if (chat.unreadCount > 0) return
  const messages = world.db.messages.in('byChat', chat.id)
  let index = 0
  while (messages.at(index)?.isFromFan === false) index += 1
  if (index === messages.size)
    throw createApiError('chat_without_fan', { user_id: chat.fanId, account_id: chat.accountId })
  world.db.chats.update(chat.id, {
    unreadCount: 1,
    hasUnreadTips: messages.at(index)?.isTip ?? false,
    lastReadMessageId: messages.at(index + 1)?.id ?? 0,
  })
}

/** Marks all chats of the account as read, including hidden chats. */
export function markAllChatsAsRead(world: World, account: Account): void {
  for (const chat of world.db.chats.list('unread', account.id)) markChatAsRead(world, chat)
}

/** Deletes a chat and its messages. The payments for these messages are kept. */
export function deleteChat(world: World, chat: Chat): void {
  world.db.chats.remove(chat.id)
  for (const message of world.db.messages.list('byChat', chat.id))
    world.db.messages.remove(message.id)
}

/**
 * Keeps chats in sync with their messages: the newest message, the last read message, and the
 * numbers of unread and pinned messages. An unread message of the fan shows a hidden chat again,
 * except in a scenario, whose chats are as they are written.
 */
export function createLastMessageUpdater(world: World): ChangeListener<Message> {
  return (before, after) => {
    if (before !== undefined && after !== undefined && isSameInChat(before, after)) return
    const chat = world.db.chats.get((after ?? before)?.chatId ?? 0)
    if (chat === undefined) return
    const added = before === undefined ? after : undefined
    const newest = findNewestMessage(world, chat, added)
    const isLastReadGone = after === undefined && before?.id === chat.lastReadMessageId
    const lastReadMessageId = isLastReadGone
      ? (findPreviousMessage(world, before)?.id ?? 0)
      : chat.lastReadMessageId
    const isUnread = added?.isFromFan === true && isSinceLastRead(world, chat, added)
    world.db.chats.update(chat.id, {
      lastMessageAt: newest?.createdAt ?? chat.lastMessageAt,
      lastMessageId: newest?.id ?? 0,
      lastReadMessageId,
      isHidden: chat.isHidden && !(isUnread && world.isSeeded),
      pinnedCount: world.db.messages.in('pinned', chat.id).size,
      ...(added === undefined
        ? countUnread(world, { ...chat, lastReadMessageId })
        : {
            unreadCount: chat.unreadCount + Number(isUnread),
            hasUnreadTips: chat.hasUnreadTips || (isUnread && added.isTip),
          }),
    })
  }
}

/** True if a change to a message does not affect its chat. */
function isSameInChat(before: Message, after: Message): boolean {
  return (['isPinned', 'createdAt', 'isFromFan', 'isTip'] as const).every(
    (field) => before[field] === after[field],
  )
}

/** Counts the fan's messages after the last message that the account has read. */
function countUnread(
  { db }: World,
  { id, lastReadMessageId }: Chat,
): Pick<Chat, 'unreadCount' | 'hasUnreadTips'> {
  const lastRead = db.messages.get(lastReadMessageId)
  const messages = db.messages.in('byChat', id)
  const unread = messages
    .slice(
      0,
      lastRead === undefined
        ? messages.size
        : messages.findPartitionPoint((message) => newestFirst(message, lastRead) >= 0),
    )
    .filter(({ isFromFan }) => isFromFan)
  return { unreadCount: unread.length, hasUnreadTips: unread.some(({ isTip }) => isTip) }
}

/**
 * Returns the newest message of a chat. Avoids a lookup if it is the message that was just added.
 */
function findNewestMessage(
  { db }: World,
  chat: Chat,
  added: Message | undefined,
): Message | undefined {
  const last = added === undefined ? undefined : db.messages.get(chat.lastMessageId)
  if (added !== undefined && last !== undefined && newestFirst(added, last) <= 0) return added
  return db.messages.in('byChat', chat.id).at(0)
}

/** Returns the message that came before a removed message in the same chat. */
function findPreviousMessage({ db }: World, removed: Message): Message | undefined {
  return db.messages
    .in('byChat', removed.chatId)
    .first((message) => newestFirst(message, removed) > 0)
}

/** True if a message is newer than the last message that the account has read. */
function isSinceLastRead({ db }: World, { lastReadMessageId }: Chat, message: Message): boolean {
  const lastRead = db.messages.get(lastReadMessageId)
  return lastRead === undefined || newestFirst(message, lastRead) < 0
}

/** Computes the fields of a chat that depend on the fan's payments. */
export function computeChatSpending(
  world: World,
  accountId: number,
  fanId: number,
): Pick<Chat, 'hasSpent' | 'hasTipped'> {
  const spend = findFanSpend(world, accountId, fanId)
  return { hasSpent: (spend?.count ?? 0) > 0, hasTipped: (spend?.tipCount ?? 0) > 0 }
}

/**
 * Returns why the account cannot write to the fan: it has blocked the fan, or the fan has closed or
 * deleted their profile. Undefined if it can.
 */
export function findWriteObstacle(
  world: World,
  accountId: number,
  fanId: number,
): 'blocked' | 'closed' | 'deleted' | undefined {
  const fan = world.db.fans.get(fanId)
  if (fan?.isDeleted === true) return 'deleted'
  if (findSubscription(world, accountId, fanId)?.isBlocked === true) return 'blocked'
  return fan?.isActive === false ? 'closed' : undefined
}

/**
 * Summarises the account's chat with a fan: the number of messages, and the fan's last message. All
 * values are null if the chat has no messages.
 */
export function summariseChat(
  world: World,
  account: Account,
  fanId: number,
): { summary: string | null; generated_at: string | null } {
  const chat = findChatWith(world, account.id, fanId)
  const messages = chat === undefined ? [] : world.db.messages.list('byChat', chat.id)
  const [newest] = messages
  if (newest === undefined) return { summary: null, generated_at: null }
  const fromFan = messages.filter((message) => message.isFromFan)
  const paid = messages.filter((message) => message.price > 0).length
  const paidCount = paid === 0 ? '' : `, ${paid} paid ones from the creator`
  const counts = `${messages.length} messages, ${fromFan.length} of them from the fan${paidCount}.`
  const words =
    fromFan[0] === undefined ? '' : ` The fan's last words: “${toPlainText(fromFan[0].text)}”`
  return { summary: `${counts}${words}`, generated_at: newest.createdAt }
}
