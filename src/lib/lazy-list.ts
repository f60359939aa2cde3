/** Number of recent items to cache. */
const cacheSize = 64

/**
 * A list that generates its items on demand, in order. It caches only the latest items, so that
 * memory use does not grow with the list. Reading an older item generates the list from the start
 * again.
 */
export class LazyList<Item> implements Iterable<Item> {
  readonly length: number
  readonly #open: () => Iterator<Item>
  #iterator: Iterator<Item> | undefined
  #cached: Item[] = []
  /** Index in the list of the first cached item. */
  #first = 0

  constructor(length: number, open: () => Iterator<Item>) {
    this.length = length
    this.#open = open
  }

  /** Returns the item at an index, counted from 0. */
  at(index: number): Item | undefined {
    if (index < 0 || index >= this.length) return undefined
    if (index < this.#first) {
      this.#iterator = undefined
      this.#cached = []
      this.#first = 0
    }
    const iterator = (this.#iterator ??= this.#open())
    while (this.#first + this.#cached.length <= index) {
      const next = iterator.next()
      if (next.done === true) return undefined
      this.#cached.push(next.value)
      if (this.#cached.length < cacheSize * 2) continue
      this.#cached = this.#cached.slice(cacheSize)
      this.#first += cacheSize
    }
    return this.#cached[index - this.#first]
  }

  /** Generates all items from the start, without changing the cache. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#open()
  }

  /** Returns a copy of the list with its own cache, for another reader. */
  again(): LazyList<Item> {
    return new LazyList(this.length, this.#open)
  }

  /** Returns a list of the converted items. */
  map<Other>(change: (item: Item) => Other): LazyList<Other> {
    const open = this.#open
    return new LazyList(this.length, function* () {
      for (let items = open(), next = items.next(); next.done !== true; next = items.next())
        yield change(next.value)
    })
  }
}

/**
 * Creates a value on first use and caches it. Used for expensive values such as schemas, because
 * test files import the whole library but use only a small part of it.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
