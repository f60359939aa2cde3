import type { Faker } from '@faker-js/faker'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { congruential32 } from 'pure-rand/generator/congruential32'
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

/** The one source of chance of a world: seeded, and its state is part of a snapshot. */
export class Random {
  readonly #seed: number
  #generator

  constructor(seed: number) {
    this.#seed = seed
    this.#generator = xoroshiro128plus(seed)
    // The first numbers of neighbouring seeds are alike: let them pass.
    for (let round = 0; round < 16; round += 1) this.#generator.next()
  }

  /**
   * A source of its own for one thing, by the seed and the path alone: what is drawn from it moves no other draw, and no other draw moves
   * what it gives.
   */
  branch(...path: readonly (string | number)[]): Random {
    return new Random(new DataView(sha256(utf8ToBytes(JSON.stringify([this.#seed, ...path]))).buffer).getInt32(0))
  }

  /** A number from 0 up to, but not including, 1. */
  next(): number {
    return (this.#generator.next() >>> 0) / 0x1_0000_0000
  }

  /** A whole number, both ends included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  /** Whether something of that probability (0 to 1) happens. */
  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** One of the items. */
  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item
  }

  /** One of the items, each as likely as its weight. */
  weighted<Item>(items: readonly (readonly [Item, number])[]): Item {
    // Pairs are not taken apart as `[item, weight]`: that makes an iterator each time, which was a sixth of what seeding allocated.
    let left = this.next() * items.reduce((sum, pair) => sum + pair[1], 0)
    const chosen = items.find((pair) => (left -= pair[1]) < 0) ?? items[items.length - 1]
    return (chosen as readonly [Item, number])[0]
  }

  /** A UUID of version 4. */
  uuid(): string {
    return toUuid(Array.from({ length: 32 }, () => this.integer(0, 15).toString(16)).join(''))
  }

  /** A faker that draws from this source. */
  faker(faker: Faker): Faker {
    // @note The class comes from the instance: importing it from the package's root loads every locale (126 ms instead of 22).
    const FakerOfLocale = faker.constructor as typeof Faker
    return new FakerOfLocale({ locale: faker.rawDefinitions, randomizer: { next: () => this.next(), seed: () => {} } })
  }

  /** The generator's state as JSON. */
  state(): number[] {
    return [...this.#generator.getState()]
  }

  /** Goes back to a state. */
  restore(state: readonly number[]): void {
    this.#generator = xoroshiro128plusFromState(state)
  }
}

/**
 * A source of chance that the seed and the path alone decide, as in `randomAt(seed, accountId, day)`: nothing is stored, and the same path
 * gives the same numbers each time. A number in the path counts as a whole number of 32 bits, a text by its characters.
 * @note `branch` does the same with SHA-256, which takes 5 µs: too long for each day of a chart. This takes 0.2 µs.
 */
export function randomAt(seed: number, ...path: readonly (number | string)[]): Random {
  let key = mix(0, seed)
  for (const part of path) {
    if (typeof part === 'number') key = mix(key, part)
    else {
      // The length keeps the path `ab`, `c` apart from the path `a`, `bc`.
      key = mix(key, part.length)
      for (let index = 0; index < part.length; index += 1) key = mix(key, part.charCodeAt(index))
    }
  }
  return new Random(key)
}

/** Adds a word to a key. Multiplications spread each bit of it: keys of neighbouring days have nothing in common. */
function mix(key: number, word: number): number {
  return congruential32(key ^ word).next()
}

/** The UUID of version 4 that 32 hexadecimal digits make. */
export function toUuid(hex: string): string {
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
