import { partition } from '../../engine/store/sorted-list.ts'
import { fromIso, toIso } from '../../engine/time.ts'
import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import { freshChat } from './chats.ts'
import { conversation } from './dialogue.ts'
import type { ChatSizes } from './sizes.ts'

const hourMs = 3_600_000

/** Seeds conversations with some of the fans. */
export function seedChats(seeding: Seeding, { account, sizes }: AccountPlan<ChatSizes>): void {
  const { random, rows } = seeding
  const fans = ownRows(rows.subscriptions, account)
  const ready = ownRows(rows.vaultMedia, account).filter((media) => media.isReady)
  const readyBy = (instant: string) =>
    ready.slice(
      0,
      partition(ready, (media) => media.createdAt > instant),
    )
  for (const fan of fans.slice(0, sizes.chats)) {
    const chatId = seeding.nextId('chats')
    let time = fromIso(fan.subscribedAt)
    const lines = conversation(seeding, random.integer(1, Math.max(1, sizes.messagesPerChat)))
    for (const [place, { text, isFromFan, isOffer }] of lines.entries()) {
      const pause = isFromFan && place > 0 && random.chance(0.4) ? random.integer(20, 200) * hourMs : random.integer(2, 90) * 60_000
      time = Math.min(time + pause, seeding.now - (lines.length - place) * 60_000)
      const createdAt = toIso(time)
      const media = isOffer ? readyBy(createdAt) : []
      const price = media.length > 0 ? random.pick(seeding.texts.prices.messages) : 0
      // Written out: spreading the plain fields into each of so many would take ten times as long.
      const message = {
        id: seeding.nextId('messages'),
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
    }
    rows.chats.push({
      ...freshChat,
      id: chatId,
      accountId: account.id,
      fanId: fan.fanId,
      isHidden: random.chance(0.05),
      lastMessageAt: toIso(time),
    })
  }
}
