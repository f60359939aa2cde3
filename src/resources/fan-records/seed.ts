import { dayMs, parseIso } from '../../lib/time.ts'
import { monthNames, toLocalDate } from '../../seed/local-time.ts'
import type { AccountPlan, Mutable, SeedContext } from '../seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { deriveBirthday } from '../chats/fan-life.ts'
import { deriveCountry, getTimezone, deriveTown, listTextValues } from '../fans/fan-values.ts'
import { toFanKey } from '../fans/fans.table.ts'
import { getPlannedPayments } from '../payments/seeded-transactions.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { defineFactory } from '../define.ts'
import { resolveAccountAndFan } from '../subscribers/find-subscription.ts'

/**
 * Number of best fans, whom a team knows well (`best`), fraction of these fans with notes
 * (`share`), number of fans who always have notes (`top`), and fraction of all other fans with a
 * custom name (`others`). A creator who works alone writes fewer notes (`aloneShare`).
 */
const known = { top: 5, best: 30, share: 0.85, aloneShare: 0.5, others: 0.04 }
/**
 * Probabilities of a note on the platform, of a second private note by a team, of a known time zone
 * and town, and of a known birthday.
 */
const chances = { notice: 0.45, second: 0.3, zone: 0.5, town: 0.4, birthday: 0.2 }

/**
 * Seeds notes about the best fans of an account: private notes and names, and the subscriber note
 * and display name on the platform.
 */
export function seedFanNotes(
  seeding: SeedContext,
  { account, sizes, persona }: AccountPlan<AccountSizes>,
): void {
  if (sizes.texts === 'edge') return
  const { random, rows, texts, common, picker, now } = seeding
  const { spenders } = getPlannedPayments(rows)
  const rank = new Map(spenders.map(({ fan }, index) => [fan.fanId, index]))
  const fans = new Map(seeding.listFans(account.id).map((fan) => [fan.id, fan]))
  const isAlone =
    common.accounts.filter(({ organisation }) => organisation === account.organisation).length === 1
  const spent = sumPayments(seeding)
  const local = toLocalDate(persona, now)
  for (const subscription of rows.subscriptions as Mutable<Subscription>[]) {
    const fan = fans.get(subscription.fanId)
    if (fan === undefined) continue
    const index = rank.get(fan.id) ?? Infinity
    const isBest = index < known.best
    const share = isAlone ? known.aloneShare : known.share
    const isNoted = random.chance(isBest ? share : known.others)
    if (!isNoted && index >= known.top) continue
    const values = listTextValues(texts, { fan, account })
    values.set('fan.since', toMonth(subscription.subscribedAt, now))
    const dollars = spent.get(fan.id) ?? 0
    if (dollars >= 100) values.set('fan.spent', `$${Math.floor(dollars / 50) * 50}`)
    const write = (list: readonly string[]) => picker.pick(list, { local, values }) ?? ''
    const name = values.has('fan.firstName') ? write(texts.fans.nicknames) : ''
    if (name !== '' && random.chance(0.5)) subscription.displayName = name.slice(0, 64)
    if (!isBest) continue
    if (random.chance(chances.notice)) subscription.notice = write(texts.fans.notes)
    const note = [write(texts.fans.notes)]
    if (!isAlone && random.chance(chances.second)) note.push(write(texts.fans.notes))
    const town = deriveTown(texts, fan.id)
    const country = deriveCountry(fan.id, texts.countries)
    rows.fanRecords.push({
      id: toFanKey(account.id, fan.id),
      accountId: account.id,
      fanId: fan.id,
      name: name !== '' && random.chance(0.6) ? name : null,
      note: note.join('\n'),
      timezone: random.chance(chances.zone) ? (getTimezone(country, town) ?? null) : null,
      birthday: random.chance(chances.birthday) ? deriveBirthday(fan.id) : null,
      city: random.chance(chances.town) ? town : null,
    })
  }
}

/** Returns the amounts that fans paid to the account, dollars. */
function sumPayments({ rows }: SeedContext): Map<number, number> {
  const spent = new Map<number, number>()
  for (const { fanId, amount, status } of rows.transactions)
    if (status !== 'undo') spent.set(fanId, (spent.get(fanId) ?? 0) + (amount ?? 0))
  return spent
}

/** Notes mention the year of a time that was longer ago than this. */
const recentMs = 300 * dayMs

/** Returns the month of an ISO time, such as `May`, and the year if it was not recently. */
function toMonth(iso: string, now: number): string {
  const month = monthNames[Number(iso.slice(5, 7)) - 1] ?? ''
  return now - parseIso(iso) < recentMs ? month : `${month} ${iso.slice(0, 4)}`
}

/** Fills in missing fields of the private notes about a fan. By default, the notes are empty. */
export const fanRecordFactory = defineFactory({
  name: 'fanRecord',
  table: 'fanRecords',
  complete(given, context) {
    const { accountId, fanId } = resolveAccountAndFan(context, given)
    return { id: toFanKey(accountId, fanId), accountId, fanId }
  },
})
