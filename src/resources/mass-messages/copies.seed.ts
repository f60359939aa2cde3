import type { Random } from '../../world/random.ts'
import { dayMs, parseIso, toIsoTime, minuteMs } from '../../lib/time.ts'
import type { AccountPlan, Mutable, Rows, SeedContext } from '../seeding.ts'
import { createChat } from '../chats/chats.ts'
import type { Chat } from '../chats/chats.table.ts'
import { createMessage } from '../messages/messages.ts'
import { createSeededTransaction, pickPaymentOutcome } from '../payments/seeded-transactions.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { MassMessage } from './mass-messages.table.ts'
import { isSmallAccount } from '../subscribers/find-subscription.ts'
import { toHtml } from '../../lib/text.ts'
import { delayUntilAwake, toLocalDate } from '../../seed/local-time.ts'
import { ExchangePicker, groupByKind, spellLine } from '../chats/exchanges.ts'
import { deriveFanLife, pickCreatorReplyDelay } from '../chats/fan-life.ts'
import { listTextValues } from '../fans/fan-values.ts'
import type { Message } from '../messages/messages.table.ts'

/** Data about the recipients of an account's mass messages. */
export interface RecipientData {
  /** Probability weights of purchases, by fan. */
  weights: ReadonlyMap<number, number>
  /**
   * Fans whose number of purchases is set by the scenario. Seeding must not add purchases for them.
   */
  withSetPurchases: ReadonlySet<Subscription>
  /** Returns the time of a fan's last activity, epoch ms. */
  lastActiveAt: (fanId: number) => number
  /** Chats of the account by fan. A chat is created for each recipient without a chat. */
  chatOf: Map<number, Mutable<Chat>>
  addReplies: AddReplies
}

/** The delivery of a sent mass message. */
interface Delivery {
  message: MassMessage
  /** The recipients. The first fans buy the message, and the next fans have seen it. */
  fans: readonly Subscription[]
  /** Number of fans who have seen the message. */
  seen: number
  /** Maximum number of fans who buy the message. */
  buyers: number
  /** True if the recipients can reply, because they are subscribed. */
  canReply: boolean
}

/**
 * Adds the copies of a mass message to the chats of its recipients, with purchases and replies. At
 * least one fan replies, if that is possible.
 */
export function deliverCopies(
  seeding: SeedContext,
  plan: AccountPlan,
  { message: sent, fans, seen, buyers, canReply }: Delivery,
  data: RecipientData,
): void {
  const { random, rows } = seeding
  const { weights, withSetPurchases, lastActiveAt, addReplies } = data
  const createdAt = sent.sentAt ?? sent.createdAt
  const { text, price, lockedText, giphyId, mediaFiles, previews, rfTag, rfPartner, rfGuest } = sent
  const sentAt = parseIso(createdAt)
  const bought = new Set<Subscription>()
  let sureFrom = random.integer(0, Math.max(0, seen - 1))
  for (const [index, fan] of fans.entries()) {
    const messageId = seeding.nextId('messages')
    // Former fans can neither buy nor reply.
    const awayFrom = lastActiveAt(fan.fanId)
    const until = Math.min(awayFrom, parseIso(fan.expiredAt))
    const left = Math.min(2 * dayMs, until - sentAt)
    const isBought =
      bought.size < buyers && left > 0 && weights.has(fan.fanId) && !withSetPurchases.has(fan)
    const boughtAt = isBought ? sentAt + Math.floor(random.next() ** 2 * left) : undefined
    if (boughtAt !== undefined) {
      bought.add(fan)
      const purchase = {
        fan,
        time: boughtAt,
        amount: price,
        category: 'message' as const,
        messageId,
      }
      rows.transactions.push(
        createSeededTransaction(seeding, plan, pickPaymentOutcome(seeding, purchase)),
      )
    }
    const isSeen = isBought || (index < seen && sentAt < awayFrom)
    const chat = data.chatOf.get(fan.fanId) ?? openChat(seeding, fan, { createdAt, data })
    if (createdAt > chat.lastMessageAt) chat.lastMessageAt = createdAt
    const copy = createMessage({
      id: messageId,
      accountId: sent.accountId,
      chatId: chat.id,
      fanId: fan.fanId,
      isFromFan: false,
      text,
      price,
      lockedText,
      giphyId,
      mediaFiles,
      previews,
      createdAt,
      isOpened: price > 0 ? isBought : isSeen,
      isViewed: isSeen,
      purchasedAt: boughtAt === undefined ? null : toIsoTime(boughtAt),
      queueId: sent.id,
      rfTag,
      rfPartner,
      rfGuest,
    })
    rows.messages.push(copy)
    if (!isSeen || !canReply) continue
    const isSure = index >= sureFrom
    const hasReplied = addReplies({
      copy,
      until,
      isSure,
    })
    if (isSure && hasReplied) sureFrom = Infinity
  }
}

