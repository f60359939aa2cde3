/** How many items stay at hand behind the last one that was made. */
const kept = 64

/**
 * A list whose items are made as they are read, in order: a list of any length costs no more than
 * the few items that are at hand. To read an item far back makes all items before it again.
 */
export class LazyList<Item> implements Iterable<Item> {
  readonly length: number
  readonly #open: () => Iterator<Item>
  #maker: Iterator<Item> | undefined
  #atHand: Item[] = []
  /** The index of the first item at hand. */
  #first = 0

  constructor(length: number, open: () => Iterator<Item>) {
    this.length = length
    this.#open = open
  }

  /** The item at an index, counted from 0. */
  at(index: number): Item | undefined {
    if (index < 0 || index >= this.length) return undefined
    if (index < this.#first) {
      this.#maker = undefined
      this.#atHand = []
      this.#first = 0
    }
    const maker = (this.#maker ??= this.#open())
    while (this.#first + this.#atHand.length <= index) {
      const next = maker.next()
      if (next.done === true) return undefined
      this.#atHand.push(next.value)
      if (this.#atHand.length < kept * 2) continue
      this.#atHand = this.#atHand.slice(kept)
      this.#first += kept
    }
    return this.#atHand[index - this.#first]
  }

  /** Makes all items from the first one on, and leaves the ones at hand as they are. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#open()
  }

  /** The same list for another reader, who reads it at a place of its own. */
  again(): LazyList<Item> {
    return new LazyList(this.length, this.#open)
  }

  /** The list of what `change` makes of the items. */
  map<Other>(change: (item: Item) => Other): LazyList<Other> {
    const open = this.#open
    return new LazyList(this.length, function* () {
      for (let items = open(), next = items.next(); next.done !== true; next = items.next())
        yield change(next.value)
    })
  }
}
