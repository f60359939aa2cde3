import { compareIds } from '../../data/rows.ts'
import { dayMs, parseIso, toIsoTime } from '../../lib/time.ts'
import type { Random } from '../../world/random.ts'
import { shuffle } from '../../seed/seeding.ts'
import type { AccountPlan, Mutable, SeedContext } from '../../seed/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { getFanNickname, deriveFanFacts } from '../chats/fan-facts.ts'
import type { Facts } from '../chats/fan-facts.ts'
import { deriveBirthDate, deriveFanHabits } from '../chats/fan-habits.ts'
import { deriveCountry } from '../fans/country.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import { getPlannedPayments } from '../payments/planned-payments.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'

/**
 * Number of best fans, whom a team knows well (`best`), fraction of these fans with notes
 * (`share`), number of fans who always have notes (`top`), and fraction of all other fans with
 * notes (`others`).
 */
const known = { top: 5, best: 30, share: 0.85, others: 0.04 }

/** Separators between the phrases of a note. */
const noteSeparators = [', ', ', ', '. ', '\n', ' / '] as const

/**
 * Seeds notes about the best fans of an account: private notes and names, and the subscriber note
 * and display name on the platform. The notes repeat details from the chats, the subscription and
 * the payments.
 */
export function seedFanNotes(
  seeding: SeedContext,
  { account, sizes }: AccountPlan<AccountSizes>,
): void {
  if (sizes.texts === 'edge') return
  const { random, rows, texts } = seeding
  const { spenders } = getPlannedPayments(rows)
  const best = new Set(spenders.slice(0, known.best).map(({ fan }) => fan.fanId))
  const top = new Set(spenders.slice(0, known.top).map(({ fan }) => fan.fanId))
  const fans = new Map<number, Fan>()
  for (const fan of [...rows.fans, ...(seeding.sharedFans.get(account.id) ?? [])])
    fans.set(fan.id, fan)
  const notices = texts.fans.notices.map(parseNote)
  const nicknames = texts.fans.nicknames.map(parseNote)
  const said = collectChatTexts(seeding, best)
  const paid = collectFanPayments(seeding, best)
  for (const subscription of rows.subscriptions as Mutable<Subscription>[]) {
    const fan = fans.get(subscription.fanId)
    if (fan === undefined) continue
    const isBest = best.has(fan.id)
    const isNoted = random.chance(isBest ? known.share : known.others)
    if (!isNoted && !top.has(fan.id)) continue
    const first = getFanNickname(texts.names, fan.name)
    const text = said.get(fan.id) ?? ''
    const life = deriveFanFacts(texts, fan)
    const { temper } = deriveFanHabits(texts, { id: fan.id, facts: life })
    const facts = new Map<string, string>([
      ['manner', random.pick(texts.fans.manners[temper] ?? [''])],
      ...[...life].filter(([, fact]) => text.includes(fact.toLowerCase())),
      ...deriveRecordFacts(seeding, subscription, paid.get(fan.id) ?? []),
      ...(first === undefined ? [] : [['name', first] as const]),
    ])
    if (first !== undefined && random.chance(0.5))
      subscription.displayName = drawNotes(random, nicknames, facts)[0] ?? ''
    if (!isBest) continue
    const [notice = '', ...others] = drawNotes(random, notices, facts)
    if (random.chance(0.6)) subscription.notice = notice
    const note = others.slice(0, random.integer(1, 3))
    const town = facts.get('town') ?? null
    rows.fanRecords.push({
      id: toFanKey(account.id, fan.id),
      accountId: account.id,
      fanId: fan.id,
      name: first !== undefined && random.chance(0.6) ? first : null,
      note: note.join(random.pick(noteSeparators)),
      timezone: random.chance(town === null ? 0.25 : 0.7) ? findTimezone(texts, fan, town) : null,
      birthday: text.includes('birthday') ? getBirthday(fan) : null,
      city: town,
    })
  }
}

/** Returns all texts of the chats with some fans, in lower case. */
function collectChatTexts({ rows }: SeedContext, fans: ReadonlySet<number>): Map<number, string> {
  const said = new Map<number, string[]>()
  for (const { fanId, queueId, text } of rows.messages) {
    if (queueId !== null || !fans.has(fanId)) continue
    const known = said.get(fanId)
    if (known === undefined) said.set(fanId, [text])
    else known.push(text)
  }
  return new Map([...said].map(([fanId, all]) => [fanId, all.join('\n').toLowerCase()]))
}

