import { toHtml } from '../../lib/text.ts'
import { parseIso, hourMs, minuteMs, toIsoTime } from '../../lib/time.ts'
import { getEdgeCaseText } from '../../seed/edge-texts.ts'
import { createPhraseContext } from '../../seed/phrase-context.ts'
import { createRandom } from '../../world/random.ts'
import { appendRows, shuffle } from '../../seed/seeding.ts'
import type { AccountPlan, SeedContext } from '../../seed/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import type { Fan } from '../fans/fans.table.ts'
import { deriveLanguage } from '../fans/names.ts'
import { pickTrendingGifId } from '../gifs/gifs.ts'
import type { MassMessageSizes } from '../mass-messages/sizes.ts'
import { createMessage } from '../messages/new-message.ts'
import type { Payment } from '../payments/seeded-transactions.ts'
import { getPlannedPayments } from '../payments/planned-payments.ts'
import type { PaymentSizes } from '../payments/sizes.ts'
import { createLatestActivityLookup } from '../subscribers/latest-activity.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { deriveFanFacts } from './fan-facts.ts'
import { createBundles } from './bundles.ts'
import { createChat } from './chats.ts'
import { DialogueWriter } from './dialogue.ts'
import { deriveFanHabits } from './fan-habits.ts'
import { addFanPhoto } from './fan-photos.ts'
import { createPostLookup } from './post-values.ts'
import { createScenePlanner } from './scene-plan.ts'
import type { ChatSizes } from './sizes.ts'
import { getAccountDialogues } from './stock.ts'
import { createTextLine } from './chat-line.ts'
import type { ChatLine } from './chat-line.ts'
import { Conversation } from './conversation.ts'
import { listGifts } from './gifts.ts'
import { addTipMessages, groupTipsByFan } from './tips.ts'

type Plan = AccountPlan<ChatSizes & PaymentSizes & AccountSizes & MassMessageSizes>

/** Maximum and minimum number of messages in a long conversation. */
const longest = { most: 270, least: 116 }
/**
 * Maximum number of messages in a conversation of medium length, and the number of such
 * conversations as a multiple of the long ones.
 */
const medium = { most: 88, share: 0.7 }

/**
 * Probabilities that a fan buys an offer, for the best spender (best), the last fan with a long
 * chat (long), other buyers (buyer), and all other fans. Some fans with a long chat send tips, but
 * buy nearly no offers (tipper).
 */
const buying = { best: 0.8, long: 0.6, buyer: 0.26, tipper: 0.03, other: 0 }
/** Fraction of fans with a long chat who buy nearly no offers. */
const tipperShare = 0.1

/** Fraction of fans who write only once and do not reply to later messages. */
const silentShare = 0.14

/** A conversation to seed: the fan, its length, and the tips that it mentions. */
interface PlannedChat {
  fan: Subscription
  most: number
  isLong: boolean
  buys: number
  tips: readonly Payment[]
}

/**
 * Seeds the conversations of an account: long conversations with the best spenders, shorter
 * conversations with others, and a thank-you message for each large tip.
 */
export function seedChats(seeding: SeedContext, plan: Plan): void {
  const { random, rows, now } = seeding
  const { account, persona, sizes } = plan
  const { texts } = seeding
  const chats = planChats(seeding, plan)
  seeding.requireRoom(chats.reduce((sum, { most }) => sum + most, 0))
  const lastActiveAt = createLatestActivityLookup(seeding, account)
  const dialogues = getAccountDialogues(seeding, account.id)
  const planScenes = createScenePlanner(random, {
    persona,
    arcs: shuffle(seeding.branch('arcs').random, dialogues.arcs),
    parse: (written) => seeding.exchanges.parse(written),
    longChats: sizes.longChats,
  })
  const writer = new DialogueWriter(seeding.branch('dialogues').random, {
    texts: { dialogues },
    persona,
    exchanges: seeding.exchanges,
  })
  const bundles = createBundles(seeding.branch('bundles'), plan)
  const gifts = listGifts(rows, persona)
  const posts = createPostLookup(rows.posts, rows.subscriptions, persona)
  const fans = new Map<number, Fan>()
  for (const fan of [...rows.fans, ...(seeding.sharedFans.get(account.id) ?? [])])
    fans.set(fan.id, fan)
  for (const { fan, most, isLong, buys, tips } of chats) {
    const { fanId } = fan
    const language = deriveLanguage(texts, fanId)
    const { name = '', username = '' } = fans.get(fanId) ?? {}
    const facts = deriveFanFacts(texts, { id: fanId, name })
    const life = deriveFanHabits(texts, { id: fanId, facts })
    const conversation = new Conversation({
      random,
      writer,
      persona,
      fanId,
      username,
      language,
      now,
      lastActiveAt: lastActiveAt(fanId),
      buys,
      heard: seeding.heardIn(account.id, fanId),
      facts,
      life,
      isSilent: !isLong && buys === 0 && createRandom(0, 'silent', fanId).chance(silentShare),
      bundles: sizes.transactions > 0 || sizes.texts !== 'edge' ? bundles : [],
      gifts: sizes.texts === 'edge' ? [] : gifts,
      posts,
      spans: fan.spans,
    })
    const scenes =
      most === 0
        ? []
        : planScenes(fan, {
            now: lastActiveAt(fanId),
            most,
            canBuy: buys > 0,
            isLong,
            life,
            canTell: (story) =>
              writer.canTell(story, createPhraseContext(persona, now), conversation.memoryAt(now)),
          })
    const said = conversation.play(scenes, most)
    appendRows(said, conversation.sendFurtherOffers())
    if (tips.length > 0) {
      const memoryAt = (at: number) => conversation.memoryAt(at)
      appendRows(said, addTipMessages(seeding, { tips, persona, writer, memoryAt }))
    }
    said.sort((one, other) => one.at - other.at)
    if (said.length === 0 && most > 0) {
      const wait = createRandom(0, 'opening', fanId).integer(10 * minuteMs, hourMs)
      const at = Math.min(parseIso(fan.subscribedAt) + wait, lastActiveAt(fanId) - 1000)
      const { values } = conversation.memoryAt(at)
      said.push(createTextLine(writer.open(createPhraseContext(persona, at), values), true, at))
    }
    addChat(seeding, plan, { fan, said })
  }
}

