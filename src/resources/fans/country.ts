import type { SeedTexts } from '../../seed/seed-texts.ts'

type Countries = SeedTexts['countries']

/** Derives a fan's country from the id, so that all payments of the fan have the same tax. */
export function deriveCountry(fanId: number, countries: Countries): Countries[number] | undefined {
  // Plain loops are faster here, because this code runs for each seeded payment, often before JIT
  // compilation.
  let sum = 0
  for (let place = 0; place < countries.length; place += 1)
    sum += getCountryWeight(countries[place])
  let left = (hashId(fanId) / 2 ** 32) * sum
  for (let place = 0; place < countries.length; place += 1)
    if ((left -= getCountryWeight(countries[place])) < 0) return countries[place]
  return countries[0]
}

/** Returns the time zone of a town, or the main time zone of its country. */
export function getTimezone(
  country: Countries[number] | undefined,
  town: string | null = null,
): string | undefined {
  return country?.zones[town ?? ''] ?? country?.timezone
}

function getCountryWeight(country: Countries[number] | undefined): number {
  return country === undefined ? 0 : country.weight
}

/** Hashes an id to 32 bits, so that consecutive ids get unrelated numbers. */
function hashId(id: number): number {
  const mixed = Math.imul(id ^ (id >>> 15), 0x2c1b3c6d)
  return Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 0
}
