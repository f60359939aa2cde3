import type { Fakers } from '../../seed/faker.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import { deriveCountry } from './fan-values.ts'

type Texts = Pick<SeedTexts, 'names' | 'countries'>

/** The names of a person. */
export interface FullName {
  first: string
  last: string
  familyFirst?: boolean
}

/** Draws the names of a new user with an id. */
export type DrawName = (random: Random, id: number) => FullName

/** Locales in which the last name comes first, and locales of other scripts. */
const familyFirst: ReadonlySet<string> = new Set(['ja', 'ko', 'zh_CN', 'zh_TW', 'hu'])
const otherScripts: ReadonlySet<string> = new Set(['ja', 'ko', 'zh_CN', 'zh_TW', 'ru', 'ar'])
/**
 * Of the fans with foreign names, the fraction who write in their native language. By the script of
 * the name.
 */
const foreignShares = { latin: 0.22, other: 0.45 }
/** Fraction of fans with names of men. */
const menShare = 0.82

/** Derives the locale of a user's names from the id, so that texts can match the name. */
function deriveLocale({ countries }: Pick<Texts, 'countries'>, id: number): string {
  const locales = deriveCountry(id, countries)?.locales ?? []
  return createRandom(0, 'names', id).pick(locales) ?? 'en'
}

/** Returns the language in which a user writes, usually `en`. */
export function deriveLanguage(texts: Pick<Texts, 'countries'>, id: number): string {
  const locale = deriveLocale(texts, id)
  const [language = 'en'] = locale.split('_')
  const share = otherScripts.has(locale) ? foreignShares.other : foreignShares.latin
  return language === 'en' || createRandom(0, 'language', id).chance(share) ? language : 'en'
}

/** Returns a function that draws names in the locale of each user's country. */
export function createNameSource(texts: Texts, fakers: Fakers): DrawName {
  return (random, id) => {
    const locale = deriveLocale(texts, id)
    const { person } = fakers.at(locale, random)
    const sex = random.chance(menShare) ? 'male' : 'female'
    return {
      first: person.firstName(sex),
      last: person.lastName(sex),
      familyFirst: familyFirst.has(locale),
    }
  }
}

/** Returns a function that draws names for users who are added after seeding. */
export function createLateNameSource({ names }: Pick<Texts, 'names'>): DrawName {
  return (random) => ({ first: random.pick(names.first), last: random.pick(names.last) })
}

/** Picks a random display name. */
export function pickName(
  random: Random,
  { first, last, familyFirst: isReversed }: FullName,
  handle: string,
): string {
  const full = isReversed === true ? `${last} ${first}` : `${first} ${last}`
  return random.pickWeighted([
    [full, 34],
    [first, 28],
    [`${first} ${last.charAt(0)}`, 12],
    [handle, 7],
    [capitalise(handle), 7],
    [first.toLowerCase(), 7],
    [full.toLowerCase(), 3],
    [first.toUpperCase(), 2],
  ])
}

/**
 * Picks a random username that fits the name. Many users keep the username that the platform
 * generated.
 */
export function pickUsername(
  random: Random,
  {
    id,
    first,
    last,
    handle: ownHandle,
    called,
  }: { id: number; called: string; handle: string } & FullName,
): string {
  const handle = toAscii(ownHandle)
  const given = toAscii(first)
  const family = toAscii(last)
  const year = String(random.integer(65, 103) % 100).padStart(2, '0')
  const digits = String(random.integer(1, random.chance(0.5) ? 9 : 99))
  const generated = [`u${id}`, 8] as const
  // Names in other scripts have no letters that a username can contain.
  if (given.length < 2 || family.length < 2 || toAscii(called) === handle)
    return random.pickWeighted([
      generated,
      [handle, 18],
      [`${handle}${digits}`, 18],
      [`${handle}_${year}`, 16],
      [`the_${handle}`, 8],
    ])
  return random
    .pickWeighted([
      generated,
      [`${given}${family}`, 12],
      [`${given}.${family}`, 9],
      [`${given}_${family}`, 9],
      [`${given}${family}${year}`, 10],
      [`${given}${year}`, 10],
      [`${given}_${year}`, 8],
      [`${given}${digits}`, 7],
      [`${given.charAt(0)}${family}`, 8],
      [`${given.charAt(0)}${family}${year}`, 6],
      [`${family}.${given}`, 4],
      [`${handle}_${given}`, 5],
    ])
    .slice(0, 24)
}

/** Letters that have no accent to strip, with their ASCII spelling. */
const asciiLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  đ: 'd',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
}

/**
 * Converts a string to lower-case ASCII letters and digits. It strips accents and drops characters
 * of other scripts.
 */
function toAscii(text: string): string {
  if (/^[a-z\d]*$/.test(text)) return text
  return text
    .toLowerCase()
    .replace(/[łøßđıæœ]/g, (letter) => asciiLetters[letter] ?? '')
    .normalize('NFD')
    .replace(/[^a-z\d]/g, '')
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
