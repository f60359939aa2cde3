import { compareIds } from '../../data/rows.ts'
import { groupBy } from '../../lib/group-by.ts'
import { dayMs, hourMs, parseIso, toIsoTime } from '../../lib/time.ts'
import { getUtcOffsetMs, monthNames, weekdayNames } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import type { AccountPlan, Mutable, Rows, SeedContext } from '../../seed/seeding.ts'
import { ShuffledDeck } from '../../seed/shuffled-deck.ts'
import { createRandom } from '../../world/random.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { getFanNickname, deriveFanFacts } from '../chats/fan-facts.ts'
import type { Facts } from '../chats/fan-facts.ts'
import { deriveBirthDate, deriveFanHabits } from '../chats/fan-habits.ts'
import { deriveCountry, getTimezone } from '../fans/country.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import { deriveLanguage } from '../fans/names.ts'
import type { Message } from '../messages/messages.table.ts'
import { getPlannedPayments } from '../payments/planned-payments.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'

/**
 * Number of best fans, whom a team knows well (`best`), fraction of these fans with notes
 * (`share`), number of fans who always have notes (`top`, or `aloneTop` if the creator works alone),
 * and fraction of all other fans with a custom name (`others`). A creator who works alone writes
 * fewer notes (`aloneShare`).
 */
const known = { top: 5, aloneTop: 4, best: 30, share: 0.85, aloneShare: 0.5, others: 0.04 }

/** Share of notes of a team to which another chatter has added a line. */
const addedShare = 0.3
/** Maximum number of attempts to write a note that no other fan has. */
const maxDraws = 4

/** The phrases for the notes of all accounts, and the custom names of fans so far. */
interface Phrases {
  team: ShuffledDeck<NotePhrase>
  alone: ShuffledDeck<NotePhrase>
  nicknames: ShuffledDeck<NotePhrase>
  /** By fan, so that a fan of two accounts has one name. */
  named: Map<number, string>
  /** All notes so far. */
  written: Set<string>
}

/** The phrases of each world. The key is the object that holds the rows of its organisations. */
const phrasesOfWorlds = new WeakMap<Rows, Phrases>()

function getPhrases(seeding: SeedContext): Phrases {
  const { common, texts } = seeding
  const known = phrasesOfWorlds.get(common)
  if (known !== undefined) return known
  const { random } = seeding.alike('note phrases')
  const phrases: Phrases = {
    team: new ShuffledDeck(random, parseNotes(texts.fans.notes)),
    alone: new ShuffledDeck(random, parseNotes(texts.fans.ownNotes)),
    nicknames: new ShuffledDeck(random, parseNotes({ name: texts.fans.nicknames })),
    named: new Map(),
    written: new Set(),
  }
  phrasesOfWorlds.set(common, phrases)
  return phrases
}

/**
 * Seeds notes about the best fans of an account: private notes and names, and the subscriber note
 * and display name on the platform. The notes repeat details from the chats, the subscription and
 * the payments.
 */
