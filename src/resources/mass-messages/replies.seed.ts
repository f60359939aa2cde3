import { toHtml } from '../../lib/text.ts'
import { dayMs, parseIso, minuteMs, toIsoTime } from '../../lib/time.ts'
import { delayUntilAwake, toLocalDate } from '../../seed/local-time.ts'
import type { AccountPlan, SeedContext } from '../../seed/seeding.ts'
import { ExchangePicker, groupByKind, spellLine } from '../chats/exchanges.ts'
import { deriveFanLife, pickCreatorReplyDelay } from '../chats/fan-life.ts'
import { listTextValues } from '../fans/fan-values.ts'
import { createMessage } from '../messages/new-message.ts'
import type { Message } from '../messages/messages.table.ts'

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
export type AddReplies = (seen: SeenCopy) => boolean

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
    for (const [place, line] of exchange.lines.slice(0, isAnswered ? 2 : 1).entries()) {
      const isFromFan = place === 0
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
