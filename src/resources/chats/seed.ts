import { partition } from '../../engine/store/sorted-list.ts'
import { fromIso, toIso, hourMs, minuteMs } from '../../engine/time.ts'
import type { Work } from '../../engine/work.ts'
import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import { newMessage } from '../messages/new-message.ts'
import { emptyChat } from './chats.ts'
import { conversation } from './dialogue.ts'
import type { ChatSizes } from './sizes.ts'

/** How many messages are made in one unit of work. */
const linesPerUnit = 500

/** Seeds conversations with the first `sizes.chats` fans of the account. */
export function* seedChats(seeding: Seeding, { account, sizes }: AccountPlan<ChatSizes>): Work {
  const { random, rows } = seeding
  const fans = ownRows(rows.subscriptions, account)
  const ready = ownRows(rows.vaultMedia, account).filter((media) => media.isReady)
  const countReadyBy = (instant: string) => partition(ready, (media) => media.createdAt > instant)
  const chatting = fans.slice(0, sizes.chats)
  // A conversation has half of the most messages on average.
  seeding.requireRoom('messages', Math.floor((chatting.length * sizes.messagesPerChat) / 2))
  for (const fan of chatting) {
    yield
    const chatId = seeding.nextId('chats')
    let time = fromIso(fan.subscribedAt)
    const lines = conversation(seeding, random.integer(1, Math.max(1, sizes.messagesPerChat)))
    for (const [index, { text, isFromFan, isOffer }] of lines.entries()) {
      if (index % linesPerUnit === linesPerUnit - 1) yield
      const isLongPause = isFromFan && index > 0 && random.chance(0.4)
      const pause = isLongPause ? random.integer(20, 200) * hourMs : random.integer(2, 90) * minuteMs
      time = Math.min(time + pause, seeding.now - (lines.length - index) * minuteMs)
      const createdAt = toIso(time)
      const media = isOffer ? ready.slice(0, countReadyBy(createdAt)) : []
      const price = media.length > 0 ? random.pick(seeding.texts.prices.messages) : 0
      const id = seeding.nextId('messages')
      const mediaFiles = media.length > 0 ? [random.pick(media).id] : []
      rows.messages.push(newMessage({ id, accountId: account.id, chatId, fanId: fan.fanId, isFromFan, text, price, mediaFiles, createdAt }))
    }
    rows.chats.push({
      ...emptyChat,
      id: chatId,
      accountId: account.id,
      fanId: fan.fanId,
      isHidden: random.chance(0.05),
      lastMessageAt: toIso(time),
    })
  }
}
