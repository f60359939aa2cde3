import { dayMs, hourMs, parseIso, toIsoTime } from '../../lib/time.ts'
import { toHtml } from '../../lib/text.ts'
import { createPhraseContext } from '../../seed/phrase-context.ts'
import { PhrasePicker } from '../../seed/phrases.ts'
import type { AccountPlan, SeedContext } from '../../seed/seeding.ts'
import { createTopicLookup, describeMedia, toRoundOffer } from '../chats/bundles.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import type { MassMessage } from './mass-messages.table.ts'
import { canSellTo, deliverCopies, drawBuyers } from './copies.seed.ts'
import type { RecipientData } from './copies.seed.ts'

/** A sent mass message, its media, and the fans who did not buy it, likely buyers first. */
export interface SentMessage {
  message: MassMessage
  media: readonly VaultMedia[]
  others: readonly Subscription[]
}

/** Fraction of paid mass messages that are sent again, and fraction of these that are cheaper. */
const shares = { resent: 0.36, cheaper: 0.5 }
/** Range of days until a message is sent again. */
const resendDays = [2, 5] as const
/** Factors for the price of a cheaper message. */
const reductions = [0.6, 0.7, 0.75, 0.8]
/**
 * Maximum number of recipients. The message goes only to the likely buyers among the fans who did
 * not buy. `bought` is the average fraction of buyers.
 */
const recipients = { most: [8, 22], bought: 0.11 } as const
/** Maximum and minimum fraction of recipients who see the message. */
const seenShares = [0.5, 0.75] as const

/**
 * Creates a function that sends some paid mass messages again, some days later, to fans who did not
 * buy. The function returns true if the message was sent again. `taken` has the send times of the
 * account's mass messages.
 */
export function createResender(seeding: SeedContext, plan: AccountPlan) {
  const branch = seeding.branch('resends')
  const { random, texts, rows, now } = branch
  const { persona } = plan
  const { resends } = texts.dialogues
  const speaker = new PhrasePicker(random, persona)
  const aboutOf = createTopicLookup(persona)
  const { drawEvening } = seeding.getAudience(plan)
  return (
    { message, media, others, taken }: SentMessage & { taken: Set<number> },
    data: RecipientData,
  ): boolean => {
    if (!random.chance(shares.resent)) return false
    const firstAt = parseIso(message.sentAt ?? message.createdAt)
    const at = drawEvening(random, firstAt + random.integer(...resendDays) * dayMs)
    const createdAt = toIsoTime(at)
    const fans = others
      .filter(({ fanId, expiredAt }) => expiredAt > createdAt && data.lastActiveAt(fanId) > at)
      .slice(0, random.integer(...recipients.most))
    if (at > now - hourMs || taken.has(at) || !canSellTo(rows, fans, data)) return false
    const lower = toRoundOffer(message.price * random.pick(reductions))
    const price = random.chance(shares.cheaper) && lower < message.price ? lower : message.price
    const what = describeMedia(media)
    const text = speaker.sayNew(
      price < message.price ? resends.cheaper : resends.same,
      createPhraseContext(persona, at),
      new Map([
        ['what', what],
        ['thing', what.replace(/^(an?|1) /, '')],
        ['about', media[0] === undefined ? '' : aboutOf(media[0])],
        ['day', createPhraseContext(persona, firstAt).value('weekday')],
        ['price', String(price)],
        ['before', String(message.price)],
        ['off', String(message.price - price)],
      ]),
    )
    if (text === undefined) return false
    taken.add(at)
    const resent: MassMessage = {
      ...message,
      id: seeding.nextId('massMessages'),
      text: toHtml(text),
      price,
      userLists: [],
      userIds: fans.map(({ fanId }) => fanId),
      createdAt,
      sentAt: createdAt,
      sentCount: fans.length,
    }
    rows.massMessages.push(resent)
    const [least, most] = seenShares
    deliverCopies(
      branch,
      plan,
      {
        message: resent,
        fans,
        seen: Math.floor(fans.length * (least + (most - least) * random.next())),
        buyers: drawBuyers(random, fans.length, recipients.bought),
        canReply: true,
      },
      data,
    )
    return true
  }
}
