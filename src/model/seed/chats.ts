import { fromIso, toIso } from '../../schemas/time.ts'
import type { Message } from '../chats.ts'
import type { Subscription } from '../fans.ts'
import type { VaultMedia } from '../vault.ts'
import type { Field, Sower } from './sowing.ts'
import { messageText } from './texts.ts'

const hourMs = 3_600_000

/** Sows conversations with some of the fans; returns the creator's paid messages. */
export function sowChats(sower: Sower, { account, data }: Field, { fans, vault }: { fans: readonly Subscription[]; vault: readonly VaultMedia[] }): Message[] {
  const { random, rows } = sower
  const ready = vault.filter((media) => media.isReady)
  const paid: Message[] = []
  for (const fan of fans.slice(0, data.chats)) {
    const chatId = sower.nextId('chats')
    let time = fromIso(fan.subscribedAt)
    let isFromFan = true
    for (let left = random.integer(1, Math.max(1, data.messagesPerChat)); left > 0; left -= 1) {
      time = Math.min(time + random.integer(2, 90) * 60_000 + (random.chance(0.2) ? random.integer(20, 200) * hourMs : 0), sower.now - left * 60_000)
      const price = !isFromFan && ready.length > 0 && random.chance(0.25) ? random.pick([5, 8, 10, 12, 15, 20]) : 0
      const message = {
        id: sower.nextId('messages'),
        accountId: account.id,
        chatId,
        fanId: fan.fanId,
        isFromFan,
        text: messageText(sower, isFromFan),
        price,
        mediaFiles: price > 0 ? [random.pick(ready).id] : [],
        createdAt: toIso(time),
        rfTag: [],
        rfPartner: [],
        rfGuest: [],
      }
      rows.messages.push(message)
      if (price > 0) paid.push(message)
      isFromFan = random.chance(0.3) ? isFromFan : !isFromFan
    }
    rows.chats.push({ id: chatId, accountId: account.id, fanId: fan.fanId, isHidden: random.chance(0.05), lastMessageAt: toIso(time) })
  }
  return paid
}
