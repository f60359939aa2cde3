import { formatPrice } from '../../lib/money.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toHtml, fillPlaceholders } from '../../lib/text.ts'
import { dayMs, parseIso } from '../../lib/time.ts'
import { createApiError, createBodyFieldError } from '../../errors.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'
import type { Chat } from '../chats/chats.table.ts'
import { findWriteObstacle, findChat, findChatWith, getOrCreateChat } from '../chats/chats.ts'
import { startTranscoding } from '../vault/vault.ts'
import { newestFirst } from './messages.table.ts'
import type { Message } from './messages.table.ts'
import { emptyList } from '../../data/rows.ts'

/** Maximum time between sending and unsending. */
export const unsendMs = dayMs

/** Fields of a message that the sender sets. */
export type MessageContent = Pick<
  Message,
  | 'text'
  | 'lockedText'
  | 'price'
  | 'mediaFiles'
  | 'previews'
  | 'giphyId'
  | 'rfTag'
  | 'rfPartner'
  | 'rfGuest'
>

/** Returns only the fields that the sender sets. `giphyId` is optional in requests. */
export function pickMessageContent({
  text,
  lockedText,
  price,
  mediaFiles,
  previews,
  giphyId = null,
  rfTag,
  rfPartner,
  rfGuest,
}: Omit<MessageContent, 'giphyId'> & {
  giphyId?: string | null | undefined
}): MessageContent {
  return { text, lockedText, price, mediaFiles, previews, giphyId, rfTag, rfPartner, rfGuest }
}

/**
 * Returns the account's message with the given id.
 * @throws {ApiError} message_unknown
 */
export function requireMessage(world: World, account: Account, messageId: number): Message {
  const message = world.db.messages.get(messageId)
  if (message?.accountId !== account.id)
    throw createApiError('message_unknown', { message_id: messageId, account_id: account.id })
  return message
}

/**
 * Returns the chat's message with the given id.
 * @throws {ApiError} message_unknown, also if the message is in another chat
 */
export function requireChatMessage(world: World, chat: Chat, messageId: number): Message {
  const message = world.db.messages.get(messageId)
  if (message?.chatId !== chat.id)
    throw createApiError('message_unknown', { message_id: messageId, account_id: chat.accountId })
  return message
}

/**
 * Checks that the account may write to the fan.
 * @throws {ApiError} fan_unknown; fan_blocked; fan_closed and fan_deleted if the fan has closed or
 * deleted their profile
 */
export function requireCanWrite(world: World, account: Account, fanId: number): void {
  findChat(world, account, fanId)
  const obstacle = findWriteObstacle(world, account.id, fanId)
  if (obstacle !== undefined)
    throw createApiError(`fan_${obstacle}`, { account_id: account.id, user_id: fanId })
}

/**
 * Checks that the account can reply to a message: it must be in the chat with the fan.
 * @throws {ApiError} parameter_invalid
 */
export function requireCanReply(
  world: World,
  account: Account,
  { fanId, replyToMessageId }: { fanId: number; replyToMessageId: number },
): void {
  const chat = findChatWith(world, account.id, fanId)
  if (chat !== undefined && world.db.messages.get(replyToMessageId)?.chatId === chat.id) return
  throw createBodyFieldError({ replyToMessageId }, 'it must be the id of a message in this chat')
}

/**
 * Sends a message to the fan, and creates the chat if needed. A hidden chat stays hidden. The media
 * are transcoded.
 */
export function sendMessage(
  world: World,
  account: Account,
  fanId: number,
  message: { content: MessageContent } & Partial<Pick<Message, 'replyToMessageId'>>,
): Message {
  startTranscoding(world, message.content.mediaFiles)
  return addMessage(world, getOrCreateChat(world, account.id, fanId), message)
}

/**
 * Adds a message from the fan. With `tipAmount`, the message reports a tip, and the caller must
 * record the payment.
 */
export function addFanMessage(
  world: World,
  accountId: number,
  fanId: number,
  {
    text,
    mediaFiles = [],
    tipAmount,
  }: { text?: string; mediaFiles?: readonly number[]; tipAmount?: number },
): Message {
  const chat = getOrCreateChat(world, accountId, fanId)
  markMessagesReadByFan(world, chat)
  const content = {
    text: text ?? formatTipMessage(requireTexts(world), tipAmount ?? 0),
    mediaFiles: [...mediaFiles],
  }
  return addMessage(world, chat, { content, isFromFan: true, isTip: tipAmount !== undefined })
}

/** Returns the HTML text of the message that the platform shows in a chat for a tip. */
export function formatTipMessage({ notifications }: SeedTexts, dollars: number): string {
  return toHtml(fillPlaceholders(notifications.tip, { AMOUNT: formatPrice(dollars) }))
}

/**
 * True if the recipient has read the message. For a paid message: true if the recipient has bought
 * it.
 */
export function isMessageRead(world: World, message: Message): boolean {
  if (!message.isFromFan) return message.isOpened
  const lastReadId = world.db.chats.get(message.chatId)?.lastReadMessageId ?? 0
  // Skips the lookup if there is no id. The lookup could trigger the seeding of all accounts.
  if (lastReadId === 0) return false
  const lastRead = world.db.messages.get(lastReadId)
  return lastRead === undefined ? message.id <= lastReadId : newestFirst(message, lastRead) >= 0
}

