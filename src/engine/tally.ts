/** How many requests were made in some time, and how many of them were refused. */
export interface TallySlot {
  requests: number
  refused: number
}

/** How much sandbox time one count is for, ms. */
const slotMs = 10_000
/** How many counts are kept. */
const mostSlots = 20_000

/** Counts requests by sandbox time, long after the journal has let go of them. */
export class Tally {
  readonly #slots = new Map<number, TallySlot>()

  /** Counts a request. Epoch ms. */
  add(at: number, isRefused: boolean): void {
    const start = at - (at % slotMs)
    const slot = this.#slots.get(start) ?? { requests: 0, refused: 0 }
    if (slot.requests === 0) this.#open(start, slot)
    slot.requests += 1
    if (isRefused) slot.refused += 1
  }

  /** The counts by the time at which they begin, in no order. Epoch ms. */
  slots(): Iterable<[number, Readonly<TallySlot>]> {
    return this.#slots
  }

  /** Drops what was counted after that time: it went back to then. Epoch ms. */
  dropAfter(at: number): void {
    for (const start of this.#slots.keys()) if (start > at) this.#slots.delete(start)
  }

  /** Forgets all counts. */
  clear(): void {
    this.#slots.clear()
  }

  #open(start: number, slot: TallySlot): void {
    this.#slots.set(start, slot)
    if (this.#slots.size <= mostSlots) return
    for (const oldest of this.#slots.keys()) {
      this.#slots.delete(oldest)
      return
    }
  }
}
