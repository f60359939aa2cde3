import { toPrice } from '../../lib/money.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toHtml, fillIn } from '../../lib/text.ts'
import { dayMs, fromIso } from '../../lib/time.ts'
import { apiError, invalidParameter } from '../../errors.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { textsOf } from '../../seed/texts.ts'
import type { World } from '../world.ts'
import type { Chat } from '../chats/chats.table.ts'
import { canWriteTo, chatIfAny, chatWith, openChat } from '../chats/chats.ts'
import { transcode } from '../vault/vault.ts'
import { newestFirst } from './messages.table.ts'
import type { Message } from './messages.table.ts'
import { newMessage } from './new-message.ts'

/** How long after its sending a message can be unsent. */
export const unsendMs = dayMs

/** The fields of a message that its sender sets. */
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

/** The message of that id on the account. @throws {ApiError} message_unknown */
export function requireMessage(world: World, account: Account, messageId: number): Message {
  const message = world.db.messages.get(messageId)
  if (message?.accountId !== account.id)
    throw apiError('message_unknown', { message_id: messageId, account_id: account.id })
  return message
}

/**
 * The message of that id in the chat. @throws {ApiError} message_unknown, also for a message of
 * another chat.
 */
export function requireMessageIn(world: World, chat: Chat, messageId: number): Message {
  const message = world.db.messages.get(messageId)
  if (message?.chatId !== chat.id)
    throw apiError('message_unknown', { message_id: messageId, account_id: chat.accountId })
  return message
}

/**
 * Checks that the account may write to the fan. @throws {ApiError} fan_unknown, or fan_blocked
 * while the account blocks the fan.
 */
export function requireWritable(world: World, account: Account, fanId: number): void {
  chatIfAny(world, account, fanId)
  if (!canWriteTo(world, account.id, fanId))
    throw apiError('fan_blocked', { account_id: account.id, user_id: fanId })
}

/**
 * Checks that the account can reply to a message: it must be in the chat with the fan. @throws
 * {ApiError} parameter_invalid
 */
export function requireRepliable(
  world: World,
  account: Account,
  { fanId, replyToMessageId }: { fanId: number; replyToMessageId: number },
): void {
  const chat = chatWith(world, account.id, fanId)
  if (chat !== undefined && world.db.messages.get(replyToMessageId)?.chatId === chat.id) return
  throw invalidParameter(
    'Body field',
    'replyToMessageId',
    replyToMessageId,
    'it must be the id of a message in this chat',
  )
}

/**
 * Sends a message to the fan, and transcodes its media unless it is the copy of a mass message. It
 * opens a chat when there is none; a hidden chat stays hidden.
 */
export function sendMessage(
  world: World,
  account: Account,
  fanId: number,
  message: { content: MessageContent } & Partial<Pick<Message, 'queueId' | 'replyToMessageId'>>,
): Message {
  if (message.queueId === undefined) transcode(world, message.content.mediaFiles)
  return addMessage(world, openChat(world, account.id, fanId), message)
}

/**
 * Lets the fan write. The chat is no longer hidden and counts one more unread message. With
 * `tipAmount` the message reports a tip: the caller records its payment.
 */
export function writeAsFan(
  world: World,
  accountId: number,
  fanId: number,
  {
    text,
    mediaFiles = [],
    tipAmount,
  }: { text?: string; mediaFiles?: readonly number[]; tipAmount?: number },
): Message {
  const chat = openChat(world, accountId, fanId)
  readAsFan(world, chat)
  const content = {
    text: text ?? tipText(textsOf(world), tipAmount ?? 0),
    mediaFiles: [...mediaFiles],
  }
  const message = addMessage(world, chat, {
    content,
    isFromFan: true,
    isTip: tipAmount !== undefined,
  })
  world.db.chats.update(chat.id, { isHidden: false })
  if (world.db.fans.get(fanId) !== undefined)
    world.db.fans.update(fanId, { lastSeen: message.createdAt })
  return message
}

/** The text that the platform writes in a chat when a fan tips, as HTML. */
export function tipText({ dialogues }: SeedTexts, dollars: number): string {
  return toHtml(fillIn(dialogues.tip, { AMOUNT: toPrice(dollars) }))
}

/**
 * Whether the recipient has read the message; of a priced message of the creator, whether the fan
 * has bought it.
 */
export function isSeen(world: World, message: Message): boolean {
  if (!message.isFromFan) return message.isOpened
  const lastReadId = world.db.chats.get(message.chatId)?.lastReadMessageId ?? 0
  // Nobody looks for a message that cannot be there: while accounts are still to be made, it might
  // be of any.
  if (lastReadId === 0) return false
  const lastRead = world.db.messages.get(lastReadId)
  return lastRead === undefined ? message.id <= lastReadId : newestFirst(message, lastRead) >= 0
}

/**
 * How many seconds are left to unsend the message; 0 when it is too late, or when the fan wrote it.
 */
export function unsendSeconds(
  world: World,
  { isFromFan, createdAt }: Pick<Message, 'isFromFan' | 'createdAt'>,
): number {
  const end = fromIso(createdAt) + unsendMs
  return isFromFan || world.clock.hasReached(end) ? 0 : -world.clock.stepsSince(end, 1000)
}

/**
 * Lets the fan read the creator's messages, back to the newest one that the fan wrote or the newest
 * free one that they had read. Messages with a price stay locked. Returns how many messages were
 * new to the fan.
 */
export function readAsFan(world: World, chat: Chat): number {
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

/** @note It names every field: objects that get fields behind a spread are slow. */
function addMessage(
  world: World,
  { id: chatId, accountId, fanId }: Chat,
  {
    content,
    isFromFan = false,
    isTip,
    queueId,
    replyToMessageId,
  }: { content: Partial<MessageContent> & Pick<Message, 'text'> } & Partial<
    Pick<Message, 'isFromFan' | 'isTip' | 'queueId' | 'replyToMessageId'>
  >,
): Message {
  const { text, lockedText, price, mediaFiles, previews, giphyId, rfTag, rfPartner, rfGuest } =
    content
  const message = newMessage({
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
  return world.db.messages.add(message)
}
