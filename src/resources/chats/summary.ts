import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { toPlainText } from '../../engine/text.ts'
import type { World } from '../../world/world.ts'
import { fanKey } from '../fans/fans.table.ts'

/** What the chat of an account with a fan is about: how much was said, and the fan's last words. Nulls while nothing was. */
export function summariseChat(world: World, account: Account, fanId: number): { summary: string | null; generated_at: string | null } {
  const chat = world.db.chats.in('byFan', fanKey(account.id, fanId)).at(0)
  const messages = chat === undefined ? [] : world.db.messages.in('byChat', chat.id).slice()
  const [newest] = messages
  if (newest === undefined) return { summary: null, generated_at: null }
  const fromFan = messages.filter((message) => message.isFromFan)
  const paid = messages.filter((message) => message.price > 0).length
  const counts = `${messages.length} messages, ${fromFan.length} of them from the fan${paid === 0 ? '' : `, ${paid} paid ones from the creator`}.`
  const words = fromFan[0] === undefined ? '' : ` The fan's last words: “${toPlainText(fromFan[0].text)}”`
  return { summary: `${counts}${words}`, generated_at: newest.createdAt }
}
