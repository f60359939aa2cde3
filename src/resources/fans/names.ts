import { randomAt } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import type { Culture, SeedTexts } from '../../seed/seed-texts.ts'
import { countryOf } from './country.ts'

type Texts = Pick<SeedTexts, 'names' | 'countries'>

/** A first and a last name, and the culture that they are of. */
interface FullName {
  first: string
  last: string
  familyFirst?: boolean | undefined
}

/** Shares of the fans with foreign names who write that language, by the script of the name. */
const foreignShares = { latin: 0.22, other: 0.45 }

/** The names that a user can have. The id decides, so that all they write agrees with it. */
export function cultureOf({ names, countries }: Texts, id: number): Culture {
  const cultures = countryOf(id, countries)?.names ?? []
  return names.cultures[randomAt(0, 'names', id).pick(cultures)] ?? names.cultures.en
}

/** The language that a user of that id writes, such as `de`; mostly English, `en`. */
export function languageOf(texts: Texts, id: number): string {
  const { language, first } = cultureOf(texts, id)
  const share = isLatin(first[0] ?? '') ? foreignShares.latin : foreignShares.other
  return language === 'en' || randomAt(0, 'language', id).chance(share) ? language : 'en'
}

/** Draws how a user writes their name. */
export function drawName(
  random: Random,
  { names, fans }: Pick<SeedTexts, 'names' | 'fans'>,
  { first, last, familyFirst }: FullName,
): string {
  const full = familyFirst === true ? `${last} ${first}` : `${first} ${last}`
  const parts = {
    first,
    last,
    full,
    handle: random.pick(names.handles),
    sign: random.pick(fans.signs),
  }
  return random.weighted(nameForms)(parts)
}

/** The parts of a name. A form uses some of them. */
type NameParts = Record<'first' | 'last' | 'full' | 'handle' | 'sign', string>

/** The ways to write a name, each with its weight. */
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

/** Draws a username as people choose them. Many keep the one that the platform gave them. */
export function drawUsername(
  random: Random,
  { names }: Pick<SeedTexts, 'names'>,
  { id, first, last }: { id: number } & FullName,
): string {
  const handle = toAscii(random.pick(names.handles))
  const [given, family] = [
    toAscii(first) || handle,
    toAscii(last) || String(random.integer(10, 999)),
  ]
  const year = String(random.integer(65, 105) % 100).padStart(2, '0')
  const digits = String(random.weighted(endings)(random))
  const other = toAscii(random.pick(names.handles))
  const username = random.weighted(usernameForms)({
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

/** The numbers that people put behind a username. */
const endings: readonly (readonly [(random: Random) => number, number])[] = [
  [(random) => random.integer(1, 9), 2],
  [(random) => random.integer(10, 99), 5],
  [(random) => random.pick([69, 420, 7, 123, 1234, 777, 99, 23, 88]), 2],
  [(random) => random.integer(100, 9999), 3],
]

/** The parts of a username. A form uses some of them. */
type UsernameParts = Record<'given' | 'family' | 'handle' | 'year' | 'digits' | 'other', string> & {
  id: number
}

/** The forms of usernames, each with its weight. */
const usernameForms: readonly (readonly [(parts: UsernameParts) => string, number])[] = [
  [({ id }) => `u${id}`, 21],
  [({ given, family }) => `${given}${family}`, 7],
  [({ given, family }) => `${given}.${family}`, 5],
  [({ given, family }) => `${given}_${family}`, 4],
  [({ given, family, year }) => `${given}${family}${year}`, 7],
  [({ given, family, year }) => `${given}.${family.charAt(0)}${year}`, 4],
  [({ given, year }) => `${given}${year}`, 9],
  [({ given, digits }) => `${given}${digits}`, 8],
  [({ given, digits }) => `${given}_${digits}`, 4],
  [({ given, family }) => `${given.charAt(0)}${family}`, 4],
  [({ given, family, digits }) => `${given.charAt(0)}${family}${digits}`, 6],
  [({ family, given }) => `${family}${given.charAt(0)}`, 2],
  [({ handle }) => handle, 2],
  [({ handle, digits }) => `${handle}${digits}`, 7],
  [({ handle, year }) => `${handle}_${year}`, 3],
  [({ given, handle }) => `${handle}_${given}`, 2],
  [({ given, family }) => `the${given}${family.charAt(0)}`, 1],
  [({ given }) => `itsme${given}`, 1],
  [({ given, year }) => `xx${given}${year}xx`, 0.6],
  [({ handle, other }) => `${handle}.${other}`, 0.6],
]

function isLatin(text: string): boolean {
  return /^\p{Script=Latin}/u.test(text)
}

/** The text in plain small letters and digits: without accents and without what has no plain letter. */
function toAscii(text: string): string {
  if (/^[a-z\d]*$/.test(text)) return text
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
