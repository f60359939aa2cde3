import { z } from 'zod'
import { defineTable, descending, orderBy } from '../../engine/store/table.ts'
import { fanKey } from '../fans/fans.table.ts'

/** A conversation of an account with a fan. Its id is not the fan's. */
export const Chat = z.object({
  id: z.int(),
  accountId: z.int(),
  fanId: z.int(),
  /** Hidden chats come back when the fan writes. */
  isHidden: z.boolean(),
  isMuted: z.boolean(),
  /** The time of its newest message; while there is none, of its opening or of the last one that was. */
  lastMessageAt: z.iso.datetime(),
  /** Its newest message; 0 while there is none. */
  lastMessageId: z.int(),
  /** How many of the fan's messages the account has not read; at least 1 once it is marked as unread. */
  unreadCount: z.int(),
  /** The newest message that the account has read; 0 when there is none. */
  lastReadMessageId: z.int(),
  hasUnreadTips: z.boolean(),
  /** How many of its messages are pinned. */
  pinnedCount: z.int(),
  /** Whether the fan ever paid the account, and ever tipped it: follows the transactions. */
  hasSpent: z.boolean(),
  hasTipped: z.boolean(),
})
export type Chat = Readonly<z.infer<typeof Chat>>

/** The filters of the chat list, and whether a chat passes each. */
export const chatFilters = {
  priority: (chat: Chat) => chat.hasSpent && chat.unreadCount > 0,
  pinned: (chat: Chat) => chat.pinnedCount > 0,
  unread: (chat: Chat) => chat.unreadCount > 0,
  who_tipped: (chat: Chat) => chat.hasTipped,
} as const

export type ChatFilter = keyof typeof chatFilters

/** The order of chats: the latest message first. */
export const latestChatFirst = orderBy<Chat>(
  descending((chat) => chat.lastMessageAt),
  orderBy(
    descending((chat) => chat.lastMessageId),
    descending((chat) => chat.id),
  ),
)

/** Whether the chat list has the chat: not while it is hidden, nor while there is nothing in it. */
export function isShown({ isHidden, lastMessageId }: Chat): boolean {
  return !isHidden && lastMessageId !== 0
}

export const chats = defineTable({
  schema: Chat,
  firstId: 812_000_000,
  indexes: {
    byAccount: { group: (chat) => chat.accountId, order: latestChatFirst },
    byFan: { group: (chat) => fanKey(chat.accountId, chat.fanId), order: descending((chat) => chat.id) },
    shown: { group: (chat) => (isShown(chat) ? shelvesOf(chat) : null), order: latestChatFirst },
    muted: { group: (chat) => (chat.isMuted ? chat.accountId : null), order: latestChatFirst },
    unread: { group: (chat) => (chat.unreadCount > 0 ? chat.accountId : null), order: latestChatFirst },
  },
})

/** The group of the chats that are shown, all of them or those that pass a filter, in the index `shown`. */
export function chatShelf(accountId: number, filter: ChatFilter | 'all' = 'all'): string {
  return `${accountId}:${filter}`
}

function shelvesOf(chat: Chat): string[] {
  const passed = Object.entries(chatFilters).filter(([, passes]) => passes(chat))
  return [chatShelf(chat.accountId), ...passed.map(([filter]) => chatShelf(chat.accountId, filter as ChatFilter))]
}
