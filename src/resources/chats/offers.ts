import { findPartitionPoint } from '../../lib/partition-point.ts'
import { dayMs } from '../../lib/time.ts'
import type { Persona } from '../../seed/persona.ts'
import type { Random } from '../../world/random.ts'
import type { Bundle } from './bundles.ts'
import type { Gift } from './gifts.ts'

/** Offers are picked from this many of the newest bundles. A larger exponent favours newer ones. */
const newestBundles = 5
const newestFirst = 2
/**
 * Exponent by which the probability of a purchase falls with the price, and the maximum factor for
 * cheap offers.
 */
const priceEffect = 0.6
const maxDemand = 1.5
/** Probability that a creator offers pictures that the fan has, if there are no others. */
const ownedShare = 0.3
/** Factor for the probability that a fan buys pictures that the fan has. */
const ownedDemand = 0.5
/** Names of weekdays in personas, starting with Sunday. */
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
/** Creators send a photo free of charge until it is this old. */
const oldGiftMs = 120 * dayMs
/** Fans who buy at least this fraction of their offers count as good customers. */
const goodCustomer = 0.44

/** The media of an account, the creator's prices, and how much the fan buys. */
export interface OfferInput {
  random: Random
  persona: Persona
  /** The bundles that the account sells, oldest first. */
  bundles: readonly Bundle[]
  /** The photos that the account sends free of charge, oldest first. */
  gifts: readonly Gift[]
  /** Probability that the fan buys an offer. */
  buys: number
}

/**
 * Picks the media that a creator offers to one fan or sends free of charge. Keeps track of the
 * media that the fan has already seen and bought. All times are epoch ms.
 */
export class OfferPicker {
  readonly #input: OfferInput
  readonly #offered = new Set<Bundle>()
  readonly #given = new Set<Gift>()
  /** The time when the fan first bought each picture. */
  readonly #bought = new Map<string, number>()

  constructor(input: OfferInput) {
    this.#input = input
  }

  /**
   * Picks one of the newest bundles that have not been offered to the fan, and prefers the newest
   * ones. Bundles of pictures that the fan owns come last. Undefined if there are no bundles.
   */
  draw(at: number): Bundle | undefined {
    const { random, bundles, buys } = this.#input
    const fresh: Bundle[] = []
    const owned: Bundle[] = []
    for (let place = bundles.length - 1; place >= 0 && fresh.length < newestBundles; place -= 1) {
      const bundle = bundles[place]
      if (bundle === undefined || bundle.at >= at || this.#offered.has(bundle)) continue
      if (this.#isOwned(bundle, at)) owned.push(bundle)
      else fresh.push(bundle)
    }
    const again = random.chance(ownedShare) ? owned.slice(0, newestBundles) : []
    const newest = fresh.length > 0 ? fresh : again
    if (newest.length === 0) return undefined
    const pick = () => newest[Math.floor(newest.length * random.next() ** newestFirst)] as Bundle
    const first = pick()
    if (buys <= goodCustomer) return first
    // Good customers get more expensive offers.
    const other = pick()
    return other.priceAt(at) > first.priceAt(at) ? other : first
  }

  /** Returns the newest free photo that the fan does not have. Undefined if all others are old. */
  findGift(at: number): Gift | undefined {
    const { gifts } = this.#input
    let place = findPartitionPoint(gifts, (gift) => gift.at > at) - 1
    for (; place >= 0; place -= 1) {
      const gift = gifts[place] as Gift
      if (at - gift.at > oldGiftMs) return undefined
      if (!this.#given.has(gift)) return gift
    }
    return undefined
  }

  markOffered(bundle: Bundle): void {
    this.#offered.add(bundle)
  }

  markGiven(gift: Gift): void {
    this.#given.add(gift)
  }

  markBought({ assets }: Bundle, at: number): void {
    for (const asset of assets)
      this.#bought.set(asset, Math.min(at, this.#bought.get(asset) ?? Infinity))
  }

  /**
   * Returns a factor for the probability of a purchase. A high price lowers the probability, as
   * does a picture that the fan has, and fans spend more on some weekdays.
   */
  getDemand(bundle: Bundle, at: number): number {
    const { messages, days } = this.#input.persona.money
    const weekday = weekdays[new Date(at).getUTCDay()] ?? 'sun'
    const usual = messages[messages.length >> 1] ?? 20
    const interest = this.#isOwned(bundle, at) ? ownedDemand : 1
    return (
      interest * days[weekday] * Math.min(maxDemand, (usual / bundle.priceAt(at)) ** priceEffect)
    )
  }

  #isOwned({ assets }: Bundle, at: number): boolean {
    return assets.every((asset) => (this.#bought.get(asset) ?? Infinity) < at)
  }
}
