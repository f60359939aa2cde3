import type { Random } from '../../world/random.ts'
import { findPartitionPoint } from '../../lib/partition-point.ts'
import type { Persona } from '../../seed/persona.ts'
import { tipTerms } from './tip-terms.ts'

/** Typical tip amounts, all round, dollars. */
const roundAmounts = [
  5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 150, 200, 250, 300, 400, 500, 750, 1000,
] as const

/**
 * Picks a random amount for a tip, in whole dollars. Most tips are small round amounts, some are
 * large, and some are not round. `generosity` scales the usual amount.
 */
export function pickTipAmount(
  random: Random,
  { tips: { median, spread } }: Pick<Persona['money'], 'tips'>,
  generosity = 1,
): number {
  const amount = median * generosity * Math.exp(spread * drawNormal(random))
  const dollars = random.chance(0.8) ? roundToNearestTip(amount) : Math.round(amount)
  return Math.min(tipTerms.max, Math.max(tipTerms.min, dollars))
}

/** Unusual amounts that some fans tip for fun, in dollars, with weights. */
const oddAmounts = [
  6.66, 6.9, 7.77, 11.11, 12.34, 13.37, 22.22, 33.33, 42, 44.44, 69, 69.69, 77.77, 111, 123,
]
const oddShare = 0.06

/** Picks a random unusual amount for a tip that is not for a post. Undefined for most tips. */
export function pickUnusualTip(random: Random): number | undefined {
  return random.chance(oddShare) ? random.pick(oddAmounts) : undefined
}

/** Returns a random number from an approximately standard normal distribution. */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}

function roundToNearestTip(amount: number): number {
  const place = findPartitionPoint(roundAmounts, (each) => each >= amount)
  const [below, above] = [roundAmounts[place - 1] ?? 0, roundAmounts[place] ?? tipTerms.max]
  return amount - below < above - amount ? below : above
}
