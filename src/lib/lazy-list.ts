/** Number of recent items that are cached. */
const kept = 64

/**
 * A list whose items are generated in order when they are read. It caches only a few items, so a
 * list of any length costs little. Reading an older item generates all items before it again.
 */
export class LazyList<Item> implements Iterable<Item> {
  readonly length: number
  readonly #open: () => Iterator<Item>
  #maker: Iterator<Item> | undefined
  #atHand: Item[] = []
  /** The index of the first cached item. */
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

  /** Generates all items from the first one, without changing the cached ones. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#open()
  }

  /** The same list with its own cache, for another reader. */
  again(): LazyList<Item> {
    return new LazyList(this.length, this.#open)
  }

  /** A list of the converted items. */
  map<Other>(change: (item: Item) => Other): LazyList<Other> {
    const open = this.#open
    return new LazyList(this.length, function* () {
      for (let items = open(), next = items.next(); next.done !== true; next = items.next())
        yield change(next.value)
    })
  }
}
