import fc from 'fast-check'

/**
 * Generates strings of any characters. The unit `binary` of fast-check generates the same strings,
 * but first builds a map of all of Unicode, which takes a second.
 */
export function anyText({ maxLength }: { maxLength: number }): fc.Arbitrary<string> {
  return fc.string({ unit: character, maxLength })
}

const surrogates = { first: 0xd800, count: 0x800 }

const character = fc
  .oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0x10ffff - surrogates.count }))
  .map((place) => String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count))