/** Plans the conversations, starting with the best spenders. */
function planChats(seeding: SeedContext, { sizes }: Plan): PlannedChat[] {
  const { random, rows } = seeding
  const { payments, spenders } = getPlannedPayments(rows)
  const tips = groupTipsByFan(rows, payments)
  const counted = new Set(rows.subscriptions.slice(0, sizes.transactionsPerFan.length))
  const buyers = spenders.map(({ fan }) => fan)
  const isBuyer = new Set(buyers)
  const long = buyers.slice(0, sizes.longChats)
  const others = rows.subscriptions.filter((fan) => !isBuyer.has(fan))
  const short = [...buyers.slice(sizes.longChats), ...others].slice(0, sizes.chats)
  const { most, least } = longest
  const planned: PlannedChat[] = long.map((fan, rank) => ({
    fan,
    most:
      Math.round(least + (most - least) * (1 - (rank + 1) / (long.length + 1)) ** 3) +
      random.integer(0, 20),
    isLong: true,
    buys:
      rank > 0 && random.chance(tipperShare)
        ? buying.tipper
        : buying.best + ((buying.long - buying.best) * rank) / long.length,
    tips: tips.get(fan.fanId) ?? [],
  }))
  const mediumChats = Math.floor(sizes.longChats * medium.share)
  for (const [rank, fan] of short.entries())
    planned.push({
      fan,
      most:
        random.integer(1, Math.max(1, sizes.messagesPerChat)) +
        Math.round(medium.most * Math.max(0, 1 - (rank + 1) / (mediumChats + 1)) ** 1.5),
      isLong: false,
      buys: isBuyer.has(fan) && !counted.has(fan) ? buying.buyer : buying.other,
      tips: tips.get(fan.fanId) ?? [],
    })
  // Creators also thank fans for a large tip if they have no conversation with them.
  const chatting = new Set(planned.map(({ fan }) => fan.fanId))
  for (const fan of sizes.chats + sizes.longChats === 0 ? [] : buyers)
    if (!chatting.has(fan.fanId) && tips.has(fan.fanId))
      planned.push({ fan, most: 0, isLong: false, buys: 0, tips: tips.get(fan.fanId) ?? [] })
  return planned
}

/** Adds a chat with its messages, unless there are no messages. */
function addChat(
  seeding: SeedContext,
  { account, sizes }: Plan,
  { fan, said }: { fan: Subscription; said: readonly ChatLine[] },
): void {
  const { random, rows, texts } = seeding
  const last = said.at(-1)
  if (last === undefined) return
  const chatId = seeding.nextId('chats')
  const { fanId } = fan
  const { refunded } = getPlannedPayments(rows)
  let before = 0
  for (const {
    at,
    text,
    isFromFan,
    bundle,
    boughtAt,
    isRefunded,
    gift,
    isGif,
    photo,
    isReply,
    tip,
  } of said) {
    const id = seeding.nextId('messages')
    const createdAt = toIsoTime(at)
    const photoId =
      photo === undefined
        ? gift?.mediaId
        : addFanPhoto(seeding, account, { fanId, at, name: photo })
    const mediaFiles = bundle?.mediaIds ?? (photoId === undefined ? undefined : [photoId])
    rows.messages.push(
      createMessage({
        id,
        accountId: account.id,
        chatId,
        fanId,
        isFromFan,
        text: sizes.texts === 'edge' ? getEdgeCaseText(texts, id) : text === '' ? '' : toHtml(text),
        price: bundle === undefined ? 0 : bundle.priceAt(at),
        mediaFiles,
        giphyId: isGif ? pickTrendingGifId(random, texts.gifs) : null,
        createdAt,
        isTip: tip !== undefined,
        purchasedAt: boughtAt === undefined ? null : toIsoTime(boughtAt),
        replyToMessageId: isReply && before !== 0 ? before : null,
      }),
    )
    if (tip !== undefined) tip.messageId = id
    if (isRefunded) refunded.add(id)
    before = id
  }
  const isHidden = random.chance(0.05) && !sizes.equalTimes
  rows.chats.push(
    createChat({
      id: chatId,
      accountId: account.id,
      fanId,
      isHidden,
      lastMessageAt: toIsoTime(last.at),
    }),
  )
}
