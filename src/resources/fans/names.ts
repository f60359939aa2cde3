import { randomAt } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import type { ForeignNames, NameLists, SeedTexts } from '../../seed/seed-texts.ts'

/** Names of one country, or English ones. */
type Names = Pick<ForeignNames, 'first' | 'last' | 'familyFirst'>

/** A first and a last name. */
interface FullName {
  first: string
  last: string
  familyFirst?: true
}

/**
 * How many of those with foreign names write their own language: of a Latin script, or of another
 * one.
 */
const foreignShares = { latin: 0.22, other: 0.45 }

/**
 * The names that a user of that id has: most are English. The id alone decides, so that all that
 * they write can agree with it.
 */
export function namesOf(lists: NameLists, id: number): Names {
  return countryOf(lists, id) ?? lists
}

/** The language that a user of that id writes, such as `de`; mostly English, `en`. */
export function languageOf(lists: NameLists, id: number): string {
  const country = countryOf(lists, id)
  if (country === undefined) return 'en'
  const share = isLatin(country.first[0] ?? '') ? foreignShares.latin : foreignShares.other
  return randomAt(0, 'language', id).chance(share) ? country.language : 'en'
}

/** Draws how a user writes their name. */
export function drawName(
  random: Random,
  { nicknames, signs }: SeedTexts['fans'],
  { first, last, familyFirst }: FullName,
): string {
  const full = familyFirst === true ? `${last} ${first}` : `${first} ${last}`
  const [nickname, sign, middle] = [
    random.pick(nicknames),
    random.pick(signs),
    random.pick(nicknames),
  ]
  return random.weighted(nameForms)({ first, last, full, nickname, sign, middle })
}

/** What is drawn for a name: not all of it is used. */
type NameParts = Record<'first' | 'last' | 'full' | 'nickname' | 'sign' | 'middle', string>

/** The ways to write a name, each with its weight. */
const nameForms: readonly (readonly [(parts: NameParts) => string, number])[] = [
  [({ full }) => full, 60],
  [({ first }) => first, 16],
  [({ nickname }) => nickname, 8],
  [({ first, last }) => `${first} ${last.charAt(0)}.`, 4],
  [({ first }) => first.toLowerCase(), 3],
  [({ first, sign }) => `${first} ${sign}`, 4],
  [({ full }) => full.toLowerCase(), 2],
  [({ first, last, middle }) => `${first} “${middle}” ${last}`, 1],
  [({ first, last }) => `${first} Alexandra Maria ${last} de la Montaña`, 0.6],
]

/**
 * Draws a user name as people choose them, in small letters. Some keep the one that the platform
 * gave them.
 */
export function drawUsername(
  random: Random,
  { names, fans }: SeedTexts,
  { id, first, last }: { id: number; first: string; last: string },
): string {
  const nickname = toAscii(random.pick(fans.nicknames))
  const [given, family] = [toAscii(first) || nickname, toAscii(last) || random.pick(names.nouns)]
  const year = String(random.integer(60, 105) % 100).padStart(2, '0')
  const [noun, ofHundred, ofThousand, ofTen] = [
    random.pick(names.nouns),
    random.integer(1, 99),
    random.integer(1, 999),
    random.integer(1, 9),
  ]
  const [one, other, friend] = [
    random.pick(names.nouns),
    random.pick(names.nouns),
    random.pick(names.nouns),
  ]
  const parts = {
    id,
    given,
    family,
    nickname,
    year,
    noun,
    one,
    other,
    friend,
    ofHundred,
    ofThousand,
    ofTen,
  }
  return random
    .weighted(usernameForms)(parts)
    .toLowerCase()
    .replace(/[^a-z\d._]/g, '')
}

/** What is drawn for a user name: not all of it is used. */
type UsernameParts = Record<
  'given' | 'family' | 'nickname' | 'year' | 'noun' | 'one' | 'other' | 'friend',
  string
> &
  Record<'id' | 'ofHundred' | 'ofThousand' | 'ofTen', number>

/** The forms of user names, each with its weight. */
const usernameForms: readonly (readonly [(parts: UsernameParts) => string, number])[] = [
  [({ id }) => `u${id}`, 16],
  [({ given, noun, ofHundred }) => `${given}_${noun}${ofHundred}`, 10],
  [({ given, family }) => `${given}.${family}`, 14],
  [({ given, family, year }) => `${given}${family}${year}`, 14],
  [({ given, year }) => `${given}${year}`, 10],
  [({ given, family }) => `${given.charAt(0)}${family}`, 8],
  [({ nickname, ofThousand }) => `${nickname}${ofThousand}`, 10],
  [({ given, ofTen }) => `the_real_${given}${ofTen}`, 3],
  [({ one, other }) => `${one}_${other}`, 8],
  [({ given, family }) => `not.${given}.${family}`, 2],
  [({ given, year }) => `${given}_${given}_${year}`, 2],
  [({ nickname, friend }) => `${nickname}_and_${friend}`, 3],
]

function countryOf({ foreign }: NameLists, id: number): ForeignNames | undefined {
  let left = randomAt(0, 'country', id).next() * 100
  for (let place = 0; place < foreign.length; place += 1) {
    const country = foreign[place]
    if (country !== undefined && (left -= country.weight) < 0) return country
  }
  return undefined
}

function isLatin(text: string): boolean {
  return /^\p{Script=Latin}/u.test(text)
}

/** The text in plain letters: without accents, and without what has no plain letter. */
function toAscii(text: string): string {
  if (/^[a-z]*$/i.test(text)) return text.toLowerCase()
  return text
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()
}