export function seedFanNotes(
  seeding: SeedContext,
  { account, sizes, persona }: AccountPlan<AccountSizes>,
): void {
  if (sizes.texts === 'edge') return
  const { random, rows, texts, common } = seeding
  const { spenders } = getPlannedPayments(rows)
  const best = new Set(spenders.slice(0, known.best).map(({ fan }) => fan.fanId))
  const fans = new Map<number, Fan>()
  for (const fan of [...rows.fans, ...(seeding.sharedFans.get(account.id) ?? [])])
    fans.set(fan.id, fan)
  const isAlone =
    common.accounts.filter(({ organisation }) => organisation === account.organisation).length === 1
  const topCount = isAlone ? known.aloneTop : known.top
  const top = new Set(spenders.slice(0, topCount).map(({ fan }) => fan.fanId))
  const phrases = getPhrases(seeding)
  const notes = isAlone ? phrases.alone : phrases.team
  // The chatters of some agencies begin notes with a capital letter.
  const isCapital = createRandom(0, 'note style', account.organisation).chance(0.5)
  const writeNote = (facts: Facts, used: Set<string>) => {
    const note = drawNewNote(notes, { facts, used, written: phrases.written })
    return isCapital ? note.charAt(0).toUpperCase() + note.slice(1) : note
  }
  const said = collectChatMessages(seeding, best)
  const paid = collectFanPayments(seeding, best)
  const favourites = findFavouriteTopics(seeding, best)
  for (const subscription of rows.subscriptions as Mutable<Subscription>[]) {
    const fan = fans.get(subscription.fanId)
    if (fan === undefined) continue
    const isBest = best.has(fan.id)
    const share = isAlone ? known.aloneShare : known.share
    const isNoted = random.chance(isBest ? share : known.others)
    if (!isNoted && !top.has(fan.id)) continue
    const facts = collectFacts(seeding, {
      fan,
      subscription,
      messages: said.get(fan.id) ?? [],
      payments: paid.get(fan.id) ?? [],
    })
    const topic = favourites.get(fan.id)
    if (topic !== undefined) facts.set('topic', persona.topics[topic]?.called ?? topic)
    if (top.has(fan.id)) facts.set('best', '').set('vip', 'VIP')
    const town = facts.get('town') ?? null
    const home = deriveFanFacts(texts, fan).get('town')
    const isZoneKnown = isBest && random.chance(town === null ? 0.25 : 0.7)
    const timezone = isZoneKnown
      ? (getTimezone(deriveCountry(fan.id, texts.countries), home) ?? null)
      : null
    const ahead = timezone === null ? 0 : computeHoursAhead(seeding, fan, persona)
    if (ahead !== 0) facts.set('zone', ahead > 0 ? `${ahead}h ahead` : `${-ahead}h behind`)
    const name = facts.has('name') ? nameFan(phrases, fan.id, facts) : undefined
    if (name !== undefined && random.chance(0.5)) subscription.displayName = name
    if (!isBest) continue
    const used = new Set<string>()
    if (random.chance(isAlone ? 0.3 : 0.45)) subscription.notice = writeNote(facts, used)
    const note = [writeNote(facts, used)]
    if (!isAlone && random.chance(addedShare)) note.push(writeNote(facts, used))
    rows.fanRecords.push({
      id: toFanKey(account.id, fan.id),
      accountId: account.id,
      fanId: fan.id,
      name: name !== undefined && random.chance(0.6) ? name : null,
      note: note.filter((line) => line !== '').join('\n'),
      timezone,
      birthday: facts.has('birthday') ? getBirthday(fan) : null,
      city: town,
    })
  }
}

/** Returns what notes on a fan can mention, by the placeholder names of notes. */
function collectFacts(
  seeding: SeedContext,
  {
    fan,
    subscription,
    messages,
    payments,
  }: {
    fan: Fan
    subscription: Subscription
    messages: readonly Message[]
    payments: readonly Transaction[]
  },
): Map<string, string> {
  const { texts, now } = seeding
  const life = deriveFanFacts(texts, fan)
  const text = messages.map((message) => message.text.toLowerCase()).join('\n')
  const { temper, worksAtNight } = deriveFanHabits(texts, { id: fan.id, facts: life })
  const facts = new Map<string, string>([
    ['any', ''],
    [temper, ''],
    ...[...life].filter(([, fact]) => text.includes(fact.toLowerCase())),
    ...deriveRecordFacts(seeding, subscription, payments),
    ...deriveRecentEvents({ messages, payments, now }),
  ])
  if (worksAtNight && facts.has('shift')) facts.set('nights', '')
  if (text.includes('birthday')) facts.set('birthday', toDayAndMonth(getBirthday(fan)))
  const language = deriveLanguage(texts, fan.id)
  if (texts.dialogues.languages[language] !== undefined)
    facts.set('language', languageNames.of(language) ?? language)
  const first = getFanNickname(texts.names, fan.name)
  if (first !== undefined) facts.set('name', first)
  const trade = facts.get('job')?.replace(/^an? /, '')
  if (trade !== undefined) facts.set('trade', trade)
  const [, initial] = /^\S+ (\p{Lu})/u.exec(fan.name) ?? []
  if (initial !== undefined) facts.set('initial', initial)
  const country = deriveCountry(fan.id, texts.countries)
  if (country !== undefined) facts.set('country', country.code)
  return facts
}

/** Returns the number of hours by which a fan's clock is ahead of the creator's. */
function computeHoursAhead({ texts, now }: SeedContext, fan: Fan, persona: Persona): number {
  const { place } = deriveFanHabits(texts, { id: fan.id, facts: deriveFanFacts(texts, fan) })
  return (getUtcOffsetMs(place, now) - getUtcOffsetMs(persona, now)) / hourMs
}

/** Returns the custom name of a fan. It is the same for all accounts. */
function nameFan({ nicknames, named }: Phrases, fanId: number, facts: Facts): string | undefined {
  const name = named.get(fanId) ?? drawNote(nicknames, facts)
  if (name !== undefined) named.set(fanId, name)
  return name
}

/** Returns the messages of the chats with some fans, without copies of mass messages. */
function collectChatMessages({ rows }: SeedContext, fans: ReadonlySet<number>) {
  return groupBy(rows.messages, ({ fanId, queueId }) =>
    queueId === null && fans.has(fanId) ? fanId : undefined,
  )
}

