import { z } from 'zod'
import {
  listLimit,
  offset,
  createPageLimitSchema,
  pathId,
  queryFlag,
  optionalInteger,
} from '../../lib/fields.ts'
import { readPage } from '../../api/lists/paging.ts'
import { Page } from '../../api/route.ts'
import { createQueryParameterError } from '../../errors.ts'
import { createRouteDefiner } from '../define.ts'
import { readMediaMessages } from '../messages/list.ts'
import { requireCanWrite } from '../messages/messages.ts'
import { MessageMediaPage, skipUsers } from '../messages/schemas.ts'
import { toMessageItem } from '../messages/view.ts'
import { chatFilters } from './chats.table.ts'
import type { ChatFilter } from './chats.table.ts'
import {
  findChat,
  deleteChat,
  hideChat,
  setChatMuted,
  markAllChatsAsRead,
  markChatAsRead,
  requireChat,
  requireChatWith,
  markChatAsUnread,
} from './chats.ts'
import { readChats, ChatListPage, ChatPage, listChatUserLists, toChatItem } from './view.ts'

const defineRoute = createRouteDefiner({ group: 'Chats', source: 'published' })
const userParams = () =>
  z.object({ user_id: pathId.describe("The fan's user id. The id of the chat returns 404.") })
const mediaTypes = { photos: ['photo', 'gif'], videos: ['video'], audios: ['audio'] } as const

const listChats = defineRoute({
  id: 'GET /v1/:account_id/chats',
  permission: 'api_chats_list',
  summary: "List the account's chats",
  rules: [
    'Sorted by the time of the latest message: newest first, or oldest first with order=old. ' +
      'Empty and hidden chats are not listed. A hidden chat is listed again when the fan writes.',
    'filter selects unread chats, chats with pinned messages or chats whose fan tipped. ' +
      'filter=priority selects unread chats whose fan paid. filter cannot be combined with ' +
      'list_id.',
    "query matches any part of the fan's username or display name. next_page always contains " +
      'limit.',
  ],
  errors: ['user_list_unknown'],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({
    limit: listLimit,
    offset,
    skip_users: skipUsers,
    order: z.enum(['recent', 'old']).default('recent'),
    filter: z.enum(Object.keys(chatFilters) as [ChatFilter, ...ChatFilter[]]).optional(),
    list_id: optionalInteger.describe(
      'The id of a custom user list. Only chats with its members are listed.',
    ),
    query: z.string().max(200).optional().describe('Part of a name.'),
  }),
  data: ChatPage,
  handle({ world, account, query }) {
    const { filter, list_id: listId, query: text, order } = query
    if (filter !== undefined && listId !== undefined)
      throw createQueryParameterError({ list_id: listId }, 'it must be left out if filter is set')
    const { rows, hasMore, next } = readChats(world, account, {
      order,
      filter,
      listId,
      text,
      offset: query.offset,
      limit: query.limit,
    })
    return new Page(
      { list: rows.map((chat) => world.json(toChatItem, chat, query.skip_users)), hasMore },
      next && { limit: query.limit, ...next },
    )
  },
})

