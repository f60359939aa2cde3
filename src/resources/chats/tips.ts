import { toPlainText } from '../../lib/text.ts'
import { dayMs, hourMs } from '../../lib/time.ts'
import { delayUntilAwake, createPhraseContext } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import type { Rows, SeedContext } from '../../seed/seeding.ts'
import { formatTipMessage } from '../messages/messages.ts'
import { isSmallAccount } from '../subscribers/small-account.ts'
import type { Payment } from '../payments/seeded-transactions.ts'
import type { DialogueWriter, ThanksKind } from './dialogue.ts'
import type { Line, Memory } from './dialogue-lines.ts'
import { deriveWritingStyle, applyWritingStyle } from './writing-style.ts'
import type { WritingStyle } from './writing-style.ts'
import { createTextLine } from './chat-line.ts'
import type { ChatLine } from './chat-line.ts'
import { pickCreatorReplyDelay } from './conversation.ts'

/** Minimum amount of a large tip, dollars. Creators thank fans for most large tips within a day. */
export const largeTip = 20
/** Minimum amount of a huge tip, dollars. Only its thanks say what the money is for. */
const hugeTip = 60

/** Maximum number of tips in one chat. */
const maxTips = 60

/**
 * Probabilities that a tip without a post is sent in the chat (inChat), that a tip has a message
 * (words), and that the creator writes a thank-you message (thanks).
 */
const chances = { inChat: 0.7, words: 0.7, thanks: { small: 0.3, large: 0.97 } }
/** Tips that follow each other within this time get one thank-you message, after the last one. */
const sameOccasionMs = 1.5 * hourMs
/** The thanks for a tip that is older than this mention the delay. */
const lateMs = 9 * hourMs

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
  { random, texts, now, rows }: SeedContext,
  {
    tips,
    persona,
    writer,
    memoryAt,
  }: {
    tips: readonly Payment[]
    persona: Persona
    writer: DialogueWriter
    memoryAt: (at: number) => Memory
  },
): ChatLine[] {
  const said: ChatLine[] = []
  const isPersonal = isSmallAccount(rows)
  let habits: WritingStyle | undefined
  const inOrder = tips.toSorted((a, b) => a.time - b.time)
  let hasLarge = false
  for (const [place, tip] of inOrder.entries()) {
    const { amount, time, post, fan } = tip
    const size = amount >= hugeTip ? 'huge' : amount >= largeTip ? 'large' : 'small'
    const memory = memoryAt(time)
    const isInChat = post === undefined && random.chance(chances.inChat)
    let reply: Line | undefined
    if (isInChat) {
      const [own, answer] = random.chance(chances.words)
        ? writer.tip(size, createPhraseContext(persona, time), memory)
        : []
      if (!isPersonal) reply = answer
      // If a tip has no message, the platform generates the text.
      const words =
        own === undefined
          ? toPlainText(formatTipMessage(texts, amount))
          : applyWritingStyle(random, (habits ??= deriveWritingStyle(fan.fanId)), own).join(' ')
      const line = createTextLine(words, true, time)
      line.tip = tip
      said.push(line)
    }
    const next = inOrder[place + 1]
    const isLastOfOccasion = next === undefined || next.time - time > sameOccasionMs
    hasLarge ||= size !== 'small'
    const isThanked =
      isLastOfOccasion &&
      random.chance(chances.thanks[hasLarge || isPersonal ? 'large' : 'small']) &&
      (isInChat || hasLarge || isPersonal)
    if (isLastOfOccasion) hasLarge = false
    const at = Math.min(
      delayUntilAwake(persona, time + pickCreatorReplyDelay(random)),
      time + dayMs,
    )
    if (!isThanked || at >= now) continue
    const kind: ThanksKind =
      post === undefined ? (at - time > lateMs ? 'late' : size) : post.isStream ? 'stream' : 'post'
    const thanks =
      reply ?? writer.thanks(kind, createPhraseContext(persona, at), { ...memory, isPersonal })
    if (thanks !== undefined) said.push(createTextLine(thanks.text, false, at))
  }
  return said
}
