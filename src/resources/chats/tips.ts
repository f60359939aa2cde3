import { toPlainText } from '../../lib/text.ts'
import { dayMs } from '../../lib/time.ts'
import { awakeAfter, momentOf } from '../../seed/moment.ts'
import type { Persona } from '../../seed/persona.ts'
import type { Seeding } from '../../seed/seeding.ts'
import { tipText } from '../messages/messages.ts'
import type { Payment } from '../payments/draw.ts'
import type { DialogueWriter, ThanksKind } from './dialogue.ts'
import { habitsOf, spell } from './spelling.ts'
import { drawCreatorWait } from './talk.ts'
import type { SaidLine } from './talk.ts'

/** Minimum of a large tip, dollars. The creator thanks for most large tips within a day. */
export const largeTip = 20

/** Maximum tips mentioned in one chat. */
const maxTips = 60

/**
 * Probabilities: a tip without a post is sent in the chat, it has a message, and the creator thanks
 * for it.
 */
const chances = { inChat: 0.7, words: 0.7, thanks: { small: 0.3, large: 0.93 } }

/**
 * Returns the tips of each fan that the chat can mention: tips without a post, and large tips for
 * posts.
 */
export function tipsInChats(payments: readonly Payment[]): Map<number, Payment[]> {
  const tips = new Map<number, Payment[]>()
  for (const payment of payments) {
    const { category, status, post, amount, isUndated, fan } = payment
    if (category !== 'tip' || status === 'undo' || isUndated) continue
    if (post !== undefined && amount < largeTip) continue
    const known = tips.get(fan.fanId)
    if (known === undefined) tips.set(fan.fanId, [payment])
    else if (known.length < maxTips) known.push(payment)
  }
  return tips
}

/** Adds the messages about tips: the fan's words and the creator's thanks. */
export function addTips(
  { random, texts, now }: Seeding,
  {
    tips,
    persona,
    writer,
    valuesAt,
  }: {
    tips: readonly Payment[]
    persona: Persona
    writer: DialogueWriter
    valuesAt: (at: number) => Map<string, string>
  },
): (SaidLine & { tip?: Payment })[] {
  const said: (SaidLine & { tip?: Payment })[] = []
  for (const tip of tips) {
    const { amount, time, post, fan } = tip
    const size = amount >= largeTip ? 'large' : 'small'
    const values = valuesAt(time)
    const isInChat = post === undefined && random.chance(chances.inChat)
    if (isInChat) {
      const isWordless = !random.chance(chances.words)
      const { text } = writer.tip(size, momentOf(persona, time), values)
      // For a tip without words, the platform writes the message.
      const words = isWordless
        ? toPlainText(tipText(texts, amount))
        : spell(random, habitsOf(fan.fanId), text).join(' ')
      said.push({ text: words, isFromFan: true, at: time, tip })
    }
    const isThanked = random.chance(chances.thanks[size]) && (isInChat || size === 'large')
    const at = Math.min(awakeAfter(persona, time + drawCreatorWait(random)), time + dayMs)
    if (!isThanked || at >= now) continue
    const kind: ThanksKind = post === undefined ? size : post.isStream ? 'stream' : 'post'
    const { text, isRepeated } = writer.thanks(kind, momentOf(persona, at), values)
    const name = values.get('name') ?? ''
    const isNamed = isRepeated !== true || text.includes(name)
    said.push({ text: isNamed ? text : `${name}! ${text}`, isFromFan: false, at })
  }
  return said
}
