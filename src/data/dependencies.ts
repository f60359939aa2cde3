/** A table whose reads are tracked. */
export interface TrackedTable {
  /** An object that is replaced on each write. */
  readonly version: object
  /** Returns the record with the given id, or the rows of an index group. */
  look: (index: string | undefined, key: number | string) => unknown
}

/** One read of a table. */
interface TableRead {
  /** Name of the index that was read. Undefined if a record was read. */
  readonly index: string | undefined
  readonly key: number | string
  readonly found: unknown
}

/**
 * Maximum number of recorded reads per table. Above this number, any change to the table
 * invalidates the value, because repeating all reads would take too long.
 */
const maxReads = 50

class TableDependencies {
  readonly #table: TrackedTable
  readonly #reads: TableRead[] = []
  /** True if every change to the table invalidates the value. */
  #isWhole = false
  /** The table's version when all reads were last known to be valid. */
  #version: object

  constructor(table: TrackedTable) {
    this.#table = table
    this.#version = table.version
  }

  /** Adds a read. Without a key, the whole table counts as read. */
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

  /**
   * True if all reads would return the same results. Repeats the reads only if the table has
   * changed.
   */
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

/**
 * The reads from which a value was computed. The value is valid as long as their results stay the
 * same.
 */
export class Dependencies {
  readonly #tables = new Map<TrackedTable, TableDependencies>()
  /** Start of the value's validity, epoch ms. */
  #from = -Infinity
  /** End of the value's validity, epoch ms (exclusive). */
  #until = Infinity
  /** True if the value cannot be cached, because it depends on untracked state. */
  isUncacheable = false

  /**
   * Adds a read of a record or of an index group. Without a key, the whole table counts as read.
   */
  add(
    table: TrackedTable,
    index: string | undefined,
    key: number | string | undefined,
    found: unknown,
  ): void {
    this.#getTable(table).add(index, key, found)
  }

  /**
   * Adds a read of the time. The result stays the same from `from` until `until` (exclusive), epoch
   * ms.
   */
  addTime(from: number, until: number): void {
    if (from > this.#from) this.#from = from
    if (until < this.#until) this.#until = until
  }

  /** Adds the reads of another value from which this value was computed. */
  include(other: Dependencies): void {
    for (const [table, reads] of other.#tables) this.#getTable(table).include(reads)
    this.addTime(other.#from, other.#until)
    this.isUncacheable ||= other.isUncacheable
  }

  /**
   * True if all reads would still have the same result. Set `isUnchanged` if no row has changed
   * since the last check. Then only the time is checked.
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

  #getTable(table: TrackedTable): TableDependencies {
    const known = this.#tables.get(table)
    if (known !== undefined) return known
    const reads = new TableDependencies(table)
    this.#tables.set(table, reads)
    return reads
  }
}

/** Records the reads of the value that is being computed. */
export class DependencyTracker {
  /** The reads so far. Undefined if no value is being tracked. */
  current: Dependencies | undefined

  /**
   * Computes a value and records its reads. If another value is being computed, it gets these reads
   * too.
   */
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
}
