import { toPictureUrl } from '../../world/public-files.ts'
import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { World } from '../world.ts'
import type { Fan } from './fans.table.ts'
import { pickName, pickUsername } from './names.ts'
import type { DrawName } from './names.ts'

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
  const handle = random.pick(texts.names.handles)
  const called = pickName(random, full, handle)
  return {
    id,
    name: called,
    username: findUnusedUsername(
      pickUsername(random, { id, called, handle, ...full }),
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
