import { randomAt } from '../../engine/random.ts'
import type { Random } from '../../engine/random.ts'
import type { ForeignNames, NameLists, SeedTexts } from '../../world/seed-texts.ts'

/** Names of one country, or English ones. */
type Names = Pick<ForeignNames, 'first' | 'last' | 'familyFirst'>

/** A first and a last name. */
interface FullName {
  first: string
  last: string
  familyFirst?: true
}

/** How many of those with foreign names write their own language: of a Latin script, or of another one. */
const foreignShares = { latin: 0.22, other: 0.45 }

/** The names that a user of that id has: most are English. The id alone decides, so that all that they write can agree with it. */
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
export function drawName(random: Random, { nicknames, signs }: SeedTexts['fans'], { first, last, familyFirst }: FullName): string {
  const full = familyFirst === true ? `${last} ${first}` : `${first} ${last}`
  return random.weighted([
    [full, 60],
    [first, 16],
    [random.pick(nicknames), 8],
    [`${first} ${last.charAt(0)}.`, 4],
    [first.toLowerCase(), 3],
    [`${first} ${random.pick(signs)}`, 4],
    [full.toLowerCase(), 2],
    [`${first} “${random.pick(nicknames)}” ${last}`, 1],
    [`${first} Alexandra Maria ${last} de la Montaña`, 0.6],
  ])
}

/** Draws a user name as people choose them, in small letters. Some keep the one that the platform gave them. */
export function drawUsername(
  random: Random,
  { names, fans }: SeedTexts,
  { id, first, last }: { id: number; first: string; last: string },
): string {
  const nickname = toAscii(random.pick(fans.nicknames))
  const [given, family] = [toAscii(first) || nickname, toAscii(last) || random.pick(names.nouns)]
  const year = String(random.integer(60, 105) % 100).padStart(2, '0')
  const chosen = random.weighted([
    [`u${id}`, 16],
    [`${given}_${random.pick(names.nouns)}${random.integer(1, 99)}`, 10],
    [`${given}.${family}`, 14],
    [`${given}${family}${year}`, 14],
    [`${given}${year}`, 10],
    [`${given.charAt(0)}${family}`, 8],
    [`${nickname}${random.integer(1, 999)}`, 10],
    [`the_real_${given}${random.integer(1, 9)}`, 3],
    [`${random.pick(names.nouns)}_${random.pick(names.nouns)}`, 8],
    [`not.${given}.${family}`, 2],
    [`${given}_${given}_${year}`, 2],
    [`${nickname}_and_${random.pick(names.nouns)}`, 3],
  ])
  return chosen.toLowerCase().replace(/[^a-z\d._]/g, '')
}

function countryOf({ foreign }: NameLists, id: number): ForeignNames | undefined {
  let left = randomAt(0, 'country', id).next() * 100
  return foreign.find(({ weight }) => (left -= weight) < 0)
}

function isLatin(text: string): boolean {
  return /^\p{Script=Latin}/u.test(text)
}

/** The text in plain letters: without accents, and without what has no plain letter. */
function toAscii(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()
}
