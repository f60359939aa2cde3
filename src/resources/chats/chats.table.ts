import { z } from 'zod'
import { defineTable, descending, orderBy } from '../../data/define-table.ts'
import { fanKey } from '../fans/fans.table.ts'

/**
 * A conversation of an account with a fan. It has an id of its own, which differs from the id of
 * the fan.
 */
export const Chat = z.lazy(() =>
  z.object({
    id: z.int(),
    accountId: z.int(),
    fanId: z.int(),
    /** A hidden chat is shown again when the fan writes. */
    isHidden: z.boolean().default(false),
    isMuted: z.boolean().default(false),
    /**
     * The time of its newest message. Without messages, the time of the last one that it had, else
     * of its opening.
     */
    lastMessageAt: z.iso.datetime(),
    /** Its newest message; 0 when there is none. */
    lastMessageId: z.int().default(0),
    /**
     * Number of messages of the fan that the account has not read. Marking the chat as unread makes
     * it at least 1.
     */
    unreadCount: z.int().default(0),
    /** The newest message that the account has read; 0 when there is none. */
    lastReadMessageId: z.int().default(0),
    hasUnreadTips: z.boolean().default(false),
    /** Number of its pinned messages. */
    pinnedCount: z.int().default(0),
    /**
     * True if the fan paid the account. It follows the transactions; refunded payments do not
     * count.
     */
    hasSpent: z.boolean().default(false),
    /**
     * True if the fan tipped the account. It follows the transactions; refunded tips do not count.
     */
    hasTipped: z.boolean().default(false),
  }),
)
export type Chat = Readonly<z.infer<typeof Chat>>

/** The filters of the chat list, each with its test. */
export const chatFilters = {
  priority: (chat: Chat) => chat.hasSpent && chat.unreadCount > 0,
  pinned: (chat: Chat) => chat.pinnedCount > 0,
  unread: (chat: Chat) => chat.unreadCount > 0,
  who_tipped: (chat: Chat) => chat.hasTipped,
} as const

export type ChatFilter = keyof typeof chatFilters

/** The chat with the latest message first. */
export const latestChatFirst = orderBy<Chat>(
  descending((chat) => chat.lastMessageAt),
  orderBy(
    descending((chat) => chat.lastMessageId),
    descending((chat) => chat.id),
  ),
)

/** True if the chat list shows the chat: it must not be hidden, and it must have a message. */
export function isShown({ isHidden, lastMessageId }: Chat): boolean {
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
      group: (chat) => fanKey(chat.accountId, chat.fanId),
      order: descending((chat) => chat.id),
    },
    shown: { group: (chat) => (isShown(chat) ? filterKeysOf(chat) : null), order: latestChatFirst },
    muted: { group: (chat) => (chat.isMuted ? chat.accountId : null), order: latestChatFirst },
    unread: {
      group: (chat) => (chat.unreadCount > 0 ? chat.accountId : null),
      order: latestChatFirst,
    },
  },
})

/**
 * The group of the shown chats that pass a filter, in the index `shown`, such as
 * `310240117:unread`.
 */
export function chatFilterKey(accountId: number, filter: ChatFilter | 'all' = 'all'): string {
  return `${accountId}:${filter}`
}

function filterKeysOf(chat: Chat): string[] {
  const filters = Object.keys(chatFilters) as ChatFilter[]
  const passed = filters.filter((filter) => chatFilters[filter](chat))
  return [
    chatFilterKey(chat.accountId),
    ...passed.map((filter) => chatFilterKey(chat.accountId, filter)),
  ]
}
