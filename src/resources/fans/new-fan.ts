import { pictureAddress } from '../../world/public-files.ts'
import type { Random } from '../../world/random.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { World } from '../world.ts'
import type { Fan } from './fans.table.ts'
import { cultureOf, drawName, drawUsername } from './names.ts'

/** Shares of the users with a picture, of those who are creators too, who hide their last visit. */
const chances = { avatar: 0.82, creator: 0.1, hidden: 0.05 }

/** Reserves a username. False if another user has it. */
export type ReserveUsername = (username: string) => boolean

/**
 * Draws a user of the platform. It calls each function of `next` once, in a fixed order, because
 * the order determines the drawn values.
 */
export function drawFan(
  { random, texts }: { random: Random; texts: SeedTexts },
  next: { id: () => number; lastSeen: () => string; reserve: ReserveUsername },
): Fan {
  const id = next.id()
  const { first, last, familyFirst } = cultureOf(texts, id)
  const name = { first: random.pick(first), last: random.pick(last), familyFirst }
  return {
    id,
    name: drawName(random, texts, name),
    username: freeUsername(drawUsername(random, texts, { id, ...name }), next.reserve),
    avatar: random.chance(chances.avatar) ? pictureAddress(id) : null,
    subscribePrice: random.chance(chances.creator) ? random.pick(texts.prices.fans) : 0,
    lastSeen: next.lastSeen(),
    ...(random.chance(chances.hidden) ? { hidesLastSeen: true } : {}),
  }
}

/** Returns a username, with a number at its end if it is taken. */
export function freeUsername(username: string, reserve: ReserveUsername): string {
  let free = username
  for (let number = 2; !reserve(free); number += 1) free = `${username}${number}`
  return free
}

/** Reserves a username in a world: its new user is inserted at once. */
export function reserveIn({ db }: World): ReserveUsername {
  return (username) => {
    const key = username.toLowerCase()
    const user = db.accounts.in('byUsername', key).at(0) ?? db.fans.in('byUsername', key).at(0)
    return user === undefined
  }
}