const listChatLists = defineRoute({
  id: 'GET /v1/:account_id/lists',
  permission: 'api_chats_list_chat_lists',
  summary: 'List the user lists that can filter chats',
  rules: [
    "Returns the account's custom lists, in the order that the account chose. list_id of the " +
      'chat list accepts the ids of these lists.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({ limit: listLimit, offset }),
  data: ChatListPage,
  handle({ world, account, query }) {
    const { rows, hasMore, next } = readPage(listChatUserLists(world, account), query)
    return new Page({ list: rows, hasMore }, next)
  },
})

const hideChatRoute = defineRoute({
  id: 'POST /v1/:account_id/chats/:chat_id/hide',
  permission: 'api_chats_hide',
  source: 'reference §4 Messages and chats',
  summary: 'Hide a chat until the fan writes again',
  errors: ['chat_unknown'],
  rules: [
    'chat_id is the id of the chat. Returns 404 for the user id of the fan.',
    'Hiding a chat does not delete its messages.',
  ],
  handle({ world, account, params }) {
    hideChat(world, requireChat(world, account, params.chat_id))
  },
})

const deleteChatRoute = defineRoute({
  id: 'DELETE /v1/:account_id/chats/:user_id',
  permission: 'api_chats_delete',
  summary: 'Delete a chat with all its messages',
  errors: ['chat_with_unknown'],
  rules: [
    "The fan's payments are not deleted and still count in the buyers, views and charts of " +
      "messages. The fan's next message creates a new chat.",
  ],
  params: userParams,
  handle({ world, account, params }) {
    deleteChat(world, requireChatWith(world, account, params.user_id))
  },
})

const muteChatRoute = defineRoute({
  id: 'POST /v1/:account_id/chats/:user_id/mute',
  permission: 'api_chats_mute',
  summary: 'Mute the notifications of a chat',
  errors: ['chat_with_unknown'],
  rules: [
    "The fan's messages no longer cause notifications. The fan's payments and tips still cause " +
      'notifications.',
  ],
  params: userParams,
  handle({ world, account, params }) {
    setChatMuted(world, requireChatWith(world, account, params.user_id), true)
  },
})

const unmuteChatRoute = defineRoute({
  id: 'DELETE /v1/:account_id/chats/:user_id/mute',
  permission: 'api_chats_unmute',
  summary: 'Unmute the notifications of a chat',
  errors: ['chat_with_unknown'],
  params: userParams,
  handle({ world, account, params }) {
    setChatMuted(world, requireChatWith(world, account, params.user_id), false)
  },
})

const markRead = defineRoute({
  id: 'POST /v1/:account_id/chats/:user_id/mark-as-read',
  permission: 'api_chats_mark_read',
  summary: 'Mark a chat as read',
  errors: ['chat_with_unknown'],
  rules: [
    'lastReadMessageId becomes the id of the newest message, and the chat has no unread messages.',
  ],
  params: userParams,
  handle({ world, account, params }) {
    markChatAsRead(world, requireChatWith(world, account, params.user_id))
  },
})

const markUnread = defineRoute({
  id: 'POST /v1/:account_id/chats/:user_id/mark-as-unread',
  permission: 'api_chats_mark_unread',
  summary: 'Mark a chat as unread',
  errors: ['chat_with_unknown', 'chat_without_fan'],
  rules: [
    "The fan's last message counts as unread again. Has no effect on an unread chat. Returns " +
      '400 if the chat has no message from the fan.',
  ],
  params: userParams,
  handle({ world, account, params }) {
    markChatAsUnread(world, requireChatWith(world, account, params.user_id))
  },
})

const markAllRead = defineRoute({
  id: 'POST /v1/:account_id/chats/mark-as-read',
  permission: 'api_chats_mark_all_read',
  evidence: 'path known only from a link; permission by analogy',
  summary: 'Mark all chats as read',
  handle({ world, account }) {
    markAllChatsAsRead(world, account)
  },
})

const listChatMedia = defineRoute({
  id: 'GET /v1/:account_id/chats/:user_id/media',
  permission: 'api_chats_list_media',
  summary: 'List the chat messages that contain media',
  errors: ['fan_unknown'],
  rules: [
    'Newest first. last_id is the last message of the previous page. nextLastId is null on the ' +
      'last page.',
    'type selects messages with at least one file of that kind. photos includes GIFs. ' +
      'opened=false and purchased=false have no effect.',
    'from_user is the buyer of the message. from_user has an effect only with purchased=true.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  params: userParams,
  query: () => ({
    limit: createPageLimitSchema(15, 50),
    last_id: optionalInteger.describe('The id of the last message on the previous page.'),
    type: z
      .enum(Object.keys(mediaTypes) as [keyof typeof mediaTypes, ...(keyof typeof mediaTypes)[]])
      .optional(),
    opened: queryFlag.default(false).describe('true: only opened messages.'),
    purchased: queryFlag.default(false).describe('true: only bought messages.'),
    from_user: optionalInteger.describe('The user id of the buyer. Ignored unless purchased=true.'),
  }),
  data: MessageMediaPage,
  handle({ world, account, params, query }) {
    const chat = findChat(world, account, params.user_id)
    if (chat === undefined) return new Page({ list: [], hasMore: false, nextLastId: null }, null)
    const { rows: messages, hasMore } = readMediaMessages(world, chat, {
      limit: query.limit,
      lastId: query.last_id,
      types: query.type && mediaTypes[query.type],
      isOpened: query.opened,
      isPurchased: query.purchased,
      buyer: query.from_user,
    })
    const nextLastId = hasMore ? (messages.at(-1)?.id ?? null) : null
    return new Page(
      {
        list: messages.map((message) => world.json(toMessageItem, message, 'all')),
        hasMore,
        nextLastId,
      },
      nextLastId === null ? null : { last_id: nextLastId },
    )
  },
})

const startTyping = defineRoute({
  id: 'POST /v1/:account_id/chats/:user_id/typing',
  permission: 'api_chats_start_typing',
  source: 'inferred',
  evidence: 'a sibling service',
  summary: 'Show the fan that the creator is typing',
  errors: ['fan_unknown', 'fan_blocked', 'fan_closed', 'fan_deleted'],
  rules: [
    'Stores nothing. Returns 403 if the account has blocked the fan, or the fan has closed their ' +
      'profile.',
  ],
  params: userParams,
  handle({ world, account, params }) {
    requireCanWrite(world, account, params.user_id)
  },
})

export const chatRoutes = [
  listChats,
  listChatLists,
  hideChatRoute,
  deleteChatRoute,
  muteChatRoute,
  unmuteChatRoute,
  markRead,
  markUnread,
  markAllRead,
  listChatMedia,
  startTyping,
]
