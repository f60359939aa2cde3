import { formatPrice } from '../../lib/money.ts'
import { toPlainText } from '../../lib/text.ts'
import { dayMs, hourMs } from '../../lib/time.ts'
import { delayUntilAwake, toLocalDate } from '../../seed/local-time.ts'
import type { ExchangeKind, Persona } from '../../seed/persona.ts'
import type { Rows, SeedContext } from '../seeding.ts'
import { formatTipMessage } from '../messages/messages.ts'
import { isSmallAccount } from '../subscribers/find-subscription.ts'
import type { Payment } from '../payments/seeded-transactions.ts'
import type { ChatLine, ChatInput } from './chat-player.ts'
import { spellLine } from './exchanges.ts'
import type { ExchangePicker } from './exchanges.ts'
import { pickCreatorReplyDelay } from './fan-life.ts'

/** Minimum amount of a large tip, dollars. Creators thank fans for most large tips within a day. */
export const largeTip = 20

/** Maximum number of tips in one chat. */
const maxTips = 60

/**
 * Probabilities that a tip without a post is sent in the chat (inChat), that a tip has a message
 * (words), and that the creator writes a thank-you message (thanks).
 */
const chances = { inChat: 0.7, words: 0.7, thanks: { small: 0.3, large: 0.97 } }
/** Tips that follow each other within this time get one thank-you message, after the last one. */
const sameOccasionMs = 1.5 * hourMs

/**
 * Returns the tips of each fan that a chat can mention: tips without a post, and large tips for
 * posts. In a small account, all tips.
 */
export function groupTipsByFan(
  rows: Pick<Rows, 'subscriptions'>,
  payments: readonly Payment[],
): Map<number, Payment[]> {
  const leastForPost = isSmallAccount(rows) ? 0 : largeTip
  const tips = new Map<number, Payment[]>()
  for (const payment of payments) {
    const { category, status, post, amount, isUndated, fan } = payment
    if (category !== 'tip' || status === 'undo' || isUndated) continue
    if (post !== undefined && amount < leastForPost) continue
    const known = tips.get(fan.fanId)
    if (known === undefined) tips.set(fan.fanId, [payment])
    else if (known.length < maxTips) known.push(payment)
  }
  return tips
}

/** Adds messages about tips to a chat: the fan's message and the creator's thank-you message. */
export function addTipMessages(
  { random, texts, picker, now, rows }: SeedContext,
  {
    tips,
    persona,
    exchanges,
    values,
    heard,
  }: { tips: readonly Payment[]; persona: Persona; exchanges: ExchangePicker } & Pick<
    ChatInput,
    'values' | 'heard'
  >,
): ChatLine[] {
  const said: ChatLine[] = []
  const isPersonal = isSmallAccount(rows)
  const write = (kind: ExchangeKind, at: number, tip: Payment) => {
    const local = toLocalDate(persona, at)
    const known = new Map([...values, ['tip.amount', formatPrice(tip.amount)]])
    // A short text such as `thank you!` may occur several times in a chat.
    const request = { local, values: known }
    const [line = ''] =
      (exchanges.pick(kind, { ...request, heard }) ?? exchanges.pick(kind, request))?.lines ?? []
    const isFromFan = kind === 'tip'
    const text = picker.fill(line, { local, values: known })
    return { text: spellLine(text, { isFromFan, fanId: tip.fan.fanId, persona }), isFromFan, at }
  }
  const inOrder = tips.toSorted((a, b) => a.time - b.time)
  let hasLarge = false
  for (const [place, tip] of inOrder.entries()) {
    const { amount, time, post } = tip
    const isInChat = post === undefined && random.chance(chances.inChat)
    if (isInChat) {
      // If a tip has no message, the platform generates the text.
      const line = random.chance(chances.words)
        ? write('tip', time, tip)
        : { text: toPlainText(formatTipMessage(texts, amount)), isFromFan: true, at: time }
      said.push({ ...line, tip })
    }
    const next = inOrder[place + 1]
    const isLastOfOccasion = next === undefined || next.time - time > sameOccasionMs
    hasLarge ||= amount >= largeTip
    const isThanked =
      isLastOfOccasion &&
      random.chance(chances.thanks[hasLarge || isPersonal ? 'large' : 'small']) &&
      (isInChat || hasLarge || isPersonal)
    const isLarge = hasLarge
    if (isLastOfOccasion) hasLarge = false
    const read = delayUntilAwake(persona, time + pickCreatorReplyDelay(random))
    const at = Math.min(read, time + dayMs)
    if (!isThanked || at >= now) continue
    const kind = post !== undefined ? 'thanksPost' : isLarge ? 'thanksLarge' : 'thanks'
    said.push(write(kind, at, tip))
  }
  return said
}
