import { partitionPoint } from '../../lib/partition-point.ts'
import { toHtml } from '../../lib/text.ts'
import { fromIso, toIso } from '../../lib/time.ts'
import { edgeText } from '../../seed/edge-texts.ts'
import type { AccountPlan, Seeding } from '../../seed/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { languageOf } from '../fans/names.ts'
import { newMessage } from '../messages/new-message.ts'
import type { PaymentSizes } from '../payments/sizes.ts'
import { lastDeedsOn } from '../subscribers/last-deeds.ts'
import { newChat } from './chats.ts'
import { DialogueWriter } from './dialogue.ts'
import { createScenePlan } from './scene-plan.ts'
import type { ChatSizes } from './sizes.ts'
import { playScenes } from './talk.ts'

type Plan = AccountPlan<ChatSizes & PaymentSizes & AccountSizes>

/**
 * Seeds conversations with the first `sizes.chats` fans of the account: scenes over the time of
 * their subscription.
 */
export function seedChats(seeding: Seeding, { account, sizes, persona }: Plan): void {
  const { random, rows, now } = seeding
  const fans = rows.subscriptions
  const ready = rows.vaultMedia.filter((media) => media.isReady)
  const countReadyBy = (instant: string) =>
    partitionPoint(ready, (media) => media.createdAt > instant)
  const chatting = fans.slice(0, sizes.chats)
  const lastDeed = lastDeedsOn(seeding, account)
  const planScenes = createScenePlan(random, persona)
  const writer = new DialogueWriter(seeding.branch('dialogues').random, {
    texts: seeding.texts,
    persona,
  })
  // A conversation has half of the most messages on average.
  seeding.requireRoom(Math.floor((chatting.length * sizes.messagesPerChat) / 2))
  for (const [place, fan] of chatting.entries()) {
    const chatId = seeding.nextId('chats')
    const maxLines = random.integer(1, Math.max(1, sizes.messagesPerChat))
    const canBuy = sizes.transactions > 0 && place >= sizes.transactionsPerFan.length
    const stage = {
      writer,
      persona,
      now,
      lastDeed: lastDeed(fan.fanId),
      canBuy,
      language: languageOf(seeding.texts.names, fan.fanId),
      canSell: (at: number) => countReadyBy(toIso(at)) > 0,
    }
    let made = 0
    let last = fromIso(fan.subscribedAt)
    for (const { at, text, isFromFan, isOffer, boughtAt } of playScenes(random, stage, {
      scenes: planScenes(fan, { now: stage.lastDeed, maxLines }),
      maxLines,
    })) {
      made += 1
      const createdAt = toIso(at)
      const media = isOffer === true ? ready.slice(0, countReadyBy(createdAt)) : []
      const id = seeding.nextId('messages')
      rows.messages.push(
        newMessage({
          id,
          accountId: account.id,
          chatId,
          fanId: fan.fanId,
          isFromFan,
          text: sizes.texts === 'edge' ? edgeText(seeding.texts, id) : toHtml(text),
          price: media.length > 0 ? random.pick(seeding.texts.prices.messages) : 0,
          mediaFiles: media.length > 0 ? [random.pick(media).id] : undefined,
          createdAt,
          purchasedAt: boughtAt === undefined ? null : toIso(boughtAt),
        }),
      )
      last = at
    }
    const isHidden = random.chance(0.05) && !sizes.equalTimes
    rows.chats.push(
      newChat({
        id: chatId,
        accountId: account.id,
        fanId: fan.fanId,
        isHidden,
        lastMessageAt: toIso(last),
      }),
    )
  }
}
