import { dayMs, toIsoTime } from '../../lib/time.ts'
import { shuffle } from '../seeding.ts'
import type { SeedContext } from '../seeding.ts'
import { isSmallAccount } from '../subscribers/find-subscription.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { ListReference } from './schemas.ts'
import { toHtml } from '../../lib/text.ts'
import { toLocalDate } from '../../seed/local-time.ts'
import type { Persona } from '../../seed/persona.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { TextPicker } from '../../seed/text-picker.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createTopicLookup, listOfferValues } from '../chats/seeded-bundles.ts'
import { listTextValues } from '../fans/fan-values.ts'
import type { VaultMedia } from '../vault/vault.table.ts'

/** Maximum number of recipients of a seeded mass message. */
const maxRecipients = 200

/**
 * The audience of a seeded mass message: all subscribers, recent subscribers, former subscribers,
 * or the best spenders.
 */
export type AudienceKind = 'fans' | 'recent' | 'lapsed' | 'spenders'

/** Kinds of audiences, with weights. */
const kinds: readonly (readonly [AudienceKind, number])[] = [
  ['fans', 25],
  ['spenders', 46],
  ['lapsed', 12],
  ['recent', 17],
]

/** The recipients of a mass message, and the matching built-in list, if there is such a list. */
export interface Recipients {
  kind: AudienceKind
  fans: readonly Subscription[]
  userLists: ListReference[]
  userIds: number[]
}

const recentDays = 9
const lapsedDays = 200
/**
 * Minimum number of mass messages to other audiences between two messages to former subscribers.
 */
const restOfLapsed = 3
/** Minimum and maximum number of recipients of a message to the best spenders. */
const spenders = [15, 32] as const
/** Range of the maximum number of recipients of a message to former subscribers. */
const maxLapsed = [22, 46] as const
/**
 * Minimum number of recipients, and minimum number of new fans. If an audience is smaller, the
 * message goes to all subscribers instead.
 */
const minRecipients = 8
const minNewFans = 2

/**
 * Creates a function that picks random recipients for a mass message sent at a given time, epoch
 * ms.
 */
export function createRecipientPicker(seeding: SeedContext): (time: number) => Recipients {
  const { random } = seeding
  // Shuffled, because a message may be sent to only some of the fans.
  const fans = shuffle(random, seeding.rows.subscriptions)
  // Copied before the first mass message is seeded, because each mass message adds payments.
  const payments = [...seeding.rows.transactions]
  // Creators with few fans write to all of them.
  const isPersonal = isSmallAccount(seeding.rows)
  let bySpend: readonly Subscription[] | undefined
  let sinceLapsed = restOfLapsed
  return (time) => {
    const at = toIsoTime(time)
    const drawn = isPersonal ? 'fans' : random.pickWeighted(kinds)
    // Former subscribers get no second message until several messages were sent to other audiences.
    const kind = drawn === 'lapsed' && sinceLapsed < restOfLapsed ? 'fans' : drawn
    sinceLapsed = kind === 'lapsed' ? 0 : sinceLapsed + 1
    const since = toIsoTime(time - (kind === 'recent' ? recentDays : lapsedDays) * dayMs)
    const choose = () => {
      switch (kind) {
        case 'recent':
          return fans.filter((fan) => fan.subscribedAt > since && isSubscribedAt(fan, at))
        case 'lapsed':
          return fans
            .filter((fan) => wasSubscribedAt(fan, at, since) && !isSubscribedAt(fan, at))
            .slice(0, random.integer(...maxLapsed))
        case 'spenders':
          bySpend ??= rankBySpend(fans, payments)
          return bySpend
            .filter((fan) => isSubscribedAt(fan, at))
            .slice(0, random.integer(...spenders))
        case 'fans':
          return []
      }
    }
    const chosen = choose()
    if (chosen.length >= (kind === 'recent' ? minNewFans : minRecipients))
      return toRecipients(kind, chosen)
    const here = fans.filter((fan) => isSubscribedAt(fan, at))
    return here.length < chosen.length ? toRecipients(kind, chosen) : toRecipients('fans', here)
  }
}

/** True if the fan was subscribed at that time. */
function isSubscribedAt({ subscribedAt, expiredAt, spans }: Subscription, at: string): boolean {
  // For most fans, comparing the first and the last time is enough, so the individual periods do
  // not have to be checked.
  if (subscribedAt >= at || expiredAt <= at) return false
  for (const { from, until } of spans) if (from < at && at < until) return true
  return false
}

function wasSubscribedAt(
  { subscribedAt, spans }: Subscription,
  at: string,
  since: string,
): boolean {
  if (subscribedAt >= at) return false
  for (const { until } of spans) if (since < until && until <= at) return true
  return false
}

/** Sorts fans by spending, highest first. */
function rankBySpend(
  fans: readonly Subscription[],
  payments: readonly Transaction[],
): Subscription[] {
  const spent = new Map<number, number>()
  for (const { fanId, amount } of payments)
    spent.set(fanId, (spent.get(fanId) ?? 0) + (amount ?? 0))
  const ranked = fans.map((fan) => ({ fan, dollars: spent.get(fan.fanId) ?? 0 }))
  return ranked.sort((a, b) => b.dollars - a.dollars).map(({ fan }) => fan)
}

function toRecipients(kind: AudienceKind, all: readonly Subscription[]): Recipients {
  const fans = all.slice(0, maxRecipients)
  const isList = kind === 'fans' || kind === 'recent'
  return {
    kind,
    fans,
    userLists: isList ? [kind] : [],
    userIds: isList ? [] : fans.map(({ fanId }) => fanId),
  }
}

/** A mass message that needs a text. */
interface MassMessageTraits {
  picker: TextPicker
  persona: Persona
  account: Pick<Account, 'name'>
  /** Epoch ms. */
  at: number
  /** The media that the message sells. Empty for a free message. */
  media: readonly VaultMedia[]
  /** @default all fans */
  audience?: AudienceKind | undefined
}

/** Writes the text of a mass message, as HTML. It fits the recipients, the price and the time. */
export function writeMassMessage(
  texts: Pick<SeedTexts, 'countries'>,
  { picker, persona, account, at, media, audience = 'fans' }: MassMessageTraits,
): string {
  const [first] = media
  const offer = first === undefined ? [] : listOfferValues(media, createTopicLookup(persona)(first))
  const values = new Map([...listTextValues(texts, { account }), ...offer])
  const occasion = { local: toLocalDate(persona, at), values }
  const { free, paid, lapsed, welcome } = persona.massMessages
  const unpaid = { lapsed, recent: welcome, fans: free, spenders: free }[audience]
  const text =
    picker.pick(first === undefined ? unpaid : paid, occasion) ??
    picker.pick(free, occasion) ??
    persona.about
  return toHtml(persona.lowerCase ? text.toLowerCase() : text)
}
