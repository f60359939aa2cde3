import { createRandom } from '../../world/random.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { Fan } from './fans.table.ts'
import type { ChangeListener } from '../../data/change-log.ts'
import { parseIso, toIsoTime, toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import type { Message } from '../messages/messages.table.ts'
import { updateLastActivity } from '../subscribers/subscriptions.ts'
import type { World } from '../world.ts'

/** Derives the town of a fan from the id, so that it is the same in all texts and in the profile. */
export function deriveTown({ countries }: Pick<SeedTexts, 'countries'>, fanId: number): string {
  const towns = deriveCountry(fanId, countries)?.towns ?? []
  return createRandom(0, 'town', fanId).pick(towns) ?? ''
}

/** Returns the values that texts can mention about a fan and the account. */
export function listTextValues(
  texts: Pick<SeedTexts, 'countries'>,
  { fan, account }: { fan?: Pick<Fan, 'id' | 'name'> | undefined; account: Pick<Account, 'name'> },
): Map<string, string> {
  const values = new Map([['account.name', getCallName(account.name)]])
  if (fan === undefined) return values
  values.set('fan.town', deriveTown(texts, fan.id))
  const first = getFirstName(fan.name)
  return first === undefined ? values : values.set('fan.firstName', first)
}

/** Returns the first name of a person, or the whole name of a studio. */
function getCallName(name: string): string {
  return /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u.test(name) ? (name.split(' ')[0] ?? name) : name
}

/**
 * Returns the name that a creator uses for a fan. Undefined if the fan's name does not begin with a
 * word in Latin letters.
 */
function getFirstName(name: string): string | undefined {
  const [first = ''] = name.split(' ', 1)
  if (!/^\p{Script=Latin}{3,12}$/u.test(first)) return undefined
  return first.charAt(0).toUpperCase() + first.slice(1).toLowerCase()
}

type Countries = SeedTexts['countries']

/** Derives a fan's country from the id, so that all payments of the fan have the same tax. */
export function deriveCountry(fanId: number, countries: Countries): Countries[number] | undefined {
  // Plain loops are faster here, because this code runs for each seeded payment, often before JIT
  // compilation.
  let sum = 0
  for (let index = 0; index < countries.length; index += 1)
    sum += getCountryWeight(countries[index])
  let left = (hashId(fanId) / 2 ** 32) * sum
  for (let index = 0; index < countries.length; index += 1)
    if ((left -= getCountryWeight(countries[index])) < 0) return countries[index]
  return countries[0]
}

/** Returns the time zone of a town, or the main time zone of its country. */
export function getTimezone(
  country: Countries[number] | undefined,
  town: string | null = null,
): string | undefined {
  return country?.zones[town ?? ''] ?? country?.timezone
}

function getCountryWeight(country: Countries[number] | undefined): number {
  return country === undefined ? 0 : country.weight
}

/** Hashes an id to 32 bits, so that consecutive ids get unrelated numbers. */
function hashId(id: number): number {
  const mixed = Math.imul(id ^ (id >>> 15), 0x2c1b3c6d)
  return Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 0
}

/** Returns the time when a user was last seen, as other users see it. Null if the user hides it. */
export function getVisibleLastSeen({ lastSeen, hidesLastSeen }: Fan): PlatformTime | null {
  return hidesLastSeen === true ? null : toPlatformTime(lastSeen)
}

/** Sets the fan's last-seen time, epoch ms, unless a later time is already stored. */
export function markFanSeen(world: World, fanId: number, at: number = world.clock.now()): void {
  const fan = world.db.fans.get(fanId)
  if (fan === undefined) return
  const lastSeen = toIsoTime(at)
  // On a frozen clock the time is the same, but the fan now sorts after others with this time.
  if (parseIso(fan.lastSeen) === at) updateLastActivity(world, fan)
  else if (parseIso(fan.lastSeen) < at) world.db.fans.update(fanId, { lastSeen })
}

/** Marks fans as seen when they write messages. */
export function createLastSeenUpdater(world: World): ChangeListener<Message> {
  return (before, after) => {
    if (before === undefined && after?.isFromFan === true)
      markFanSeen(world, after.fanId, parseIso(after.createdAt))
  }
}
