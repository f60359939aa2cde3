/** A binary heap (priority queue). */
export class Heap<Item> {
  readonly #items: Item[] = []
  readonly #isBefore: (a: Item, b: Item) => boolean

  constructor(isBefore: (a: Item, b: Item) => boolean) {
    this.#isBefore = isBefore
  }

  /** Returns the first item, without removing it. */
  get first(): Item | undefined {
    return this.#items[0]
  }

  add(item: Item): void {
    let index = this.#items.push(item) - 1
    while (index > 0) {
      const above = (index - 1) >> 1
      if (!this.#swapIfBefore(index, above)) return
      index = above
    }
  }

  /** Removes the first item and returns it. */
  pop(): Item | undefined {
    const [first] = this.#items
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return first
    this.#items[0] = last
    this.#sink()
    return first
  }

  #sink(): void {
    for (let index = 0; ;) {
      const [left, right] = [index * 2 + 1, index * 2 + 2]
      const lower =
        right < this.#items.length &&
        this.#isBefore(this.#items[right] as Item, this.#items[left] as Item)
          ? right
          : left
      if (lower >= this.#items.length || !this.#swapIfBefore(lower, index)) return
      index = lower
    }
  }

  #swapIfBefore(index: number, above: number): boolean {
    const [item, other] = [this.#items[index] as Item, this.#items[above] as Item]
    if (!this.#isBefore(item, other)) return false
    this.#items[index] = other
    this.#items[above] = item
    return true
  }
}
