import { pictureAddress } from '../../world/public-files.ts'
import type { Random } from '../../world/random.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { Fan } from './fans.table.ts'
import { cultureOf, drawName, drawUsername } from './names.ts'

/** Shares of the users with a picture, of those who are creators too, who hide their last visit. */
const chances = { avatar: 0.82, creator: 0.1, hidden: 0.05 }

/**
 * Draws a user of the platform. It calls each function of `next` once, in a fixed order, because
 * the order determines the drawn values.
 */
export function drawFan(
  { random, texts }: { random: Random; texts: SeedTexts },
  next: { id: () => number; lastSeen: () => string },
): Fan {
  const id = next.id()
  const { first, last, familyFirst } = cultureOf(texts, id)
  const name = { first: random.pick(first), last: random.pick(last), familyFirst }
  return {
    id,
    name: drawName(random, texts, name),
    username: drawUsername(random, texts, { id, ...name }),
    avatar: random.chance(chances.avatar) ? pictureAddress(id) : null,
    subscribePrice: random.chance(chances.creator) ? random.pick(texts.prices.fans) : 0,
    lastSeen: next.lastSeen(),
    ...(random.chance(chances.hidden) ? { hidesLastSeen: true } : {}),
  }
}
