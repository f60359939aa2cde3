/** A table whose reads are tracked. */
export interface TrackedTable {
  /** Another object after each write. */
  readonly version: object
  /** Returns the record with an id, or the rows of a group of an index. */
  look: (index: string | undefined, key: number | string) => unknown
}

/** One read of a table. */
interface Read {
  /** Undefined for a record. */
  readonly index: string | undefined
  readonly key: number | string
  readonly found: unknown
}

/**
 * Maximum number of reads of one table that are recorded. Beyond it, any change of the table
 * counts, because repeating all reads would take too long.
 */
const maxReads = 50

/** The reads of one table. */
class TableDependencies {
  readonly #table: TrackedTable
  readonly #reads: Read[] = []
  /** True if any change of the table counts. */
  #isWhole = false
  /** The version of the table for which all reads are valid. */
  #version: object

  constructor(table: TrackedTable) {
    this.#table = table
    this.#version = table.version
  }

  /** Without a key, the whole table was read. */
  add(index: string | undefined, key: number | string | undefined, found: unknown): void {
    if (this.#isWhole) return
    for (const read of this.#reads) if (read.key === key && read.index === index) return
    if (key !== undefined && this.#reads.length < maxReads) {
      this.#reads.push({ index, key, found })
      return
    }
    this.#isWhole = true
    this.#reads.length = 0
  }

  include(other: TableDependencies): void {
    if (other.#isWhole) this.add(undefined, undefined, undefined)
    for (const { index, key, found } of other.#reads) this.add(index, key, found)
  }

  /** True if all reads would find the same. If the table has not changed, none is repeated. */
  isValid(): boolean {
    const { version } = this.#table
    if (version === this.#version) return true
    if (this.#isWhole) return false
    for (const { index, key, found } of this.#reads)
      if (this.#table.look(index, key) !== found) return false
    this.#version = version
    return true
  }
}

/** Reads of a world that a value was computed from. The value is valid while they find the same. */
export class Dependencies {
  readonly #tables = new Map<TrackedTable, TableDependencies>()
  /** Start of the time in which the value is valid, epoch ms. */
  #from = -Infinity
  /** End of the time in which the value is valid, epoch ms, exclusive. */
  #until = Infinity
  /** True if something was read whose changes are not recorded. The value cannot be cached. */
  isUncacheable = false

  /** Adds a read of a record or of a group of an index; without a key, of the whole table. */
  add(
    table: TrackedTable,
    index: string | undefined,
    key: number | string | undefined,
    found: unknown,
  ): void {
    this.#of(table).add(index, key, found)
  }

  /** Adds a read of the time that finds the same from `from` to before `until`, epoch ms. */
  addTime(from: number, until: number): void {
    if (from > this.#from) this.#from = from
    if (until < this.#until) this.#until = until
  }

  /** Adds the reads of another value that this one was computed from. */
  include(other: Dependencies): void {
    for (const [table, reads] of other.#tables) this.#of(table).include(reads)
    this.addTime(other.#from, other.#until)
    this.isUncacheable ||= other.isUncacheable
  }

  /**
   * True if all reads would find the same now. `isUnchanged`: no row has changed since the last
   * check, so only the time is checked, if it was read.
   */
  isValid(clock: { untrackedNow(): number }, isUnchanged: boolean): boolean {
    if (this.#until !== Infinity || this.#from !== -Infinity) {
      const now = clock.untrackedNow()
      if (now < this.#from || now >= this.#until) return false
    }
    if (isUnchanged) return true
    for (const reads of this.#tables.values()) if (!reads.isValid()) return false
    return true
  }

  #of(table: TrackedTable): TableDependencies {
    const known = this.#tables.get(table)
    if (known !== undefined) return known
    const reads = new TableDependencies(table)
    this.#tables.set(table, reads)
    return reads
  }
}

/** Records the reads of the value that is computed now. */
export class DependencyTracker {
  /** The reads so far; undefined if none are recorded. */
  current: Dependencies | undefined

  /** Computes a value and records its reads, also for the value that it is part of. */
  track<Value>(compute: () => Value): { value: Value; dependencies: Dependencies } {
    const outer = this.current
    const dependencies = new Dependencies()
    this.current = dependencies
    try {
      const value = compute()
      outer?.include(dependencies)
      return { value, dependencies }
    } finally {
      this.current = outer
    }
  }

  /** Computes a value without recording its reads. */
  untracked<Value>(compute: () => Value): Value {
    const outer = this.current
    this.current = undefined
    try {
      return compute()
    } finally {
      this.current = outer
    }
  }
}
