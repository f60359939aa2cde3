import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { SandboxError } from '../../errors.ts'
import type { World } from '../world.ts'
import { toMessageItem } from '../messages/view.ts'
import { listCustomLists, getListMembers, requireUserList } from '../user-lists/user-lists.ts'
import type { UserList } from '../user-lists/user-lists.table.ts'
import { countMemberPosts } from '../user-lists/view.ts'
import { toUserView } from '../users/users.ts'
import type { Chat } from './chats.table.ts'
import { findWriteObstacle } from './chats.ts'
import type { ChatItem } from './schemas.ts'

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
    canGoToProfile: true,
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
