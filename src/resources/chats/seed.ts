import { toHtml } from '../../lib/text.ts'
import { minuteMs, parseIso, toIsoTime } from '../../lib/time.ts'
import { getEdgeCaseText } from '../../seed/given-names.ts'
import { appendRows } from '../seeding.ts'
import type { AccountPlan, SeedContext } from '../seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { listTextValues } from '../fans/fan-values.ts'
import { pickTrendingGifId } from '../gifs/gifs.ts'
import type { MassMessageSizes } from '../mass-messages/mass-messages.table.ts'
import { createMessage } from '../messages/messages.ts'
import type { Payment } from '../payments/seeded-transactions.ts'
import { getPlannedPayments } from '../payments/seeded-transactions.ts'
import type { PaymentSizes } from '../payments/transactions.table.ts'
import {
  createLatestActivityLookup,
  resolveAccountAndFan,
} from '../subscribers/find-subscription.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { createBundles, listGifts } from './seeded-bundles.ts'
import { ChatPlayer } from './chat-player.ts'
import type { ChatLine } from './chat-player.ts'
import { createChat, findChatWith, computeChatSpending } from './chats.ts'
import { ExchangePicker, groupByKind, spellLine } from './exchanges.ts'
import { deriveFanLife } from './fan-life.ts'
import { ScenePlanner } from './scenes.ts'
import type { ChatSizes } from './chats.table.ts'
import { addTipMessages, groupTipsByFan } from './seeded-tips.ts'
import { mediaManifest } from '../../generated/media-manifest.ts'
import type { MediaAsset } from '../../generated/media-manifest.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createMedia } from '../vault/files.ts'
import { SandboxError } from '../../errors.ts'
import { defineFactory } from '../define.ts'

type Plan = AccountPlan<ChatSizes & PaymentSizes & AccountSizes & MassMessageSizes>

/** Maximum and minimum number of messages in a long chat. */
const longest = { most: 70, least: 36 }

/**
 * Probabilities that a fan buys an offer, for the best spender (best), the last fan with a long
 * chat (long), other buyers (buyer), and all other fans.
 */
const buying = { best: 0.95, long: 0.9, buyer: 0.5, other: 0 }

/** Time from the subscription to the first message of a fan without any exchange. */
const openingMs = 17 * minuteMs

/** A chat to seed: the fan, its length, and the tips that it mentions. */
interface PlannedChat {
  fan: Subscription
  count: number
  isLong: boolean
  buys: number
  tips: readonly Payment[]
}

/**
 * Seeds the chats of an account: long chats with the best spenders, shorter chats with others, and
 * a thank-you message for each large tip.
 */
export function seedChats(seeding: SeedContext, plan: Plan): void {
  const { random, rows, now, texts, picker, conversations } = seeding
  const { account, persona, sizes } = plan
  const chats = planChats(seeding, plan)
  seeding.requireRoom(chats.reduce((sum, { count }) => sum + count, 0))
  const lastActiveAt = createLatestActivityLookup(seeding, account)
  const exchanges = new ExchangePicker(picker, { persona, shared: groupByKind(texts.exchanges) })
  const planner = new ScenePlanner(random, persona, exchanges)
  const isEdge = sizes.texts === 'edge'
  const bundles =
    sizes.transactions > 0 || !isEdge ? createBundles(seeding.branch('bundles'), plan) : []
  const gifts = isEdge ? [] : listGifts(rows, persona)
  const fans = new Map(seeding.listFans(account.id).map((fan) => [fan.id, fan]))
  // Each conversation is told once, so the accounts share them.
  let conversationsLeft = Math.ceil(
    (texts.conversations.length * sizes.longChats) / countLongChats(seeding),
  )
  for (const { fan, count, isLong, buys, tips } of chats) {
    const { fanId } = fan
    const life = deriveFanLife(texts, fanId)
    const heard = seeding.heardIn(account.id, fanId)
    const values = listTextValues(texts, { fan: fans.get(fanId), account })
    const { scenes, conversation } =
      count === 0
        ? { scenes: [], conversation: undefined }
        : planner.plan({
            fan,
            life,
            until: lastActiveAt(fanId),
            count,
            canBuy: buys > 0,
            values,
            heard,
            conversations: isLong && conversationsLeft > 0 ? conversations : [],
          })
    if (conversation !== undefined) {
      conversations.delete(conversation)
      conversationsLeft -= 1
    }
    const said = new ChatPlayer({
      random,
      picker,
      exchanges,
      persona,
      fanId,
      place: life,
      now,
      lastActiveAt: lastActiveAt(fanId),
      buys,
      heard,
      values,
      bundles,
      gifts,
      spans: fan.spans,
    }).play(scenes)
    if (tips.length > 0)
      appendRows(said, addTipMessages(seeding, { tips, persona, exchanges, values, heard }))
    said.sort((one, other) => one.at - other.at)
    // A fan without any exchange, for example because the subscription is too short, says hello.
    if (said.length === 0 && count > 0) {
      const at = Math.min(parseIso(fan.subscribedAt) + openingMs, lastActiveAt(fanId) - 1000)
      said.push({ text: spellLine('hi', { isFromFan: true, fanId, persona }), isFromFan: true, at })
    }
    addChat(seeding, plan, { fan, said })
  }
}

