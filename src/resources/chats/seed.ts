import { partition } from '../../engine/store/sorted-list.ts'
import { fromIso, toIso } from '../../engine/time.ts'
import type { Field, Sower } from '../../world/sowing.ts'
import type { Subscription } from '../fans/fans.table.ts'
import type { Message } from '../messages/messages.table.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import { freshChat } from './chats.ts'
import { conversation } from './dialogue.ts'

const hourMs = 3_600_000

/** Sows conversations with some of the fans; returns the creator's paid messages. */
export function sowChats(sower: Sower, { account, data }: Field, { fans, vault }: { fans: readonly Subscription[]; vault: readonly VaultMedia[] }): Message[] {
  const { random, rows } = sower
  const ready = vault.filter((media) => media.isReady)
  const readyBy = (instant: string) => ready.slice(0, partition(ready, (media) => media.createdAt > instant))
  const paid: Message[] = []
  for (const fan of fans.slice(0, data.chats)) {
    const chatId = sower.nextId('chats')
    let time = fromIso(fan.subscribedAt)
    const lines = conversation(sower, random.integer(1, Math.max(1, data.messagesPerChat)))
    for (const [place, { text, isFromFan, isOffer }] of lines.entries()) {
      const pause = isFromFan && place > 0 && random.chance(0.4) ? random.integer(20, 200) * hourMs : random.integer(2, 90) * 60_000
      time = Math.min(time + pause, sower.now - (lines.length - place) * 60_000)
      const createdAt = toIso(time)
      const media = isOffer ? readyBy(createdAt) : []
      const price = media.length > 0 ? random.pick(sower.texts.prices.messages) : 0
      // Written out: spreading the plain fields into each of so many would take ten times as long.
      const message = {
        id: sower.nextId('messages'),
        accountId: account.id,
        chatId,
        fanId: fan.fanId,
        isFromFan,
        text,
        price,
        lockedText: false,
        giphyId: null,
        mediaFiles: media.length > 0 ? [random.pick(media).id] : [],
        previews: [],
        mediaReadyAt: null,
        createdAt,
        changedAt: createdAt,
        isTip: false,
        isLiked: false,
        isPinned: false,
        isOpened: false,
        isViewed: false,
        purchasedAt: null,
        queueId: null,
        replyToMessageId: null,
        rfTag: [],
        rfPartner: [],
        rfGuest: [],
      }
      rows.messages.push(message)
      if (price > 0) paid.push(message)
    }
    rows.chats.push({ ...freshChat, id: chatId, accountId: account.id, fanId: fan.fanId, isHidden: random.chance(0.05), lastMessageAt: toIso(time) })
  }
  return paid
}
