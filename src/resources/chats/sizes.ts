import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

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