/** Returns the completed payments of some fans, oldest first. */
function collectFanPayments(
  { rows }: SeedContext,
  fans: ReadonlySet<number>,
): Map<number, Transaction[]> {
  const paid = new Map<number, Transaction[]>()
  for (const row of rows.transactions) {
    if (row.status === 'undo' || row.transaction_created_at === null || !fans.has(row.fanId))
      continue
    const known = paid.get(row.fanId)
    if (known === undefined) paid.set(row.fanId, [row])
    else known.push(row)
  }
  for (const list of paid.values())
    list.sort((a, b) => compareIds(a.transaction_created_at ?? '', b.transaction_created_at ?? ''))
  return paid
}

/** Words that notes use for purchases, by category. */
const bought: Readonly<Record<string, string>> = {
  tip: 'tips',
  message: 'PPV',
  unlock: 'locked posts',
}
/** A note calls a fan quiet if the fan's last purchase was longer ago than this. */
const quietMs = 75 * dayMs
/** Notes mention the largest tip of a fan from this amount on, dollars. */
const notableTip = 25

/** Derives the placeholder values of notes from a fan's subscription and payments. */
function deriveRecordFacts(
  { rows, now }: SeedContext,
  { subscribedAt, spans, isExpired, expiredAt, trackingLinkId }: Subscription,
  payments: readonly Transaction[],
): (readonly [string, string])[] {
  const facts: (readonly [string, string])[] = [['joined', toMonth(subscribedAt)]]
  const [last, before] = [spans.at(-1), spans.at(-2)]
  if (last !== undefined && before !== undefined && last.from > before.until)
    facts.push(['returned', toMonth(last.from)])
  const thisMonth = toMonth(toIsoTime(now))
  if (isExpired && toMonth(expiredAt) !== thisMonth) facts.push(['lapsed', toMonth(expiredAt)])
  const link = rows.trackingLinks.find(({ id }) => id === trackingLinkId)
  if (link !== undefined) facts.push(['source', link.campaignName])
  const sums = new Map<string, number>()
  let [largest, latest] = [0, '']
  let renewals = 0
  for (const { category, amount, transaction_created_at: at } of payments) {
    if (category === 'recurring_subscription') renewals += 1
    if (category === 'tip') largest = Math.max(largest, amount ?? 0)
    const kind = bought[category ?? '']
    if (kind === undefined) continue
    sums.set(kind, (sums.get(kind) ?? 0) + (amount ?? 0))
    latest = at ?? latest
  }
  const [top] = [...sums].toSorted(([, a], [, b]) => b - a)
  if (top !== undefined) facts.push(['buys', top[0]])
  if (renewals > 2) facts.push(['renewals', String(renewals)])
  if (largest >= notableTip) facts.push(['largest', `$${largest}`])
  if (latest !== '')
    facts.push([
      now - parseIso(latest) > quietMs && !isExpired ? 'quiet' : 'latest',
      toMonth(latest),
    ])
  return facts
}

const months =
  'January February March April May June July August September October November December'.split(' ')

/** Returns the month of an ISO time, such as `May 2026`. */
function toMonth(iso: string): string {
  return `${months[Number(iso.slice(5, 7)) - 1] ?? ''} ${iso.slice(0, 4)}`
}

/** A phrase for notes, and the names of its placeholders. */
interface NotePhrase {
  phrase: string
  slots: readonly string[]
}

function parseNote(phrase: string): NotePhrase {
  return { phrase, slots: [...phrase.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name) }
}

/**
 * Returns phrases in random order, with their placeholders filled in. Skips a phrase if a
 * placeholder has no value or was used by an earlier phrase.
 */
function drawNotes(random: Random, phrases: readonly NotePhrase[], facts: Facts): string[] {
  const used = new Set<string>()
  return shuffle(random, phrases).flatMap(({ phrase, slots }) => {
    if (!slots.every((name) => facts.has(name) && !used.has(name))) return []
    for (const name of slots) used.add(name)
    return [fillIn(phrase, facts)]
  })
}

/** Returns the time zone of a fan, based on the town. */
function findTimezone(
  { countries }: Pick<SeedContext['texts'], 'countries'>,
  { id }: Fan,
  town: string | null,
): string | null {
  const country = deriveCountry(id, countries)
  return country?.zones[town ?? ''] ?? country?.timezone ?? null
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
