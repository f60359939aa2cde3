import { pictureAddress } from '../../engine/public-files.ts'
import type { Random } from '../../engine/random.ts'
import type { SeedTexts } from '../../world/seed-texts.ts'
import type { Fan } from './fans.table.ts'

/** Draws a user of the platform. It calls each function of `next` once, when it comes to that field: the order of the draws is fixed. */
export function drawFan(
  { random, texts: { names, prices } }: { random: Random; texts: SeedTexts },
  next: { id: () => number; lastSeen: () => string },
): Fan {
  const firstName = random.pick(names.first)
  const id = next.id()
  return {
    id,
    name: random.chance(0.7) ? `${firstName} ${random.pick(names.last)}` : firstName,
    username: random.chance(0.2)
      ? `u${id}`
      : `${firstName}${random.pick(['_', '.', ''])}${random.pick(names.nouns)}${random.integer(1, 99)}`
          .toLowerCase()
          .replace(/[^a-z\d._]/g, ''),
    avatar: pictureAddress(id),
    subscribePrice: random.chance(0.12) ? random.pick(prices.fans) : 0,
    lastSeen: next.lastSeen(),
  }
}
