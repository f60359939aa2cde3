import type { Random } from '../world/random.ts'

/**
 * Deals items like the cards of a shuffled pack: none comes again before all others that are
 * accepted have come.
 */
export class Pack<Item> {
  /** First those that were dealt in this round, in their order, then the others. */
  readonly #items: Item[]
  readonly #random: Random
  #dealt = 0
  #deals = 0

  constructor(random: Random, items: readonly Item[]) {
    this.#random = random
    this.#items = [...items]
  }

  /** Mean number of uses of each item; infinite without items. */
  get rounds(): number {
    return this.#items.length === 0 ? Infinity : this.#deals / this.#items.length
  }

  /** Deals an item; undefined when none is accepted. */
  deal(accepts: (item: Item) => boolean): Item | undefined {
    const item = this.#dealNext(accepts) ?? this.#dealAgain(accepts)
    if (item !== undefined) this.#deals += 1
    if (this.#dealt === this.#items.length) this.#dealt = 0
    return item
  }

  /** Puts the item back that was dealt last, as if it had not come. */
  takeBack(): void {
    if (this.#deals === 0) return
    this.#deals -= 1
    this.#dealt = (this.#dealt === 0 ? this.#items.length : this.#dealt) - 1
  }

  /** Deals an item that did not come in this round. */
  #dealNext(accepts: (item: Item) => boolean): Item | undefined {
    const items = this.#items
    for (let end = items.length; end > this.#dealt; end -= 1) {
      const place = this.#random.integer(this.#dealt, end - 1)
      const item = items[place] as Item
      const isAccepted = accepts(item)
      // An item that is not accepted now goes behind the others.
      const other = isAccepted ? this.#dealt : end - 1
      items[place] = items[other] as Item
      items[other] = item
      if (!isAccepted) continue
      this.#dealt += 1
      return item
    }
    return undefined
  }

  /** Deals the item once more that came first of those of this round. */
  #dealAgain(accepts: (item: Item) => boolean): Item | undefined {
    const place = this.#items.findIndex((item, at) => at < this.#dealt && accepts(item))
    const item = this.#items[place]
    if (item !== undefined) this.#items.splice(this.#dealt - 1, 0, ...this.#items.splice(place, 1))
    return item
  }
}
