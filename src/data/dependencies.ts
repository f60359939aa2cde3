/** A table whose reads are tracked. */
export interface TrackedTable {
  /**
   * A new object after each change, the same one until then; undefined while the table has to be
   * rebuilt.
   */
  readonly version: object | undefined
  /**
   * Reads without tracking: the row with an id, or the rows of a group of an index. Without a key
   * it returns the version.
   */
  look: (index: string | undefined, key: number | string | undefined) => unknown
}

/** The number of array items of a read: index, key and result. */
const readWidth = 3
/** Maximum number of tracked reads of a table. With more, any change of the table counts. */
const maxReads = 50

/** The reads of one table. */
class TableDependencies {
  readonly #table: TrackedTable
  /** Index, key and result of each distinct read, one after another. */
  readonly #reads: unknown[] = []
  /** True if any change of the table counts. */
  #isWhole = false
  /** The version of the table at which all reads had these results. */
  #version: object | undefined

  constructor(table: TrackedTable) {
    this.#table = table
    this.#version = table.version
  }

  add(index: string | undefined, key: number | string | undefined, result: unknown): void {
    if (this.#isWhole) return
    for (let place = 0; place < this.#reads.length; place += readWidth)
      if (this.#reads[place + 1] === key && this.#reads[place] === index) return
    this.#reads.push(index, key, result)
    if (key !== undefined && this.#reads.length <= maxReads * readWidth) return
    this.#isWhole = true
    this.#reads.length = 0
  }

  include(other: TableDependencies): void {
    if (other.#isWhole) this.add(undefined, undefined, undefined)
    for (let place = 0; place < other.#reads.length; place += readWidth)
      this.add(
        other.#reads[place] as string | undefined,
        other.#reads[place + 1] as number | string | undefined,
        other.#reads[place + 2],
      )
  }

  /** True if all reads would have the same results now. */
  isValid(): boolean {
    if (this.#version !== undefined && this.#table.version === this.#version) return true
    if (this.#isWhole) return this.#table.look(undefined, undefined) === this.#version
    const reads = this.#reads
    for (let place = 0; place < reads.length; place += readWidth) {
      const result = this.#table.look(
        reads[place] as string | undefined,
        reads[place + 1] as number | string | undefined,
      )
      if (result !== reads[place + 2]) return false
    }
    this.#version = this.#table.version
    return true
  }
}

/** The rows and times that a value was computed from. */
export class Dependencies {
  readonly #tables = new Map<TrackedTable, TableDependencies>()
  /** The value is valid from this time on, epoch ms. */
  #from = -Infinity
  /** The value is valid before this time, epoch ms. */
  #until = Infinity
  /** True if something untracked was read, so that the value must not be cached. */
  isUncacheable = false

  /** Adds a read of a table. */
  add(
    table: TrackedTable,
    index: string | undefined,
    key: number | string | undefined,
    result: unknown,
  ): void {
    this.#of(table).add(index, key, result)
  }

  /** Adds a read of the time that has the same result from `from` to before `until`. Epoch ms. */
  addTime(from: number, until: number): void {
    if (from > this.#from) this.#from = from
    if (until < this.#until) this.#until = until
  }

  /** Adds the dependencies of a value that was used. */
  include(other: Dependencies): void {
    for (const [table, reads] of other.#tables) this.#of(table).include(reads)
    this.addTime(other.#from, other.#until)
    this.isUncacheable ||= other.isUncacheable
  }

  /**
   * True if a value with these dependencies is still valid. The clock returns epoch ms.
   * `isUnchanged`: no row has changed since the last check.
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
    const existing = this.#tables.get(table)
    if (existing !== undefined) return existing
    const reads = new TableDependencies(table)
    this.#tables.set(table, reads)
    return reads
  }
}

/** Collects the dependencies of the value that a world is computing. */
export class DependencyTracker {
  /** The dependencies of the innermost value; undefined if none is tracked. */
  current: Dependencies | undefined

  /** Computes a value and collects its dependencies. The enclosing value gets them too. */
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

  /** Computes a value without tracking, such as the rows of a derived table. */
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
