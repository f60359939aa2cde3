/** A table as those who read it see it. */
export interface Readable {
  /** The record of an id, the rows of a group of an index, or what stands for all records. */
  look: (index: string | undefined, key: number | string | undefined) => unknown
}

/** How many values one read takes in the list. */
const width = 4
/** Of a table that was read more often it is enough to know whether it changed at all: to look at all of it again would take too long. */
const mostReads = 50

/** What was read of a world, and what came of it: as long as it all comes again, so does whatever was made of it. */
export class Reads {
  /** Table, index, key and what was found, one after another. */
  readonly #found: unknown[] = []
  /** The time at which the same holds begins, epoch ms. */
  #from = -Infinity
  /** The first time at which it no longer holds, epoch ms. */
  #until = Infinity
  /** Whether something was read that nobody watches: what was made of it holds for this once. */
  isFleeting = false

  /** A table was read. */
  note(table: Readable, index: string | undefined, key: number | string | undefined, found: unknown): void {
    this.#found.push(table, index, key, found)
  }

  /** The time was read, and would have been the same from `from` to before `until`. Epoch ms. */
  noteTime(from: number, until: number): void {
    if (from > this.#from) this.#from = from
    if (until < this.#until) this.#until = until
  }

  /** Drops what was read twice; of a table that was read often it keeps what stands for all records. */
  settle(): void {
    if (this.#found.length <= mostReads * width) return
    const counts = new Map<Readable, number>()
    for (let place = 0; place < this.#found.length; place += width) {
      const table = this.#found[place] as Readable
      counts.set(table, (counts.get(table) ?? 0) + 1)
    }
    const found = this.#found.splice(0)
    for (let place = 0; place < found.length; place += width) {
      const table = found[place] as Readable
      if ((counts.get(table) ?? 0) <= mostReads) this.#found.push(...found.slice(place, place + width))
    }
    for (const [table, count] of counts) if (count > mostReads) this.note(table, undefined, undefined, table.look(undefined, undefined))
  }

  /** What was read for something else went into this as well. */
  include(other: Reads): void {
    for (const each of other.#found) this.#found.push(each)
    this.noteTime(other.#from, other.#until)
    this.isFleeting ||= other.isFleeting
  }

  /** Whether all of it would come again at `now`. Where no record has changed, only the time is looked at. */
  hold(now: number, isUnchanged: boolean): boolean {
    if (now < this.#from || now >= this.#until) return false
    if (isUnchanged) return true
    const found = this.#found
    for (let place = 0; place < found.length; place += width) {
      const table = found[place] as Readable
      const seen = table.look(found[place + 1] as string | undefined, found[place + 2] as number | string | undefined)
      if (seen !== found[place + 3]) return false
    }
    return true
  }
}

/** Tells who reads a world what is being made right now. */
export class Reading {
  /** The reads of what is being made; undefined while nobody has to know. */
  current: Reads | undefined

  /** Runs `make` and collects what it reads. Whatever it is part of has read the same. */
  watch<Value>(make: () => Value): { value: Value; reads: Reads } {
    const outer = this.current
    const reads = new Reads()
    this.current = reads
    try {
      const value = make()
      reads.settle()
      outer?.include(reads)
      return { value, reads }
    } finally {
      this.current = outer
    }
  }

  /** Runs what reads on its own account, such as the building of a table that follows others. */
  apart<Value>(make: () => Value): Value {
    const outer = this.current
    this.current = undefined
    try {
      return make()
    } finally {
      this.current = outer
    }
  }
}
