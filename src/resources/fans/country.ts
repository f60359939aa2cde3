import type { SeedTexts } from '../../world/seed-texts.ts'

type Countries = SeedTexts['countries']

/** The country that a fan lives in. It is not stored: it follows from their id, so that the tax on each of their payments is the same. */
export function countryOf(fanId: number, countries: Countries): Countries[number] | undefined {
  let sum = 0
  for (const { weight } of countries) sum += weight
  let left = (scatter(fanId) / 2 ** 32) * sum
  for (const country of countries) if ((left -= country.weight) < 0) return country
  return countries[0]
}

/** A whole number of 32 bits that tells nothing of the id: those of neighbours lie far apart. */
function scatter(id: number): number {
  const mixed = Math.imul(id ^ (id >>> 15), 0x2c1b3c6d)
  return Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 0
}