/** Counts the long chats of all accounts. */
function countLongChats({ accounts }: SeedContext): number {
  return accounts.reduce((sum, { data }) => sum + (data as ChatSizes).longChats, 0)
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
    count:
      Math.round(least + (most - least) * (1 - (rank + 1) / (long.length + 1)) ** 3) +
      random.integer(0, 20),
    isLong: true,
    buys: buying.best + ((buying.long - buying.best) * rank) / long.length,
    tips: tips.get(fan.fanId) ?? [],
  }))
  for (const fan of short)
    planned.push({
      fan,
      count: random.integer(1, Math.max(1, sizes.messagesPerChat)),
      isLong: false,
      buys: isBuyer.has(fan) && !counted.has(fan) ? buying.buyer : buying.other,
      tips: tips.get(fan.fanId) ?? [],
    })
  // Creators also thank fans for a large tip if they have no conversation with them.
  const chatting = new Set(planned.map(({ fan }) => fan.fanId))
  for (const fan of sizes.chats + sizes.longChats === 0 ? [] : buyers)
    if (!chatting.has(fan.fanId) && tips.has(fan.fanId))
      planned.push({ fan, count: 0, isLong: false, buys: 0, tips: tips.get(fan.fanId) ?? [] })
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
    isRefunded = false,
    gift,
    isGif = false,
    photo,
    isReply = false,
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

const photos: ReadonlyMap<string, MediaAsset> = new Map(
  mediaManifest.map((asset) => [asset.name, asset]),
)

/**
 * Adds a photo that a fan sends, and returns its id. The photo is not shown in the account's vault.
 */
function addFanPhoto(
  seeding: SeedContext,
  account: Account,
  { fanId, at, name }: { fanId: number; at: number; name: string },
): number | undefined {
  const asset = photos.get(name)
  if (asset === undefined) return undefined
  const id = seeding.nextId('vaultMedia')
  const made = at - minuteMs
  const media = createMedia(asset, {
    id,
    accountId: account.id,
    createdAt: toIsoTime(made),
    isReady: true,
    readyAt: toIsoTime(Math.min(at, made + seeding.transcodingMs)),
  })
  seeding.rows.vaultMedia.push({ ...media, senderId: fanId })
  return id
}

/** Fills in missing fields of chats. By default, a chat has no messages. */
export const chatFactory = defineFactory({
  name: 'chat',
  table: 'chats',
  time: 'lastMessageAt',
  complete(given, context) {
    const { world } = context
    const parties = resolveAccountAndFan(
      context,
      given,
      ({ accountId, fanId }) => findChatWith(world, accountId, fanId) === undefined,
    )
    const known = findChatWith(world, parties.accountId, parties.fanId)
    if (known !== undefined)
      throw new SandboxError(
        `Failed to make the chat (fanId: ${parties.fanId}): the account ${parties.accountId} ` +
          `already has chat ${known.id} with that fan. Use that chat.`,
      )
    return {
      ...parties,
      lastMessageAt: context.iso,
      ...computeChatSpending(world, parties.accountId, parties.fanId),
    }
  },
})
