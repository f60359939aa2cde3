import { randomAt } from '../../world/random.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { countryOf } from '../fans/country.ts'
import type { Fan } from '../fans/fans.table.ts'

/** Facts of a fan's life, by their placeholder names in dialogues. */
export type Facts = ReadonlyMap<string, string>

/**
 * Returns the facts of a fan's life. They follow from the id, so they are the same in each chat.
 */
export function factsOf(
  {
    dialogues: { facts, jobs },
    countries,
    names,
  }: Pick<SeedTexts, 'dialogues' | 'countries' | 'names'>,
  { id, name }: Pick<Fan, 'id' | 'name'>,
): Facts {
  const random = randomAt(0, 'life', id)
  const known = new Map<string, string>()
  const called = callName(names, name) ?? nicknameIn(name)
  if (called !== undefined) known.set('name', called)
  known.set('town', random.pick(countryOf(id, countries)?.towns ?? ['home']))
  for (const [fact, words] of Object.entries(facts)) known.set(fact, random.pick(words))
  for (const [fact, word] of Object.entries(random.pick(jobs))) known.set(fact, word)
  return known
}

/** Returns a nickname that a creator can use, such as `Wolfie`; undefined for `Nr1fan`. */
function nicknameIn(name: string): string | undefined {
  return /^\p{Lu}\p{Ll}{3,9}$/u.test(name) ? name : undefined
}

/** Returns the name that a creator uses for a fan; undefined if no part of the name is usable. */
export function callName({ handles }: SeedTexts['names'], name: string): string | undefined {
  const [first = ''] = name.split(' ')
  if (handles.some((handle) => handle.startsWith(first.toLowerCase()))) return undefined
  if (!/^\p{Script=Latin}{3,12}$/u.test(first)) return undefined
  return first.charAt(0).toUpperCase() + first.slice(1).toLowerCase()
}
