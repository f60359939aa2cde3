import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import type { Culture, SeedTexts } from '../../seed/seed-texts.ts'
import { deriveCountry } from './country.ts'

type Texts = Pick<SeedTexts, 'names' | 'countries'>

/** A first name, a last name, their culture, and the name by which the user is called. */
interface FullName {
  first: string
  last: string
  handle: string
  familyFirst?: boolean | undefined
}

/**
 * Of the fans with foreign names, the fraction who write in their native language. By the script of
 * the name.
 */
const foreignShares = { latin: 0.22, other: 0.45 }

/** Derives the culture of a user's names from the id, so that texts can match the name. */
export function deriveNameCulture({ names, countries }: Texts, id: number): Culture {
  const cultures = deriveCountry(id, countries)?.names ?? []
  return names.cultures[createRandom(0, 'names', id).pick(cultures)] ?? names.cultures.en
}

/** Returns the language in which a user writes, usually `en`. */
export function deriveLanguage(texts: Texts, id: number): string {
  const { language, first } = deriveNameCulture(texts, id)
  const share = isLatin(first[0] ?? '') ? foreignShares.latin : foreignShares.other
  return language === 'en' || createRandom(0, 'language', id).chance(share) ? language : 'en'
}

/** Picks a random display name. */
export function pickName(
  random: Random,
  { fans }: Pick<SeedTexts, 'fans'>,
  { first, last, handle, familyFirst }: FullName,
): string {
  const full = familyFirst === true ? `${last} ${first}` : `${first} ${last}`
  const parts = {
    first,
    last,
    full,
    handle,
    sign: random.pick(fans.signs),
  }
  return random.pickWeighted(nameForms)(parts)
}

/** Parts from which display names are built. Each form uses some of these parts. */
type NameParts = Record<'first' | 'last' | 'full' | 'handle' | 'sign', string>

/** Forms of display names, with weights. */
const nameForms: readonly (readonly [(parts: NameParts) => string, number])[] = [
  [({ full }) => full, 30],
  [({ first }) => first, 27],
  [({ first, last }) => `${first} ${last.charAt(0)}`, 9],
  [({ first, last }) => `${first} ${last.charAt(0)}.`, 5],
  [({ handle }) => handle, 7],
  [({ handle }) => capitalise(handle), 7],
  [({ first }) => first.toLowerCase(), 6],
  [({ full }) => full.toLowerCase(), 3],
  [({ first, last }) => `${first.charAt(0)}${last.charAt(0)}`, 2],
  [({ first, sign }) => `${first} ${sign}`, 2],
  [({ first }) => first.toUpperCase(), 1.5],
  [({ first, handle, last }) => `${first} “${capitalise(handle)}” ${last}`, 0.5],
  [({ first, last }) => `${first} Alexandra Maria ${last} de la Montaña`, 0.3],
]

/**
 * Picks a random username that fits the name by which the user is called. Many users keep the
 * username that the platform generated.
 */
export function pickUsername(
  random: Random,
  { names }: Pick<SeedTexts, 'names'>,
  { id, first, last, handle: ownHandle, called }: { id: number; called: string } & FullName,
): string {
  const handle = toAscii(ownHandle)
  // Some people write ü as u, and others as ue.
  const hasDigraphs = createRandom(0, 'umlauts', id).chance(0.5)
  const spell = (name: string) => toAscii(names.latin[name] ?? name, hasDigraphs)
  const given = spell(first) || handle
  const family = spell(last) || handle
  const year = String(random.integer(65, 103) % 100).padStart(2, '0')
  const digits = String(random.pickWeighted(endings)(random))
  const other = toAscii(random.pick(names.handles))
  const forms = toAscii(called) === handle ? handleForms : fullNameForms
  const username = random.pickWeighted(forms)({
    id,
    given,
    family,
    handle,
    year,
    digits,
    other,
  })
  return username.slice(0, 24)
}

/** Number suffixes of usernames, with weights. */
const endings: readonly (readonly [(random: Random) => number, number])[] = [
  [(random) => random.integer(1, 9), 4],
  [(random) => random.integer(10, 99), 5],
  [(random) => random.pick([69, 7, 123, 777, 99, 23, 88, 21, 11, 13]), 2],
]

/** Parts from which usernames are built. Each form uses some of these parts. */
type UsernameParts = Record<'given' | 'family' | 'handle' | 'year' | 'digits' | 'other', string> & {
  id: number
}

/** Forms of usernames, with weights. */
type UsernameForms = readonly (readonly [(parts: UsernameParts) => string, number])[]

/** Usernames of users who go by their real name. A few usernames contain a handle. */
const fullNameForms: UsernameForms = [
  [({ id }) => `u${id}`, 8],
  [({ given, family }) => `${given}${family}`, 9],
  [({ given, family }) => `${given}.${family}`, 7],
  [({ given, family }) => `${given}_${family}`, 8],
  [({ given, family, year }) => `${given}${family}${year}`, 7],
  [({ given, family, year }) => `${given}.${family.charAt(0)}${year}`, 4],
  [({ given, year }) => `${given}${year}`, 7],
  [({ given, year }) => `${given}_${year}`, 5],
  [({ given, year }) => `${given}_${year < '60' ? 20 : 19}${year}`, 2],
  [({ given, digits }) => `${given}${digits}`, 4],
  [({ given, digits }) => `${given}_${digits}`, 3],
  [({ given, family }) => `${given.charAt(0)}${family}`, 5],
  [({ given, family }) => `${given.charAt(0)}_${family}`, 3],
  [({ given, family, year }) => `${given.charAt(0)}${family}${year}`, 4],
  [({ family, given }) => `${family}${given.charAt(0)}`, 3],
  [({ family, given }) => `${family}.${given}`, 2],
  [({ handle, digits }) => `${handle}${digits}`, 2],
  [({ given, handle }) => `${handle}_${given}`, 4],
  [({ given, handle }) => `${given}.${handle}`, 3],
  [({ given, family }) => `the${given}${family.charAt(0)}`, 2],
  [({ given, family }) => `${given}${family.charAt(0)}`, 3],
  [({ given }) => `itsme${given}`, 1],
  [({ given }) => `_${given}_`, 1.5],
  [({ given }) => `${given}${given.slice(-1)}${given.slice(-1)}`, 1.5],
  [({ given, year }) => `xx${given}${year}xx`, 0.6],
]

/** Usernames of users who go by a handle. */
const handleForms: UsernameForms = [
  [({ id }) => `u${id}`, 8],
  [({ handle }) => handle, 18],
  [({ handle, digits }) => `${handle}${digits}`, 14],
  [({ handle, year }) => `${handle}_${year}`, 16],
  [({ handle }) => `the_${handle}`, 8],
  [({ handle }) => `${handle}_`, 6],
  [({ given, handle }) => `${handle}_${given}`, 14],
  [({ handle, other }) => `${handle}.${other}`, 8],
]

function isLatin(text: string): boolean {
  return /^\p{Script=Latin}/u.test(text)
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
const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/**
 * Converts a string to lower-case ASCII letters and digits. It strips accents and drops characters
 * of other scripts. With `hasDigraphs`, umlauts become two letters.
 */
function toAscii(text: string, hasDigraphs = false): string {
  if (/^[a-z\d]*$/.test(text)) return text
  return text
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => (hasDigraphs ? (digraphs[letter] ?? '') : letter))
    .replace(/[łøßđıæœ]/g, (letter) => asciiLetters[letter] ?? '')
    .normalize('NFD')
    .replace(/[^a-z\d]/g, '')
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
