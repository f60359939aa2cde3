import type { Fakers } from '../../seed/faker.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import { deriveCountry } from './fan-values.ts'
import { toPictureUrl } from '../../world/public-files.ts'
import type { World } from '../world.ts'
import type { Fan } from './fans.table.ts'

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
  nickname: string,
): string {
  const full = isReversed === true ? `${last} ${first}` : `${first} ${last}`
  return random.pickWeighted([
    [full, 34],
    [first, 28],
    [`${first} ${last.charAt(0)}`, 12],
    [nickname, 7],
    [capitalise(nickname), 7],
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
    nickname: ownNickname,
    called,
  }: { id: number; called: string; nickname: string } & FullName,
): string {
  const nickname = toAscii(ownNickname)
  const given = toAscii(first)
  const family = toAscii(last)
  const year = String(random.integer(65, 103) % 100).padStart(2, '0')
  const digits = String(random.integer(1, random.chance(0.5) ? 9 : 99))
  const generated = [`u${id}`, 8] as const
  // Names in other scripts have no letters that a username can contain.
  if (given.length < 2 || family.length < 2 || toAscii(called) === nickname)
    return random.pickWeighted([
      generated,
      [nickname, 18],
      [`${nickname}${digits}`, 18],
      [`${nickname}_${year}`, 16],
      [`the_${nickname}`, 8],
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
      [`${nickname}_${given}`, 5],
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

/**
 * Probabilities that a user has a picture (avatar), is also a creator (creator), and hides the time
 * when they were last seen.
 */
const chances = { avatar: 0.82, creator: 0.1, hidden: 0.1 }

/** Reserves a username. Returns false if another user has it. */
export type ReserveUsername = (username: string) => boolean

/** In accounts with at most this many fans, people notice two with the same first name. */
const fewFans = 60
/** Maximum number of attempts to find an unused first name. */
const maxDraws = 8

/** Returns a check if a first name is used among the fans. With many fans, names may be repeated. */
export function createNameCheck(fans: readonly Fan[]): (first: string) => boolean {
  if (fans.length > fewFans) return () => false
  const used = fans.map(({ name }) => name.toLowerCase())
  return (first) => used.some((name) => name.startsWith(first.toLowerCase()))
}

/**
 * Creates a random user of the platform. Calls each function of `next` once and in a fixed order,
 * because the order determines the results.
 */
export function createRandomFan(
  { random, texts }: { random: Random; texts: Pick<SeedTexts, 'names' | 'prices'> },
  next: {
    id: () => number
    lastSeen: () => string
    reserve: ReserveUsername
    name: DrawName
    /** @default no first name is taken */
    isTaken?: (first: string) => boolean
  },
): Fan {
  const id = next.id()
  let full = next.name(random, id)
  // A source of its own, so that a repeated name does not change all other data.
  for (let draw = 1; draw < maxDraws && next.isTaken?.(full.first) === true; draw += 1)
    full = next.name(createRandom(0, 'first name', id, draw), id)
  const nickname = random.pick(texts.names.handles)
  const called = pickName(random, full, nickname)
  return {
    id,
    name: called,
    username: findUnusedUsername(
      pickUsername(random, { id, called, nickname, ...full }),
      next.reserve,
    ),
    avatar: random.chance(chances.avatar) ? toPictureUrl(id) : null,
    subscribePrice: random.chance(chances.creator) ? random.pick(texts.prices.fans) : 0,
    lastSeen: next.lastSeen(),
    ...(random.chance(chances.hidden) ? { hidesLastSeen: true } : {}),
  }
}

/** Returns an unused username: the given one, or one with a prefix, a suffix or a number. */
export function findUnusedUsername(username: string, reserve: ReserveUsername): string {
  for (const free of [username, `${username}_`, `_${username}`, `its${username}`, `${username}x`])
    if (reserve(free)) return free
  let number = 2
  while (!reserve(`${username}${number}`)) number += 1
  return `${username}${number}`
}

/**
 * Creates a function that checks if a username is free in a world. The function reserves nothing,
 * because the new user is inserted immediately.
 */
export function createUsernameReserver({ db }: World): ReserveUsername {
  return (username) => {
    const key = username.toLowerCase()
    const user = db.accounts.in('byUsername', key).at(0) ?? db.fans.in('byUsername', key).at(0)
    return user === undefined
  }
}
