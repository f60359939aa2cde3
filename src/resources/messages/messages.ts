import { toPrice } from '../../engine/money.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { toHtml, fillIn } from '../../engine/text.ts'
import { dayMs, fromIso, toIso } from '../../engine/time.ts'
import { apiError, invalidParameter } from '../../errors.ts'
import type { SeedTexts } from '../../world/seed-texts.ts'
import { textsOf } from '../../world/texts.ts'
import type { World } from '../../world/world.ts'
import type { Chat } from '../chats/chats.table.ts'
import { canWriteTo, chatIfAny, chatWith, openChat } from '../chats/chats.ts'
import { newestFirst } from './messages.table.ts'
import type { Message } from './messages.table.ts'

/** How long a sent message can be taken back. */
export const unsendMs = dayMs

/** What a sender gives of a message. */
export type MessageContent = Pick<
  Message,
  'text' | 'lockedText' | 'price' | 'mediaFiles' | 'previews' | 'giphyId' | 'rfTag' | 'rfPartner' | 'rfGuest'
>

/** The fields of a message that is only text. */
export const plainMessage = {
  price: 0,
  lockedText: false,
  giphyId: null,
  mediaFiles: [],
  previews: [],
  mediaReadyAt: null,
  isTip: false,
  isLiked: false,
  isPinned: false,
  isOpened: false,
  isViewed: false,
  purchasedAt: null,
  queueId: null,
  replyToMessageId: null,
  rfTag: [],
  rfPartner: [],
  rfGuest: [],
} satisfies Partial<Message>

/** The message of that id on the account. @throws {ApiError} message_unknown */
export function requireMessage(world: World, account: Account, messageId: number): Message {
  const message = world.db.messages.get(messageId)
  if (message?.accountId !== account.id) throw apiError('message_unknown', { message_id: messageId, account_id: account.id })
  return message
}

/** The message of that id in the chat. @throws {ApiError} message_unknown, also for a message of another chat. */
export function requireMessageIn(world: World, chat: Chat, messageId: number): Message {
  const message = world.db.messages.get(messageId)
  if (message?.chatId !== chat.id) throw apiError('message_unknown', { message_id: messageId, account_id: chat.accountId })
  return message
}

/** Makes sure that the account may write to the fan. @throws {ApiError} fan_unknown; fan_blocked while it has them blocked. */
export function requireWritable(world: World, account: Account, fanId: number): void {
  chatIfAny(world, account, fanId)
  if (!canWriteTo(world, account.id, fanId)) throw apiError('fan_blocked', { account_id: account.id, user_id: fanId })
}

/** Makes sure that a message can be replied to: it is in the chat with the fan. @throws {ApiError} parameter_invalid */
export function requireRepliable(
  world: World,
  account: Account,
  { fanId, replyToMessageId }: { fanId: number; replyToMessageId: number },
): void {
  const chat = chatWith(world, account.id, fanId)
  if (chat !== undefined && world.db.messages.get(replyToMessageId)?.chatId === chat.id) return
  throw invalidParameter('Body field', 'replyToMessageId', replyToMessageId, 'it must be the id of a message in this chat')
}

/** When media that are sent now will be transcoded; null without any. */
export function readyAt(world: World, mediaFiles: readonly number[]): string | null {
  return mediaFiles.length === 0 ? null : toIso(world.clock.now() + world.options.transcodingMs)
}

/** Sends a message to the fan: into their chat, which is opened when there is none. A hidden chat stays hidden. */
export function sendMessage(
  world: World,
  account: Account,
  fanId: number,
  content: MessageContent,
  {
    queueId = null,
    replyToMessageId = null,
    mediaReadyAt = readyAt(world, content.mediaFiles),
  }: Partial<Pick<Message, 'queueId' | 'replyToMessageId' | 'mediaReadyAt'>> = {},
): Message {
  return addMessage(world, openChat(world, account.id, fanId), {
    ...plainMessage,
    ...content,
    isFromFan: false,
    mediaReadyAt,
    queueId,
    replyToMessageId,
  })
}

/**
 * Lets the fan write: the chat comes back when it was hidden, and counts one unread message more. A tip is only told of here;
 * its payment is recorded by whoever calls.
 */
export function writeAsFan(
  world: World,
  accountId: number,
  fanId: number,
  { text, mediaFiles = [], tipAmount }: { text?: string; mediaFiles?: readonly number[]; tipAmount?: number },
): Message {
  const chat = openChat(world, accountId, fanId)
  readAsFan(world, chat)
  const message = addMessage(world, chat, {
    ...plainMessage,
    text: text ?? tipText(textsOf(world), tipAmount ?? 0),
    mediaFiles: [...mediaFiles],
    isFromFan: true,
    isTip: tipAmount !== undefined,
  })
  const { unreadCount, hasUnreadTips } = world.db.chats.get(chat.id) ?? chat
  world.db.chats.update(chat.id, { isHidden: false, unreadCount: unreadCount + 1, hasUnreadTips: hasUnreadTips || message.isTip })
  if (world.db.fans.get(fanId) !== undefined) world.db.fans.update(fanId, { lastSeen: message.createdAt })
  return message
}

/** What the platform says in a chat when a fan tips, as HTML. */
export function tipText({ dialogues }: SeedTexts, dollars: number): string {
  return toHtml(fillIn(dialogues.tip, { AMOUNT: toPrice(dollars) }))
}

/** Whether the other side has seen the message, or bought it when it has a price; of the fan's, whether the account has read it. */
export function isSeen(world: World, message: Message): boolean {
  if (!message.isFromFan) return message.isOpened
  const lastReadId = world.db.chats.get(message.chatId)?.lastReadMessageId ?? 0
  const lastRead = world.db.messages.get(lastReadId)
  return lastRead === undefined ? message.id <= lastReadId : newestFirst(message, lastRead) >= 0
}

/** How long the message can still be taken back. */
export function unsendSeconds(world: World, { isFromFan, createdAt }: Pick<Message, 'isFromFan' | 'createdAt'>): number {
  return isFromFan ? 0 : Math.max(0, Math.ceil((fromIso(createdAt) + unsendMs - world.clock.now()) / 1000))
}

/** The fan reads what the creator wrote: all messages since the last free one that they had read. Those with a price stay locked. Returns how many were new. */
export function readAsFan(world: World, chat: Chat): number {
  let count = 0
  for (const message of world.db.messages.in('byChat', chat.id).walk()) {
    if (message.isFromFan || (message.price === 0 && message.isViewed)) return count
    if (message.isViewed) continue
    world.db.messages.update(message.id, message.price > 0 ? { isViewed: true } : { isViewed: true, isOpened: true })
    count += 1
  }
  return count
}

function addMessage(
  world: World,
  chat: Chat,
  fields: Omit<Message, 'id' | 'accountId' | 'chatId' | 'fanId' | 'createdAt' | 'changedAt'>,
): Message {
  const createdAt = world.clock.iso()
  const { id: chatId, accountId, fanId } = chat
  return world.db.messages.insert({ ...fields, id: world.nextId('messages'), accountId, chatId, fanId, createdAt, changedAt: createdAt })
}