/** Returns the payments of some fans, oldest first. */
function collectFanPayments(
  { rows }: SeedContext,
  fans: ReadonlySet<number>,
): Map<number, Transaction[]> {
  const paid = groupBy(rows.transactions, ({ fanId, transaction_created_at: at }) =>
    at !== null && fans.has(fanId) ? fanId : undefined,
  )
  for (const list of paid.values())
    list.sort((a, b) => compareIds(a.transaction_created_at ?? '', b.transaction_created_at ?? ''))
  return paid
}

/**
 * Returns the topic of the posts that each fan paid for and commented on. Only for fans who prefer
 * one topic.
 */
function findFavouriteTopics({ rows }: SeedContext, fans: ReadonlySet<number>) {
  const topics = new Map(rows.posts.map(({ id, topic }) => [id, topic]))
  const counts = new Map<number, Map<string, number>>()
  for (const { fanId, postId } of [...rows.comments, ...rows.transactions]) {
    const topic = topics.get(postId ?? 0) ?? ''
    if (topic === '' || !fans.has(fanId)) continue
    const ofFan = counts.get(fanId) ?? new Map<string, number>()
    counts.set(fanId, ofFan.set(topic, (ofFan.get(topic) ?? 0) + 1))
  }
  const favourites = new Map<number, string>()
  for (const [fanId, ofFan] of counts) {
    const [first, second] = [...ofFan].toSorted(([, a], [, b]) => b - a)
    if (first !== undefined && first[1] > 1 && first[1] > (second?.[1] ?? 0))
      favourites.set(fanId, first[0])
  }
  return favourites
}

/** The keys of notes about the most frequent purchases, by category. */
const buys: Readonly<Record<string, string>> = { tip: 'tips', message: 'PPV', unlock: 'posts' }
/** A note calls a fan quiet if the fan's last purchase was longer ago than this. */
const quietMs = 75 * dayMs
/** Notes mention the largest tip and the largest price of a message from this amount on, dollars. */
const notable = 25
/** Notes call tips small if there are at least `count` tips and none is above `most`, dollars. */
const small = { count: 4, most: 10 }
/** Notes mention the weekday of at least half of the purchases if there are this many. */
const leastPurchases = 5

/** Derives the placeholder values of notes from a fan's subscription and payments. */
function deriveRecordFacts(
  { rows, now }: SeedContext,
  { subscribedAt, spans, isExpired, expiredAt, trackingLinkId }: Subscription,
  payments: readonly Transaction[],
): (readonly [string, string])[] {
  const monthOf = (iso: string) => toMonth(iso, now)
  const facts: (readonly [string, string])[] = [['year', subscribedAt.slice(0, 4)]]
  const [last, before] = [spans.at(-1), spans.at(-2)]
  const isBack = last !== undefined && before !== undefined && last.from > before.until
  if (isBack) facts.push(['returned', monthOf(last.from)])
  else if (!isExpired) facts.push(['joined', monthOf(subscribedAt)])
  if (isExpired && now - parseIso(expiredAt) > 20 * dayMs)
    facts.push(['lapsed', monthOf(expiredAt)])
  const link = rows.trackingLinks.find(({ id }) => id === trackingLinkId)
  if (link !== undefined) facts.push(['source', link.campaignName])
  const sums = new Map<string, number>()
  const days = weekdayNames.map(() => 0)
  const tips: number[] = []
  const prices: number[] = []
  let [renewals, spent, latest] = [0, 0, '']
  for (const {
    category,
    amount,
    status,
    reversal,
    transaction_created_at,
    isOnStream,
  } of payments) {
    const at = transaction_created_at ?? ''
    const paid = amount ?? 0
    if (status === 'undo') {
      if (paid > 0) facts.push([reversal ?? 'refund', `$${paid}`])
      continue
    }
    spent += paid
    if (category === 'recurring_subscription') renewals += 1
    if (category === 'tip') tips.push(paid)
    if (category === 'message') prices.push(paid)
    if (isOnStream) facts.push(['streams', ''])
    const kind = buys[category ?? '']
    if (kind === undefined) continue
    sums.set(kind, (sums.get(kind) ?? 0) + paid)
    const day = new Date(at).getUTCDay()
    days[day] = (days[day] ?? 0) + 1
    latest = at
  }
  const [top] = [...sums].toSorted(([, a], [, b]) => b - a)
  if (top !== undefined) facts.push([top[0], ''])
  if (renewals > 2 && !isExpired && !isBack) facts.push(['renewals', String(renewals)])
  const largest = Math.max(0, ...tips)
  if (largest >= notable) facts.push(['largest', `$${largest}`])
  if (tips.length >= small.count && largest <= small.most) facts.push(['smallTips', ''])
  const highestPrice = Math.max(0, ...prices)
  if (highestPrice >= notable) facts.push(['highestPrice', `$${highestPrice}`])
  if (spent >= 100) facts.push(['spent', `$${Math.floor(spent / 50) * 50}`])
  const purchases = days.reduce((sum, count) => sum + count, 0)
  const busiest = Math.max(...days)
  if (purchases >= leastPurchases && busiest * 2 >= purchases)
    facts.push(['payday', `${weekdayNames[days.indexOf(busiest)]?.toLowerCase()}s`])
  if (latest !== '' && now - parseIso(latest) > quietMs && !isExpired)
    facts.push(['quiet', monthOf(latest)])
  return facts
}

