import type { SeedTexts } from '../../seed/seed-texts.ts'

type Countries = SeedTexts['countries']

/**
 * The country that a fan lives in. It is not stored: it follows from their id, so that the tax on
 * each of their payments is the same.
 */
export function countryOf(fanId: number, countries: Countries): Countries[number] | undefined {
  // Plain loops: each seeded payment comes here, mostly before anything is compiled.
  let sum = 0
  for (let place = 0; place < countries.length; place += 1) sum += weightOf(countries[place])
  let left = (scatter(fanId) / 2 ** 32) * sum
  for (let place = 0; place < countries.length; place += 1)
    if ((left -= weightOf(countries[place])) < 0) return countries[place]
  return countries[0]
}

function weightOf(country: Countries[number] | undefined): number {
  return country === undefined ? 0 : country.weight
}

/** A whole number of 32 bits that tells nothing of the id: those of neighbours lie far apart. */
function scatter(id: number): number {
  const mixed = Math.imul(id ^ (id >>> 15), 0x2c1b3c6d)
  return Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 0
}
