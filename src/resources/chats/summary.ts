import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toPlainText } from '../../lib/text.ts'
import type { World } from '../world.ts'
import { findChatWith } from './chats.ts'

/**
 * Summarises the account's chat with a fan: the number of messages, and the fan's last message. All
 * values are null if the chat has no messages.
 */
export function summariseChat(
  world: World,
  account: Account,
  fanId: number,
): { summary: string | null; generated_at: string | null } {
  const chat = findChatWith(world, account.id, fanId)
  const messages = chat === undefined ? [] : world.db.messages.in('byChat', chat.id).slice()
  const [newest] = messages
  if (newest === undefined) return { summary: null, generated_at: null }
  const fromFan = messages.filter((message) => message.isFromFan)
  const paid = messages.filter((message) => message.price > 0).length
  const paidCount = paid === 0 ? '' : `, ${paid} paid ones from the creator`
  const counts = `${messages.length} messages, ${fromFan.length} of them from the fan${paidCount}.`
  const words =
    fromFan[0] === undefined ? '' : ` The fan's last words: “${toPlainText(fromFan[0].text)}”`
  return { summary: `${counts}${words}`, generated_at: newest.createdAt }
}
