import { createRandom } from '../../world/random.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { deriveCountry } from './country.ts'
import type { Fan } from './fans.table.ts'

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
export function getFirstName(name: string): string | undefined {
  const [first = ''] = name.split(' ', 1)
  if (!/^\p{Script=Latin}{3,12}$/u.test(first)) return undefined
  return first.charAt(0).toUpperCase() + first.slice(1).toLowerCase()
}
