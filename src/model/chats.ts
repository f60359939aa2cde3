import { z } from 'zod'
import { apiError } from '../errors.ts'
import type { Account } from './organisations.ts'
import { defineTable, descending, orderBy } from './table.ts'
import { fanKey } from './transactions.ts'
import type { World } from './world.ts'

/** A conversation of an account with a fan. Its id is not the fan's. */
export const Chat = z.object({
  id: z.int(),
  accountId: z.int(),
  fanId: z.int(),
  /** Hidden chats come back when the fan writes. */
  isHidden: z.boolean(),
  lastMessageAt: z.iso.datetime(),
})
export type Chat = Readonly<z.infer<typeof Chat>>

/** A message in a chat, by the fan or by the creator. */
export const Message = z.object({
  id: z.int(),
  accountId: z.int(),
  chatId: z.int(),
  fanId: z.int(),
  isFromFan: z.boolean(),
  text: z.string(),
  /** Dollars to unlock it; 0 when free. */
  price: z.number(),
  mediaFiles: z.array(z.int()),
  createdAt: z.iso.datetime(),
  /** Release-form tags: creators, partners, guests. */
  rfTag: z.array(z.int()),
  rfPartner: z.array(z.int()),
  rfGuest: z.array(z.int()),
})
export type Message = Readonly<z.infer<typeof Message>>

export const chats = defineTable({
  schema: Chat,
  indexes: {
    byAccount: { group: (chat) => chat.accountId, order: orderBy(descending((chat) => chat.lastMessageAt), descending((chat) => chat.id)) },
    byFan: { group: (chat) => fanKey(chat.accountId, chat.fanId), order: descending((chat) => chat.id) },
  },
})
export const messages = defineTable({
  schema: Message,
  indexes: { byChat: { group: (message) => message.chatId, order: orderBy(descending((message) => message.createdAt), descending((message) => message.id)) } },
})

/** The chat of that id on the account. @throws {ApiError} chat_unknown, also for a fan's id. */
export function requireChat(world: World, account: Account, chatId: number): Chat {
  const chat = world.db.chats.get(chatId)
  if (chat?.accountId !== account.id) throw apiError('chat_unknown', { chat_id: chatId, account_id: account.id })
  return chat
}

/** Hides the chat until the fan writes again; nothing in it is deleted. */
export function hideChat(world: World, chat: Chat): void {
  world.db.chats.update(chat.id, { isHidden: true })
}

/** The message of that id on the account. @throws {ApiError} message_unknown */
export function requireMessage(world: World, account: Account, messageId: number): Message {
  const message = world.db.messages.get(messageId)
  if (message?.accountId !== account.id) throw apiError('message_unknown', { message_id: messageId, account_id: account.id })
  return message
}

/** Sets the release-form tags that are given and leaves the others. */
export function attachTags(world: World, message: Message, tags: Partial<Pick<Message, 'rfTag' | 'rfPartner' | 'rfGuest'>>): void {
  world.db.messages.update(message.id, tags)
}
