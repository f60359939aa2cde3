import { z } from 'zod'
import { markAsInferred } from '../../lib/fields.ts'
import { MessageItem } from '../messages/schemas.ts'
import { UserView } from '../users/schemas.ts'

/** A conversation with a fan. The reference documents only its id. */
export const ChatItem = z.lazy(() =>
  markAsInferred(
    z.object({
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
    }),
  ),
)
export type ChatItem = z.infer<typeof ChatItem>

/** A page of chats. */
export const ChatPage = z.lazy(() =>
  markAsInferred(z.object({ list: z.array(ChatItem), hasMore: z.boolean() })),
)

/** A user list by which the chat list can be filtered. */
export const ChatListItem = z.lazy(() =>
  markAsInferred(
    z.object({ id: z.int(), type: z.literal('custom'), name: z.string(), postsCount: z.int() }),
  ),
)

/** A page of user lists by which the chat list can be filtered. */
export const ChatListPage = z.lazy(() =>
  markAsInferred(z.object({ list: z.array(ChatListItem), hasMore: z.boolean() })),
)