/** Notes mention the day of purchases, tips and offers for this time. */
const recentEventsMs = 80 * dayMs
/** An offer that the fan did not buy counts as declined after this time. */
const undecidedMs = 4 * dayMs

/** Returns the days and amounts of a fan's last purchase, last tip, and last declined offer. */
function deriveRecentEvents({
  messages,
  payments,
  now,
}: {
  messages: readonly Message[]
  payments: readonly Transaction[]
  now: number
}): (readonly [string, string])[] {
  const since = toIsoTime(now - recentEventsMs)
  const until = toIsoTime(now - undecidedMs)
  const facts: (readonly [string, string])[] = []
  const add = (name: string, at: string | null | undefined, amount: number | null | undefined) => {
    if (at == null || amount == null || at < since) return
    facts.push([`${name}Day`, toDayAndMonth(at)], [`${name}Amount`, `$${amount}`])
  }
  const isPaid = ({ status }: Transaction) => status !== 'undo'
  const bought = payments.findLast((row) => row.category === 'message' && isPaid(row))
  const tip = payments.findLast((row) => row.category === 'tip' && isPaid(row))
  const offer = messages.findLast(({ price }) => price > 0)
  add('buy', bought?.transaction_created_at, bought?.amount)
  add('tip', tip?.transaction_created_at, tip?.amount)
  if (offer?.purchasedAt === null && offer.createdAt < until)
    add('pass', offer.createdAt, offer.price)
  return facts
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

/** Returns the month of an ISO time, such as `May`, and the year if it was not recently. */
function toMonth(iso: string, now: number): string {
  const month = monthNames[Number(iso.slice(5, 7)) - 1] ?? ''
  return now - parseIso(iso) < recentMs ? month : `${month} ${iso.slice(0, 4)}`
}
const recentMs = 300 * dayMs

/** Returns the day and month of an ISO date, such as `3 May`. */
function toDayAndMonth(date: string): string {
  return `${Number(date.slice(8, 10))} ${(monthNames[Number(date.slice(5, 7)) - 1] ?? '').slice(0, 3)}`
}

/** A phrase for notes: the facts that it is about, its text, and the names of its placeholders. */
interface NotePhrase {
  about: readonly string[]
  phrase: string
  slots: readonly string[]
}

function parseNotes(notes: Readonly<Record<string, readonly string[]>>): NotePhrase[] {
  return Object.entries(notes).flatMap(([about, phrases]) =>
    phrases.map((phrase) => ({
      about: about.split(' '),
      phrase,
      slots: [...phrase.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    })),
  )
}

/**
 * Draws a phrase about a known fact that is not in `used`, with its placeholders filled in. A
 * phrase is repeated only after all other fitting phrases.
 */
function drawNote(
  notes: ShuffledDeck<NotePhrase>,
  facts: Facts,
  used = new Set<string>(),
): string | undefined {
  const note = notes.deal(
    ({ about, slots }) =>
      about.every((name) => facts.has(name) && !used.has(name)) &&
      slots.every((name) => facts.has(name)),
  )
  if (note === undefined) return undefined
  for (const name of note.about) used.add(name)
  return fillIn(note.phrase, facts)
}

/** Writes a note that no other fan has, if possible. Empty if no phrase fits. */
function drawNewNote(
  notes: ShuffledDeck<NotePhrase>,
  { facts, used, written }: { facts: Facts; used: Set<string>; written: Set<string> },
): string {
  let note = drawNote(notes, facts, used) ?? ''
  for (let draw = 1; draw < maxDraws && written.has(note); draw += 1)
    note = drawNote(notes, facts, used) ?? note
  written.add(note)
  return note
}

/** Returns a fan's birthday. It is the same birthday that chats mention. */
function getBirthday({ id, username }: Fan): string {
  const { year, month, day } = deriveBirthDate(id, username)
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Replaces placeholders with their values. The fan's `my boss` becomes `their boss`. */
function fillIn(text: string, facts: Facts): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) =>
    (facts.get(name) ?? '').replace(/^my /, 'their '),
  )
}
