/** A table as those who read it see it. */
export interface Readable {
  /**
   * Another object after every change, the same one until then; undefined while it has to be built
   * first.
   */
  readonly version: object | undefined
  /** The record of an id, the rows of a group of an index, or what stands for all records. */
  look: (index: string | undefined, key: number | string | undefined) => unknown
}

/** How many values one read takes in the list. */
const width = 3
/**
 * Of a table of which more was read it is enough to know whether it changed at all: to look at all
 * of it again would take too long.
 */
const maxReads = 50

/** What was read of one table. */
class TableDependencies {
  readonly #table: Readable
  /** Index, key and what was found, one after another, each read once. */
  readonly #found: unknown[] = []
  /** Whether any change of the table counts. */
  #isWhole = false
  /** The version of the table at which all of it was found. */
  #version: object | undefined

  constructor(table: Readable) {
    this.#table = table
    this.#version = table.version
  }

  note(index: string | undefined, key: number | string | undefined, found: unknown): void {
    if (this.#isWhole) return
    for (let place = 0; place < this.#found.length; place += width)
      if (this.#found[place + 1] === key && this.#found[place] === index) return
    this.#found.push(index, key, found)
    if (key !== undefined && this.#found.length <= maxReads * width) return
    this.#isWhole = true
    this.#found.length = 0
  }

  include(other: TableDependencies): void {
    if (other.#isWhole) this.note(undefined, undefined, undefined)
    for (let place = 0; place < other.#found.length; place += width)
      this.note(
        other.#found[place] as string | undefined,
        other.#found[place + 1] as number | string | undefined,
        other.#found[place + 2],
      )
  }

  /**
   * Whether all of it would be found again. Where the table has not changed, nothing is looked at.
   */
  hold(): boolean {
    if (this.#version !== undefined && this.#table.version === this.#version) return true
    if (this.#isWhole) return this.#table.look(undefined, undefined) === this.#version
    const found = this.#found
    for (let place = 0; place < found.length; place += width) {
      const seen = this.#table.look(
        found[place] as string | undefined,
        found[place + 1] as number | string | undefined,
      )
      if (seen !== found[place + 2]) return false
    }
    this.#version = this.#table.version
    return true
  }
}

/**
 * What was read of a world, and what came of it: as long as it all comes again, so does whatever
 * was made of it.
 */
export class Dependencies {
  readonly #tables = new Map<Readable, TableDependencies>()
  /** The time at which the same holds begins, epoch ms. */
  #from = -Infinity
  /** The first time at which it no longer holds, epoch ms. */
  #until = Infinity
  /** Whether something was read that nobody watches: what was made of it holds for this once. */
  isFleeting = false

  /** A table was read. */
  note(
    table: Readable,
    index: string | undefined,
    key: number | string | undefined,
    found: unknown,
  ): void {
    this.#of(table).note(index, key, found)
  }

  /** The time was read, and would have been the same from `from` to before `until`. Epoch ms. */
  noteTime(from: number, until: number): void {
    if (from > this.#from) this.#from = from
    if (until < this.#until) this.#until = until
  }

  /** What was read for something else went into this as well. */
  include(other: Dependencies): void {
    for (const [table, reads] of other.#tables) this.#of(table).include(reads)
    this.noteTime(other.#from, other.#until)
    this.isFleeting ||= other.isFleeting
  }

  /**
   * Whether all of it would come again now. Where no record has changed, only the time is looked
   * at, if it was read at all.
   */
  hold(readNow: () => number, isUnchanged: boolean): boolean {
    if (this.#until !== Infinity || this.#from !== -Infinity) {
      const now = readNow()
      if (now < this.#from || now >= this.#until) return false
    }
    if (isUnchanged) return true
    for (const reads of this.#tables.values()) if (!reads.hold()) return false
    return true
  }

  #of(table: Readable): TableDependencies {
    const known = this.#tables.get(table)
    if (known !== undefined) return known
    const reads = new TableDependencies(table)
    this.#tables.set(table, reads)
    return reads
  }
}

/** Tells who reads a world what is being made right now. */
export class DependencyTracker {
  /** The reads of what is being made; undefined while nobody has to know. */
  current: Dependencies | undefined

  /** Runs `make` and collects what it reads. Whatever it is part of has read the same. */
  watch<Value>(make: () => Value): { value: Value; reads: Dependencies } {
    const outer = this.current
    const reads = new Dependencies()
    this.current = reads
    try {
      const value = make()
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
