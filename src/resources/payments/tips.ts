import type { Random } from '../../world/random.ts'
import { partitionPoint } from '../../lib/partition-point.ts'
import type { Persona } from '../../seed/persona.ts'
import { tipTerms } from './tip-terms.ts'

/** The amounts that most fans round a tip to, dollars. */
const roundAmounts = [
  5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 150, 200, 250, 300, 400, 500, 750, 1000,
] as const

/**
 * Draws a tip of whole dollars: most are small and round, few are large, some odd. `generosity`
 * multiplies the usual tip.
 */
export function drawTip(
  random: Random,
  { tips: { median, spread } }: Pick<Persona['money'], 'tips'>,
  generosity = 1,
): number {
  const amount = median * generosity * Math.exp(spread * drawNormal(random))
  const dollars = random.chance(0.8) ? nearestRound(amount) : Math.round(amount)
  return Math.min(tipTerms.max, Math.max(tipTerms.min, dollars))
}

/** Draws a number around 0; two of three lie between -1 and 1. */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}

function nearestRound(amount: number): number {
  const place = partitionPoint(roundAmounts, (each) => each >= amount)
  const [below, above] = [roundAmounts[place - 1] ?? 0, roundAmounts[place] ?? tipTerms.max]
  return amount - below < above - amount ? below : above
}
