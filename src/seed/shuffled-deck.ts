import type { Random } from '../world/random.ts'

/**
 * Deals items like cards from a shuffled deck. An item is repeated only after all other accepted
 * items have been dealt.
 */
export class ShuffledDeck<Item> {
  /** The items already dealt in this round, in order, and then the remaining items. */
  readonly #items: Item[]
  readonly #random: Random
  #dealt = 0

  constructor(random: Random, items: readonly Item[]) {
    this.#random = random
    this.#items = [...items]
  }

  /** Deals the next accepted item. Undefined if no item is accepted. */
  deal(accepts: (item: Item) => boolean): Item | undefined {
    const item = this.#dealNext(accepts) ?? this.#dealAgain(accepts)
    if (this.#dealt === this.#items.length) this.#dealt = 0
    return item
  }

  /** Deals an accepted item that has not been dealt in this round. */
  #dealNext(accepts: (item: Item) => boolean): Item | undefined {
    const items = this.#items
    for (let end = items.length; end > this.#dealt; end -= 1) {
      const place = this.#random.integer(this.#dealt, end - 1)
      const item = items[place] as Item
      const isAccepted = accepts(item)
      // Moves a rejected item to the end.
      const other = isAccepted ? this.#dealt : end - 1
      items[place] = items[other] as Item
      items[other] = item
      if (!isAccepted) continue
      this.#dealt += 1
      return item
    }
    return undefined
  }

  /** Deals an item again: of the accepted items, the item that was dealt first in this round. */
  #dealAgain(accepts: (item: Item) => boolean): Item | undefined {
    const place = this.#items.findIndex((item, at) => at < this.#dealt && accepts(item))
    const item = this.#items[place]
    if (item !== undefined) this.#items.splice(this.#dealt - 1, 0, ...this.#items.splice(place, 1))
    return item
  }
}