/**
 * Returns the number of seconds left to unsend the message. 0 if it is too late, or if the fan
 * wrote or bought the message.
 */
export function getRemainingUnsendSeconds(
  world: World,
  { isFromFan, createdAt, purchasedAt }: Pick<Message, 'isFromFan' | 'createdAt' | 'purchasedAt'>,
): number {
  const end = parseIso(createdAt) + unsendMs
  return isFromFan || purchasedAt !== null || world.clock.hasReached(end)
    ? 0
    : -world.clock.stepsSince(end, 1000)
}

/**
 * Marks the creator's messages as read by the fan, back to the fan's own last message or the last
 * free message that was already read. Paid messages stay locked. Returns the number of newly read
 * messages.
 */
export function markMessagesReadByFan(world: World, chat: Chat): number {
  let count = 0
  for (const message of world.db.messages.in('byChat', chat.id).walk()) {
    if (message.isFromFan || (message.price === 0 && message.isViewed)) return count
    if (message.isViewed) continue
    world.db.messages.update(
      message.id,
      message.price > 0 ? { isViewed: true } : { isViewed: true, isOpened: true },
    )
    count += 1
  }
  return count
}

/** A message to write: its content and kind. */
type WrittenMessage = { content: Partial<MessageContent> & Pick<Message, 'text'> } & Partial<
  Pick<Message, 'isFromFan' | 'isTip' | 'queueId' | 'replyToMessageId'>
>

/** Adds a message to a chat. */
export function addMessage(world: World, chat: Chat, message: WrittenMessage): Message {
  return world.db.messages.add(writeMessage(world, chat, message))
}

/** Sends a message to many fans in one pass, and creates chats if needed. */
export function sendCopies(
  world: World,
  { accountId, fanIds }: { accountId: number; fanIds: readonly number[] },
  message: WrittenMessage,
): void {
  const { chats, messages } = world.db
  const copies = fanIds.map((fanId) =>
    writeMessage(world, getOrCreateChat(world, accountId, fanId), message),
  )
  const isNewest = (copy: Message) => {
    const last = messages.get(chats.get(copy.chatId)?.lastMessageId ?? 0)
    return last !== undefined && newestFirst(copy, last) < 0
  }
  setNewestMessages(world, copies.filter(isNewest))
  messages.addMany(copies)
}

/**
 * Makes each message the newest one of its chat, in one pass. Called before many messages are
 * written, so that `createLastMessageUpdater` has nothing to change.
 */
export function setNewestMessages({ db }: World, messages: readonly Message[]): void {
  db.chats.updateMany(
    messages.map((row) => [row.chatId, { lastMessageAt: row.createdAt, lastMessageId: row.id }]),
  )
}

/**
 * Creates a message for a chat.
 * @note Lists all fields, because adding fields after a spread is slow.
 */
function writeMessage(
  world: World,
  { id: chatId, accountId, fanId }: Chat,
  { content, isFromFan = false, isTip, queueId, replyToMessageId }: WrittenMessage,
): Message {
  const { text, lockedText, price, mediaFiles, previews, giphyId, rfTag, rfPartner, rfGuest } =
    content
  return createMessage({
    id: world.nextId('messages'),
    accountId,
    chatId,
    fanId,
    isFromFan,
    text,
    lockedText,
    price,
    mediaFiles,
    previews,
    giphyId,
    createdAt: world.clock.iso(),
    isTip,
    queueId,
    replyToMessageId,
    rfTag,
    rfPartner,
    rfGuest,
  })
}

/** Fields of a new message. Omitted fields get defaults. */
type NewMessage = Pick<
  Message,
  'id' | 'accountId' | 'chatId' | 'fanId' | 'isFromFan' | 'text' | 'createdAt'
> &
  Partial<Omit<Message, 'changedAt'>>

/**
 * Creates a new message. By default, it is free, unread and has no media.
 * @note Lists all fields, because spreading defaults into thousands of seeded messages takes ten
 * times as long.
 */
export function createMessage(message: NewMessage): Message {
  return {
    id: message.id,
    accountId: message.accountId,
    chatId: message.chatId,
    fanId: message.fanId,
    isFromFan: message.isFromFan,
    text: message.text,
    price: message.price ?? 0,
    lockedText: message.lockedText ?? false,
    giphyId: message.giphyId ?? null,
    mediaFiles: message.mediaFiles ?? emptyList,
    previews: message.previews ?? emptyList,
    createdAt: message.createdAt,
    changedAt: message.createdAt,
    isTip: message.isTip ?? false,
    isLiked: message.isLiked ?? false,
    isPinned: message.isPinned ?? false,
    isOpened: message.isOpened ?? false,
    isViewed: message.isViewed ?? false,
    purchasedAt: message.purchasedAt ?? null,
    queueId: message.queueId ?? null,
    replyToMessageId: message.replyToMessageId ?? null,
    rfTag: message.rfTag ?? emptyList,
    rfPartner: message.rfPartner ?? emptyList,
    rfGuest: message.rfGuest ?? emptyList,
  }
}