/** Returns true if a paid mass message has enough recipients, and enough of them may buy it. */
export function canSellTo(
  rows: Pick<Rows, 'subscriptions'>,
  fans: readonly Subscription[],
  { weights }: Pick<RecipientData, 'weights'>,
): boolean {
  const least = isSmallAccount(rows) ? { fans: 3, buyers: 2 } : { fans: 7, buyers: 4 }
  const buyers = fans.filter(({ fanId }) => weights.has(fanId)).length
  return fans.length >= least.fans && buyers >= least.buyers
}

/** Maximum fraction of recipients who buy a message. */
const mostBuyers = 0.2

/**
 * Returns a random number of buyers. `share` is the average fraction of recipients, and some
 * messages have no buyer.
 */
export function drawBuyers(random: Random, recipients: number, share: number): number {
  const drawn = Math.round(recipients * share * 2 * random.next())
  return Math.min(drawn, Math.floor(recipients * mostBuyers))
}

/** Sorts fans in random order, weighted by their likelihood of buying. */
export function sortByLikelihood(
  random: Random,
  fans: readonly Subscription[],
  weights: ReadonlyMap<number, number>,
): Subscription[] {
  const drawn = fans.map((fan) => ({
    fan,
    order: (weights.get(fan.fanId) ?? 0) ** 0.25 * random.next() + 0.001 * random.next(),
  }))
  return drawn.sort((a, b) => b.order - a.order).map(({ fan }) => fan)
}

/** Creates a chat with a fan who does not have a chat yet. */
function openChat(
  seeding: SeedContext,
  { accountId, fanId }: Subscription,
  { createdAt, data }: { createdAt: string; data: RecipientData },
): Mutable<Chat> {
  const chat = createChat({
    id: seeding.nextId('chats'),
    accountId,
    fanId,
    lastMessageAt: createdAt,
  })
  seeding.rows.chats.push(chat)
  data.chatOf.set(fanId, chat)
  return chat
}

/**
 * Probabilities that a fan replies after buying the message (bought), after not buying it
 * (declined) or after getting it for free (free), and that the creator answers (answer).
 */
const chances = { bought: 0.25, declined: 0.03, free: 0.07, answer: 0.6 }
/** The kinds of exchanges with which fans reply. */
const kinds = { bought: 'bought', declined: 'declined', free: 'content' } as const

/** A copy of a mass message that its recipient has seen. */
interface SeenCopy {
  copy: Message
  /** Time until which the fan can reply, epoch ms. */
  until: number
  /** True if the fan must reply. */
  isSure: boolean
}

/**
 * Adds the reply of a fan to their copy of a mass message, and the creator's answer. Returns true
 * if the fan replied.
 */
type AddReplies = (seen: SeenCopy) => boolean

/** Creates a function that adds fan replies to the copies of an account's mass messages. */
export function createReplyWriter(
  seeding: SeedContext,
  { account, persona }: Pick<AccountPlan, 'account' | 'persona'>,
): AddReplies {
  const { rows, texts, picker, now } = seeding
  const { random } = seeding.branch('replies', account.id)
  const exchanges = new ExchangePicker(picker, { persona, shared: groupByKind(texts.exchanges) })
  const fans = new Map(seeding.listFans(account.id).map((fan) => [fan.id, fan]))
  return ({ copy, until, isSure }) => {
    const { fanId, chatId, price, purchasedAt } = copy
    const kind = price === 0 ? 'free' : purchasedAt === null ? 'declined' : 'bought'
    if (!random.chance(isSure ? 1 : chances[kind])) return false
    const wait = kind === 'bought' ? 20 * minuteMs : dayMs
    const readAt = parseIso(purchasedAt ?? copy.createdAt) + minuteMs + wait * random.next() ** 3
    const at = delayUntilAwake(deriveFanLife(texts, fanId), Math.floor(readAt))
    if (at > until) return false
    const values = listTextValues(texts, { fan: fans.get(fanId), account })
    const local = toLocalDate(persona, at)
    const heard = seeding.heardIn(account.id, fanId)
    const exchange = exchanges.pick(kinds[kind], { local, values, heard })
    if (exchange === undefined || exchange.first !== 'fan') return false
    const answeredAt = delayUntilAwake(persona, Math.floor(at + pickCreatorReplyDelay(random)))
    const isAnswered = answeredAt < now && random.chance(chances.answer)
    for (const [index, line] of exchange.lines.slice(0, isAnswered ? 2 : 1).entries()) {
      const isFromFan = index === 0
      const text = picker.fill(line, { local, values })
      rows.messages.push(
        createMessage({
          id: seeding.nextId('messages'),
          accountId: account.id,
          chatId,
          fanId,
          isFromFan,
          text: toHtml(spellLine(text, { isFromFan, fanId, persona })),
          createdAt: toIsoTime(isFromFan ? at : answeredAt),
        }),
      )
    }
    return true
  }
}
