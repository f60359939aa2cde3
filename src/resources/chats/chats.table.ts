import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { defineTable, compareDescending, recordTime } from '../../data/define-table.ts'
import { toFanKey } from '../fans/fans.table.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** A conversation between an account and a fan. Its id differs from the fan's id. */
export const Chat = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  fanId: z.int(),
  /** True if the chat is hidden. It is shown again when the fan writes. */
  isHidden: z.boolean().default(false),
  isMuted: z.boolean().default(false),
  /**
   * Time of the newest message. Without messages: the time of the last removed message, or else
   * the creation time of the chat.
   */
  lastMessageAt: recordTime,
  /** Id of the newest message, or 0 if there is none. */
  lastMessageId: z.int().default(0),
  /**
   * Number of the fan's messages that the account has not read. At least 1 if the chat was marked
   * as unread.
   */
  unreadCount: z.int().default(0),
  /** Id of the newest message that the account has read, or 0 if there is none. */
  lastReadMessageId: z.int().default(0),
  hasUnreadTips: z.boolean().default(false),
  /** Number of pinned messages in the chat. */
  pinnedCount: z.int().default(0),
  /**
   * True if the fan has paid the account. Updated when transactions change. Refunded payments do
   * not count.
   */
  hasSpent: z.boolean().default(false),
  /**
   * True if the fan has tipped the account. Updated when transactions change. Refunded tips do
   * not count.
   */
  hasTipped: z.boolean().default(false),
}))
export type Chat = Readonly<z.infer<typeof Chat>>

/** Filters of the chat list, each with its predicate. */
export const chatFilters = {
  priority: (chat: Chat) => chat.hasSpent && chat.unreadCount > 0,
  pinned: (chat: Chat) => chat.pinnedCount > 0,
  unread: (chat: Chat) => chat.unreadCount > 0,
  who_tipped: (chat: Chat) => chat.hasTipped,
} as const

export type ChatFilter = keyof typeof chatFilters

/** Sorts chats by their latest message, newest first. */
export const latestChatFirst = compareDescending<Chat>(
  (chat) => chat.lastMessageAt,
  (chat) => chat.lastMessageId,
  (chat) => chat.id,
)

/** True if the chat appears in the chat list, which omits hidden and empty chats. */
export function isShownInList({ isHidden, lastMessageId }: Chat): boolean {
  return !isHidden && lastMessageId !== 0
}

export const chats = defineTable({
  schema: Chat,
  references: {
    accountId: 'accounts',
    fanId: 'fans',
    lastMessageId: 'messages',
    lastReadMessageId: 'messages',
  },
  firstId: 812_000_000,
  indexes: {
    byAccount: { group: (chat) => chat.accountId, order: latestChatFirst },
    byFan: {
      group: (chat) => toFanKey(chat.accountId, chat.fanId),
      order: compareDescending((chat) => chat.id),
    },
    shown: {
      group: (chat) => (isShownInList(chat) ? listFilterKeys(chat) : null),
      order: latestChatFirst,
    },
    muted: { group: (chat) => (chat.isMuted ? chat.accountId : null), order: latestChatFirst },
    unread: {
      group: (chat) => (chat.unreadCount > 0 ? chat.accountId : null),
      order: latestChatFirst,
    },
  },
})

/**
 * Returns a key of the index `shown`, which contains the chats of the chat list by account and
 * filter. For example: `310240117:unread`.
 */
export function toChatFilterKey(accountId: number, filter: ChatFilter | 'all' = 'all'): string {
  return `${accountId}:${filter}`
}

function listFilterKeys(chat: Chat): string[] {
  const filters = Object.keys(chatFilters) as ChatFilter[]
  const passed = filters.filter((filter) => chatFilters[filter](chat))
  return [
    toChatFilterKey(chat.accountId),
    ...passed.map((filter) => toChatFilterKey(chat.accountId, filter)),
  ]
}

/** Scenario settings for an account's conversations. */
export const chatSizes = {
  chats: defineSize(
    () => count.describe('Number of conversations with fans.'),
    0,
    ({ chats, longChats }: { chats: number; longChats: number }) => chats + longChats,
  ),
  longChats: defineSize(
    () =>
      count
        .max(1000)
        .describe(
          'Number of additional conversations with the top spenders: 60 to 200 messages over ' +
            'several months.',
        ),
    0,
    ({ longChats }: { longChats: number }) => longChats,
  ),
  messagesPerChat: defineSize(
    () => count.describe('Maximum number of messages in a conversation. Default: 6.'),
    6,
  ),
}
export type ChatSizes = SizeValues<typeof chatSizes>
