import type { Random } from '../world/random.ts'

/**
 * Draws items like cards from a shuffled deck. An item is repeated only after all other accepted
 * items have been drawn.
 */
export class ShuffledDeck<Item> {
  /** The items drawn in this round, in order, and then the remaining items. */
  readonly #items: Item[]
  readonly #random: Random
  #dealt = 0
  #deals = 0

  constructor(random: Random, items: readonly Item[]) {
    this.#random = random
    this.#items = [...items]
  }

  /** Average number of uses per item. Infinite if there are no items. */
  get rounds(): number {
    return this.#items.length === 0 ? Infinity : this.#deals / this.#items.length
  }

  /** Draws an item. Undefined if no item is accepted. */
  deal(accepts: (item: Item) => boolean): Item | undefined {
    const item = this.#dealNext(accepts) ?? this.#dealAgain(accepts)
    if (item !== undefined) this.#deals += 1
    if (this.#dealt === this.#items.length) this.#dealt = 0
    return item
  }

  /** Returns the last drawn item to the deck, as if it had not been drawn. */
  putBack(): void {
    if (this.#deals === 0) return
    this.#deals -= 1
    this.#dealt = (this.#dealt === 0 ? this.#items.length : this.#dealt) - 1
  }

  /** Draws an item that has not been drawn in this round. */
  #dealNext(accepts: (item: Item) => boolean): Item | undefined {
    const items = this.#items
    for (let end = items.length; end > this.#dealt; end -= 1) {
      const place = this.#random.integer(this.#dealt, end - 1)
      const item = items[place] as Item
      const isAccepted = accepts(item)
      // Moves a rejected item behind the others.
      const other = isAccepted ? this.#dealt : end - 1
      items[place] = items[other] as Item
      items[other] = item
      if (!isAccepted) continue
      this.#dealt += 1
      return item
    }
    return undefined
  }

  /** Draws an accepted item again: the one drawn earliest in this round. */
  #dealAgain(accepts: (item: Item) => boolean): Item | undefined {
    const place = this.#items.findIndex((item, at) => at < this.#dealt && accepts(item))
    const item = this.#items[place]
    if (item !== undefined) this.#items.splice(this.#dealt - 1, 0, ...this.#items.splice(place, 1))
    return item
  }
}
