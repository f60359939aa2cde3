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

  constructor(input: OfferInput) {
    this.#input = input
  }

  /**
   * Picks one of the newest bundles that have not been offered to the fan, and prefers the newest
   * ones. Undefined if there are no bundles.
   */
  draw(at: number): Bundle | undefined {
    const { random, bundles, buys } = this.#input
    const newest: Bundle[] = []
    for (let place = bundles.length - 1; place >= 0 && newest.length < newestBundles; place -= 1) {
      const bundle = bundles[place]
      if (bundle !== undefined && bundle.at < at && !this.#offered.has(bundle)) newest.push(bundle)
    }
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

  /**
   * Returns a factor for the probability of a purchase. A high price lowers the probability, and
   * fans spend more on some weekdays.
   */
  getDemand(bundle: Bundle, at: number): number {
    const { messages, days } = this.#input.persona.money
    const weekday = weekdays[new Date(at).getUTCDay()] ?? 'sun'
    const usual = messages[messages.length >> 1] ?? 20
    return days[weekday] * Math.min(maxDemand, (usual / bundle.priceAt(at)) ** priceEffect)
  }
}
