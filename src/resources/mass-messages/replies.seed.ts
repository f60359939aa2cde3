import { toHtml } from '../../lib/text.ts'
import { dayMs, parseIso, minuteMs, toIsoTime } from '../../lib/time.ts'
import { delayUntilAwake, createPhraseContext } from '../../seed/phrase-context.ts'
import type { AccountPlan, SeedContext } from '../../seed/seeding.ts'
import { deriveFanFacts } from '../chats/fan-facts.ts'
import { DialogueWriter } from '../chats/dialogue.ts'
import { deriveFanHabits, pickTypingTime } from '../chats/fan-habits.ts'
import { deriveWritingStyle, applyWritingStyle } from '../chats/writing-style.ts'
import { getAccountDialogues } from '../chats/stock.ts'
import { pickCreatorReplyDelay } from '../chats/conversation.ts'
import { createMessage } from '../messages/new-message.ts'
import type { Message } from '../messages/messages.table.ts'

/**
 * Probabilities that a fan replies after buying the message (bought), after not buying it
 * (declined) or after getting it for free (free), and that the creator answers (answer).
 */
const chances = { bought: 0.25, declined: 0.03, free: 0.07, answer: 0.6 }

/** A copy of a mass message that its recipient has seen. */
interface SeenCopy {
  copy: Message
  /** Time until which the fan can reply, epoch ms. */
  until: number
  /** Exchanges that answer the text of the message. Default: shared replies. */
  replies: readonly string[] | undefined
  /** True if the fan must reply. */
  isSure: boolean
}

/**
 * Adds the replies of a fan to their copy of a mass message, and the creator's answer. Returns true
 * if the fan replied.
 */
export type AddReplies = (seen: SeenCopy) => boolean

/** Creates a function that adds fan replies to the copies of an account's mass messages. */
export function createReplyWriter(
  seeding: SeedContext,
  { account, persona }: Pick<AccountPlan, 'account' | 'persona'>,
): AddReplies {
  const { rows, texts, now } = seeding
  const { random } = seeding.branch('replies', account.id)
  const dialogues = getAccountDialogues(seeding, account.id)
  const { massReplies } = dialogues
  const writer = new DialogueWriter(random, {
    texts: { dialogues },
    persona,
    exchanges: seeding.exchanges,
  })
  const names = new Map<number, string>()
  for (const { id, name } of [...rows.fans, ...(seeding.sharedFans.get(account.id) ?? [])])
    names.set(id, name)

  return ({ copy, until, replies, isSure }) => {
    const { fanId, chatId, price, purchasedAt } = copy
    const kind = price === 0 ? 'free' : purchasedAt === null ? 'declined' : 'bought'
    if (!random.chance(isSure ? 1 : chances[kind])) return false
    const wait = kind === 'bought' ? 20 * minuteMs : dayMs
    const readAt = parseIso(purchasedAt ?? copy.createdAt) + minuteMs + wait * random.next() ** 3
    const values = new Map(deriveFanFacts(texts, { id: fanId, name: names.get(fanId) ?? '' }))
    const { place } = deriveFanHabits(texts, { id: fanId, facts: values })
    const at = delayUntilAwake(place, Math.floor(readAt))
    if (at > until) return false
    const heard = seeding.heardIn(account.id, fanId)
    const context = createPhraseContext(persona, at)
    const [reply, answer] = writer.reply(replies ?? massReplies[kind], context, { heard, values })
    if (reply === undefined) return false
    const add = (text: string, time: number, isFromFan: boolean) =>
      rows.messages.push(
        createMessage({
          id: seeding.nextId('messages'),
          accountId: account.id,
          chatId,
          fanId,
          isFromFan,
          text: toHtml(text),
          createdAt: toIsoTime(Math.floor(time)),
        }),
      )
    const said = applyWritingStyle(random, deriveWritingStyle(fanId), reply)
    const times = [at]
    for (const text of said.slice(1))
      times.push((times.at(-1) ?? at) + pickTypingTime(random, text))
    const last = times.at(-1) ?? at
    if (last > until) return false
    for (const [place, text] of said.entries()) add(text, times[place] ?? last, true)
    const answeredAt = delayUntilAwake(persona, Math.floor(last + pickCreatorReplyDelay(random)))
    if (answer !== undefined && answeredAt < now && random.chance(chances.answer))
      add(answer.text, answeredAt, false)
    return true
  }
}
