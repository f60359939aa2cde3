/** Number of recent items that are cached. */
const kept = 64

/**
 * A list whose items are generated in order when they are read. It caches only the last items, so
 * memory does not grow with its length. Reading an older item generates the items before it again.
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

  /** Returns the item at an index from 0. */
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

  /** Generates all items from the start, without changing the cache. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#open()
  }

  /** Returns the same list with its own cache, for another reader. */
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
