import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** The settings of a scenario for the conversations of an account. */
export const chatSizes = {
  chats: size(
    () => count.describe('Conversations with fans.'),
    0,
    ({ chats }: { chats: number }) => chats,
  ),
  messagesPerChat: size(
    () => count.describe('The most messages of a conversation. Default: 6.'),
    6,
  ),
}
export type ChatSizes = SizesOf<typeof chatSizes>
