import { z } from 'zod'
import { lazyInferredObject, lazyInferredList } from '../../lib/fields.ts'
import { MessageItem } from '../messages/schemas.ts'
import { UserView } from '../users/schemas.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { SandboxError } from '../../errors.ts'
import type { World } from '../world.ts'
import { toMessageItem } from '../messages/view.ts'
import {
  listCustomLists,
  getListMembers,
  requireUserList,
  listMemberIds,
} from '../user-lists/user-lists.ts'
import type { UserList } from '../user-lists/user-lists.table.ts'
import { countMemberPosts } from '../user-lists/view.ts'
import { toUserView } from '../users/users.ts'
import { toChatFilterKey, isShownInList, latestChatFirst } from './chats.table.ts'
import type { Chat, ChatFilter } from './chats.table.ts'
import { findWriteObstacle, findChatWith } from './chats.ts'
import { readPage, readIterablePage } from '../../api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import { SortedList } from '../../data/sorted-list.ts'
import { filterItems } from '../../lib/iterables.ts'
import { includesIgnoringCase } from '../../lib/text.ts'
import { findSubscription } from '../subscribers/find-subscription.ts'

/** A conversation with a fan. The reference documents only its id. */
export const ChatItem = lazyInferredObject(() => ({
  id: z.int().describe('The id of the conversation, not of the fan. Required to hide a chat.'),
  withUser: UserView,
  lastMessage: MessageItem,
  canSendMessage: z.boolean(),
  canNotSendReason: z
    .union([z.literal(false), z.string()])
    .describe('The reason why no message can be sent, or false if messages can be sent.'),
  canGoToProfile: z.boolean(),
  unreadMessagesCount: z.int(),
  lastReadMessageId: z.int().describe('0 if no message was read.'),
  hasUnreadTips: z.boolean(),
  isMutedNotifications: z.boolean(),
  hasPurchasedFeed: z.boolean().describe('True if the fan bought a message in this chat.'),
  countPinnedMessages: z.int(),
}))
type ChatItem = z.infer<typeof ChatItem>

/** A page of chats. */
export const ChatPage = lazyInferredList(ChatItem)

/** A user list by which the chat list can be filtered. */
export const ChatListItem = lazyInferredObject(() => ({
  id: z.int(),
  type: z.literal('custom'),
  name: z.string(),
  postsCount: z.int(),
}))

/** A page of user lists by which the chat list can be filtered. */
export const ChatListPage = lazyInferredList(ChatListItem)

/** Converts a chat to its API form. If `skipUsers` is `none`, includes all fields of the fan. */
export function toChatItem(world: World, chat: Chat, skipUsers: 'all' | 'none'): ChatItem {
  const last = world.db.messages.get(chat.lastMessageId)
  if (last === undefined) {
    const chatName = `chat ${chat.id} (lastMessageId ${chat.lastMessageId})`
    throw new SandboxError(
      `Failed to show ${chatName}: the message does not exist. Load chats together with their ` +
        'messages.',
    )
  }
  const obstacle = findWriteObstacle(world, chat.accountId, chat.fanId)
  return {
    id: chat.id,
    withUser: toUserView(world, chat.accountId, chat.fanId, skipUsers),
    lastMessage: toMessageItem(world, last, skipUsers),
    canSendMessage: obstacle === undefined,
    canNotSendReason: obstacle ?? false,
    canGoToProfile: obstacle !== 'deleted',
    unreadMessagesCount: chat.unreadCount,
    lastReadMessageId: chat.lastReadMessageId,
    hasUnreadTips: chat.hasUnreadTips,
    isMutedNotifications: chat.isMuted,
    hasPurchasedFeed: world.db.messages.in('sold', chat.id).size > 0,
    countPinnedMessages: chat.pinnedCount,
  }
}

/** Returns the account's custom user lists, for the filter of the chat list. */
export function listChatUserLists(world: World, account: Account) {
  return listCustomLists(world, account.id).map((list) => world.json(toChatList, list, account))
}

function toChatList(world: World, { id, name }: UserList, account: Account) {
  const members = getListMembers(world, account, requireUserList(world, account, id))
  return {
    id,
    type: 'custom' as const,
    name,
    postsCount: countMemberPosts(world, account, members),
  }
}

/** Query parameters of the chat list. */
interface ChatQuery extends PageQuery {
  order: 'recent' | 'old'
  filter?: ChatFilter
  /** Id of a user list. Only chats with its members are returned. */
  listId?: number
  /** Part of the fan's name, display name or username, case-insensitive. */
  text?: string
}

/** Returns one page of the account's shown chats, sorted by their latest message. */
export function readChats(world: World, account: Account, query: ChatQuery): ListPage<Chat> {
  const { order, filter, listId, text = '' } = query
  const shown = world.db.chats.in('shown', toChatFilterKey(account.id, filter))
  const rows =
    listId === undefined
      ? shown
      : listChatsWithMembers(world, account, {
          shown,
          members: listMemberIds(world, account, listId),
        })
  const backwards = order === 'old'
  if (text === '') return readPage(rows, query, { backwards })
  const matches = createChatFilter(world, text)
  return readIterablePage(
    filterItems(rows.walk(backwards ? rows.size - 1 : 0, backwards), matches),
    query,
  )
}

/**
 * Returns the shown chats with members of a user list. Iterates over the shorter of the two lists.
 */
function listChatsWithMembers(
  world: World,
  account: Account,
  { shown, members }: { shown: SortedList<Chat>; members: readonly number[] },
): SortedList<Chat> {
  if (members.length < shown.size) {
    const chats = members.flatMap((fanId) => findChatWith(world, account.id, fanId) ?? [])
    return SortedList.from(chats.filter(isShownInList), latestChatFirst)
  }
  const memberSet = new Set(members)
  return SortedList.from(
    shown.slice().filter((chat) => memberSet.has(chat.fanId)),
    latestChatFirst,
  )
}

/** Returns a predicate for chats with a fan whose name contains the text. */
function createChatFilter(world: World, text: string): (chat: Chat) => boolean {
  const hasText = (value: string | null | undefined) =>
    value != null && includesIgnoringCase(value, text)
  return (chat) => {
    const fan = world.db.fans.get(chat.fanId)
    const displayName = findSubscription(world, chat.accountId, chat.fanId)?.displayName
    return hasText(fan?.name) || hasText(fan?.username) || hasText(displayName)
  }
}
