import { createRandom } from '../../world/random.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { deriveCountry } from '../fans/country.ts'
import type { Fan } from '../fans/fans.table.ts'
import { tagsKey } from '../../seed/exchange.ts'

/** Details of a fan's life, by the placeholder names that dialogues use. */
export type Facts = ReadonlyMap<string, string>

/** Derives details of a fan's life from the id, so that they are the same in every chat. */
export function deriveFanFacts(
  {
    dialogues: { facts, jobs },
    countries,
    names,
  }: Pick<SeedTexts, 'dialogues' | 'countries' | 'names'>,
  { id, name }: Pick<Fan, 'id' | 'name'>,
): Facts {
  const random = createRandom(0, 'life', id)
  const known = new Map<string, string>()
  const called = getFanNickname(names, name)
  if (called !== undefined) known.set('name', called)
  const country = deriveCountry(id, countries)
  known.set('town', random.pick(country?.towns ?? ['home']))
  for (const fact in facts) {
    const value = random.pick(facts[fact] ?? [])
    if (value !== 'none') known.set(fact, value)
  }
  if (!known.has('pet')) known.delete('petname')
  const { job, at, shift, boss } = random.pick(jobs)
  known.set('job', job).set('at', at).set('shift', shift).set('boss', boss)
  return known.set(tagsKey, ` ${listTags(known, country).join(' ')} `)
}

/**
 * Returns the tags of a fan, which exchanges can require: the pet, the partner, `kid`, the hobby,
 * the last words of the job and of its place, the country, and its climate.
 */
function listTags(facts: Facts, country: SeedTexts['countries'][number] | undefined): string[] {
  const lastWord = (fact: string) => facts.get(fact)?.split(' ').at(-1) ?? ''
  return [
    lastWord('pet'),
    facts.has('partner') ? 'couple' : 'single',
    lastWord('partner'),
    facts.has('kid') ? 'kid' : '',
    lastWord('hobby'),
    lastWord('job'),
    lastWord('at'),
    country?.code.toLowerCase() ?? '',
    country?.climate ?? '',
  ].filter((tag) => tag !== '')
}

/**
 * Returns the name that a creator uses for a fan. Undefined if the fan's name does not begin with a
 * first name.
 */
export function getFanNickname({ cultures }: SeedTexts['names'], name: string): string | undefined {
  const [first = ''] = name.split(' ', 1)
  if (!/^\p{Script=Latin}{3,12}$/u.test(first)) return undefined
  const called = first.charAt(0).toUpperCase() + first.slice(1).toLowerCase()
  for (const culture in cultures) if (cultures[culture]?.first.includes(called)) return called
  return undefined
}
