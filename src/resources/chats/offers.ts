import { conditionKinds } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import type { Random } from '../../world/random.ts'
import { getAgeTag } from './bundles.ts'
import type { Bundle } from './bundles.ts'
import { findGift } from './gifts.ts'
import type { Gift } from './gifts.ts'

/** Offers are picked from this many of the newest bundles. A larger exponent favours newer ones. */
const newestBundles = 5
const newestFirst = 2
/**
 * Exponent by which the probability of a purchase falls with the price, and the maximum factor for
 * cheap offers.
 */
const priceEffect = 1
const maxDemand = 1.5
/** Probability that a creator offers pictures that the fan has, if there are no others. */
const ownedShare = 0.3
/** Factor for the probability that a fan buys pictures that the fan has. */
const ownedDemand = 0.5
/** Fans who buy at least this fraction of their offers count as good customers. */
const goodCustomer = 0.44

/**
 * Picks the media that a creator offers to one fan or sends free of charge. Keeps track of the
 * media that the fan has already seen and bought. All times are epoch ms.
 */
export class OfferPicker {
  readonly #random: Random
  readonly #persona: Persona
  readonly #bundles: readonly Bundle[]
  readonly #gifts: readonly Gift[]
  readonly #buys: number
  readonly #offered = new Set<Bundle>()
  readonly #given = new Set<Gift>()
  /** The pictures that were offered or given. Several media may have the same picture. */
  readonly #seen = new Set<string>()
  /** The time when the fan first bought each picture. */
  readonly #bought = new Map<string, number>()

  constructor({
    random,
    persona,
    bundles,
    gifts,
    buys,
  }: {
    random: Random
    persona: Persona
    /** Oldest first. */
    bundles: readonly Bundle[]
    /** Oldest first. */
    gifts: readonly Gift[]
    /** Probability that the fan buys an offer. */
    buys: number
  }) {
    this.#random = random
    this.#persona = persona
    this.#bundles = bundles
    this.#gifts = gifts
    this.#buys = buys
  }

  /**
   * Picks one of the newest bundles that have not been offered to the fan, and prefers the newest
   * ones. Bundles of pictures that the fan owns come last. Undefined if there are no bundles.
   */
  draw(at: number): Bundle | undefined {
    const random = this.#random
    const fresh: Bundle[] = []
    const owned: Bundle[] = []
    const bundles = this.#bundles
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
    if (this.#buys <= goodCustomer) return first
    // Good customers get more expensive offers.
    const other = pick()
    return other.priceAt(at) > first.priceAt(at) ? other : first
  }

  /** Returns the free photo that the creator can send at this time. */
  findGift(at: number): Gift | undefined {
    return findGift(this.#gifts, at, this.#given)
  }

  markOffered(bundle: Bundle): void {
    this.#offered.add(bundle)
    for (const asset of bundle.assets) this.#seen.add(asset)
  }

  markGiven(gift: Gift): void {
    this.#given.add(gift)
    this.#seen.add(gift.asset)
  }

  markBought({ assets }: Bundle, at: number): void {
    for (const asset of assets)
      this.#bought.set(asset, Math.min(at, this.#bought.get(asset) ?? Infinity))
  }

  /** Returns the tags of an offered bundle: its age, and `owned` if the fan has its pictures. */
  listTags(bundle: Bundle, at: number): string {
    // A picture that was offered before is not called new.
    const isKnown = bundle.assets.some((asset) => this.#seen.has(asset))
    return `${isKnown ? '' : getAgeTag(bundle, at)}${this.#isOwned(bundle, at) ? 'owned ' : ''}`
  }

  /**
   * Returns a factor for the probability of a purchase. A high price lowers the probability, as
   * does a picture that the fan has, and fans spend more on some weekdays.
   */
  getDemand(bundle: Bundle, at: number): number {
    const { messages, days } = this.#persona.money
    const weekday = conditionKinds.weekdays[new Date(at).getUTCDay()] ?? 'sun'
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
