import type { ChatItem } from '../schemas/chats.ts'
import { canWriteTo } from './chats.ts'
import type { Chat } from './chats.ts'
import { messageItem } from './message-view.ts'
import type { Account } from './organisations.ts'
import { customLists, isMember } from './user-lists.ts'
import { viewUser } from './users.ts'
import type { World } from './world.ts'

/** The chat as the API shows it, its users short or in full. */
export function toChatItem(world: World, chat: Chat, skipUsers: 'all' | 'none'): ChatItem {
  const last = world.db.messages.in('byChat', chat.id).at(0)
  const canSendMessage = canWriteTo(world, chat.accountId, chat.fanId)
  return {
    id: chat.id,
    withUser: viewUser(world, chat.accountId, chat.fanId, skipUsers),
    lastMessage: last === undefined ? null : messageItem(world, last, skipUsers),
    canSendMessage,
    canNotSendReason: canSendMessage ? false : 'blocked',
    canGoToProfile: true,
    unreadMessagesCount: chat.unreadCount,
    lastReadMessageId: chat.lastReadMessageId,
    hasUnreadTips: chat.hasUnreadTips,
    isMutedNotifications: chat.isMuted,
    hasPurchasedFeed: world.db.messages.in('sold', chat.id).size > 0,
    countPinnedMessages: chat.pinnedCount,
  }
}

/** The account's own user lists as filters of its chats; the posts are those of the creators among their members. */
export function chatLists(world: World, account: Account) {
  const creators = world.db.accounts.all()
  return customLists(world, account.id).map(({ id, name }) => {
    const members = creators.filter((creator) => isMember(world, id, creator.id))
    const postsCount = members.reduce((sum, creator) => sum + world.db.posts.in('published', creator.id).size, 0)
    return { id, type: 'custom' as const, name, postsCount }
  })
}
