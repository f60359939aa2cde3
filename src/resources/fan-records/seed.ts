import type { Random } from '../../world/random.ts'
import type { AccountPlan, Mutable, Seeding } from '../../seed/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { callName, factsOf } from '../chats/acquaintance.ts'
import type { Facts } from '../chats/acquaintance.ts'
import { birthDateOf } from '../chats/fan-life.ts'
import { deriveCountry } from '../fans/country.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import { getPlannedPayments } from '../payments/planned.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'

/**
 * Number of fans that a team knows well (`best`), and the shares of these fans and of the others
 * that have notes.
 */
const known = { best: 30, share: 0.85, others: 0.04 }

/**
 * Seeds notes about the best fans of an account: private notes and names, and the subscriber note
 * and display name on the platform. They contain facts that the fans mentioned in their chats.
 */
export function seedFanNotes(
  seeding: Seeding,
  { account, sizes }: AccountPlan<AccountSizes>,
): void {
  if (sizes.texts === 'edge') return
  const { random, rows, texts } = seeding
  const { spenders } = getPlannedPayments(rows)
  const best = new Set(spenders.slice(0, known.best).map(({ fan }) => fan.fanId))
  const fans = new Map<number, Fan>()
  for (const fan of [...rows.fans, ...(seeding.sharedFans.get(account.id) ?? [])])
    fans.set(fan.id, fan)
  for (const subscription of rows.subscriptions as Mutable<Subscription>[]) {
    const fan = fans.get(subscription.fanId)
    if (fan === undefined) continue
    const isBest = best.has(fan.id)
    if (!random.chance(isBest ? known.share : known.others)) continue
    const facts = factsOf(texts, fan)
    const first = callName(texts.names, fan.name)
    if (first !== undefined && random.chance(0.5))
      subscription.displayName = fillIn(random.pick(texts.fans.nicknames), facts)
    if (!isBest) continue
    if (random.chance(0.6)) subscription.notice = fillIn(random.pick(texts.fans.notices), facts)
    rows.fanRecords.push({
      id: toFanKey(account.id, fan.id),
      accountId: account.id,
      fanId: fan.id,
      name: first !== undefined && random.chance(0.6) ? first : null,
      note: drawNote(random, texts.fans.notices, facts),
      timezone: random.chance(0.5) ? timezoneOf(texts, fan, facts) : null,
      birthday: random.chance(0.35) ? birthdayOf(fan.id) : null,
      city: random.chance(0.6) ? (facts.get('town') ?? null) : null,
    })
  }
}

/** Returns the time zone of a fan's town. */
function timezoneOf(
  { countries }: Pick<Seeding['texts'], 'countries'>,
  { id }: Fan,
  facts: Facts,
): string | null {
  const country = deriveCountry(id, countries)
  return country?.zones[facts.get('town') ?? ''] ?? country?.timezone ?? null
}

/** Draws a note with two or three facts. */
function drawNote(random: Random, notices: readonly string[], facts: Facts): string {
  const first = random.integer(0, notices.length - 1)
  const step = 1 + random.integer(0, 4)
  return Array.from({ length: random.integer(2, 3) }, (_, place) =>
    fillIn(notices[(first + place * step) % notices.length] ?? '', facts),
  ).join('; ')
}

/** Returns the birthday of a fan, which is also mentioned in chats. */
function birthdayOf(fanId: number): string {
  const { year, month, day } = birthDateOf(fanId)
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Replaces placeholders with facts. The fan's `my boss` becomes `their boss`. */
function fillIn(text: string, facts: Facts): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) =>
    (facts.get(name) ?? '').replace(/^my /, 'their '),
  )
}
