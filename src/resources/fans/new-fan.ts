import { pictureAddress } from '../../world/public-files.ts'
import type { Random } from '../../world/random.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { Fan } from './fans.table.ts'
import { drawName, drawUsername, namesOf } from './names.ts'

/**
 * Draws a user of the platform. It calls each function of `next` once, when it comes to that field:
 * the order of the draws is fixed.
 */
export function drawFan(
  { random, texts }: { random: Random; texts: SeedTexts },
  next: { id: () => number; lastSeen: () => string },
): Fan {
  const id = next.id()
  const names = namesOf(texts.names, id)
  const [first, last] = [random.pick(names.first), random.pick(names.last)]
  return {
    id,
    name: drawName(random, texts.fans, { ...names, first, last }),
    username: drawUsername(random, texts, { id, first, last }),
    avatar: pictureAddress(id),
    subscribePrice: random.chance(0.12) ? random.pick(texts.prices.fans) : 0,
    lastSeen: next.lastSeen(),
  }
}
