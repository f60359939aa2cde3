import type { Work } from '../work.ts'

type Value = number | string

/** What rows are ordered by: larger values first where it is descending. */
export interface SortKey<Row> {
  field: (row: Row) => Value
  isDescending: boolean
}

/** How many rows are merged in one unit of work. */
const rowsPerUnit = 4096

/**
 * Sorts rows as `toSorted` does by the comparator of these keys, in units: the first key decides,
 * where it is equal the next one.
 * @note It reads each key of a row once and then compares values, as calls of many different
 * functions would take most of the time.
 */
export function* sortingByKeys<Row>(
  rows: readonly Row[],
  keys: readonly SortKey<Row>[],
): Work<readonly Row[]> {
  const columns = new Columns(rows, keys)
  if (columns.order === 'sorted') return rows.slice()
  if (columns.order === 'reversed') return rows.toReversed()
  yield
  let sorted = new Uint32Array(rows.length)
  let other = new Uint32Array(rows.length)
  for (let start = 0; start < rows.length; start += runLength) {
    sortRun(sorted, columns, { start, end: Math.min(start + runLength, rows.length) })
    if (start % rowsPerUnit === 0) yield
  }
  for (let width = runLength; width < rows.length; width *= 2) {
    let done = 0
    for (let start = 0; start < rows.length; start += 2 * width) {
      const [middle, end] = [
        Math.min(start + width, rows.length),
        Math.min(start + 2 * width, rows.length),
      ]
      const merge = new Merge(sorted, other, { start, middle, end })
      while (merge.place < end) {
        done += merge.goOn(columns, rowsPerUnit)
        if (done < rowsPerUnit) continue
        done = 0
        yield
      }
    }
    ;[sorted, other] = [other, sorted]
  }
  const result = rows.slice()
  for (let place = 0; place < sorted.length; place += 1)
    result[place] = rows[sorted[place] as number] as Row
  return result
}

/**
 * The length of the runs that are sorted by insertion: as long as that takes less than to merge.
 */
const runLength = 16

/** Puts the places of a run in order. */
function sortRun(
  sorted: Uint32Array,
  columns: Compared,
  { start, end }: { start: number; end: number },
): void {
  for (let place = start; place < end; place += 1) {
    let free = place
    for (; free > start && columns.compare(sorted[free - 1] as number, place) > 0; free -= 1)
      sorted[free] = sorted[free - 1] as number
    sorted[free] = place
  }
}

/** What compares the rows at two places. */
interface Compared {
  compare: (a: number, b: number) => number
}

/** Merges two sorted runs of places that lie side by side. */
class Merge {
  /** Where the next one goes. */
  place: number
  readonly #end: number
  readonly #from: Uint32Array
  readonly #to: Uint32Array
  readonly #middle: number
  #left: number
  #right: number

  constructor(
    from: Uint32Array,
    to: Uint32Array,
    { start, middle, end }: { start: number; middle: number; end: number },
  ) {
    this.#from = from
    this.#to = to
    this.#middle = middle
    this.#left = start
    this.#right = middle
    this.place = start
    this.#end = end
  }

  /** Goes on for so many places at most, and says for how many. */
  goOn(columns: Compared, most: number): number {
    const [from, to, middle, end, first] = [
      this.#from,
      this.#to,
      this.#middle,
      this.#end,
      this.place,
    ]
    const stop = Math.min(end, first + most)
    let [left, right] = [this.#left, this.#right]
    for (let place = first; place < stop; place += 1) {
      const takesRight =
        left === middle ||
        (right < end && columns.compare(from[left] as number, from[right] as number) > 0)
      to[place] = (takesRight ? from[right++] : from[left++]) as number
    }
    this.#left = left
    this.#right = right
    this.place = stop
    return stop - first
  }
}

/** The values of the keys of rows, a list for each key. */
class Columns<Row> implements Compared {
  readonly #rows: readonly Row[]
  readonly #first: readonly Value[]
  readonly #sign: number
  readonly #furtherKeys: readonly SortKey<Row>[]
  /** What decides between rows with the same first value; undefined until there are two. */
  #further: Columns<Row> | undefined
  /**
   * How the rows come: sorted, the other way round, or in no order. Undefined until somebody asks.
   */
  #order: Found | undefined

  constructor(
    rows: readonly Row[],
    [{ field, isDescending } = noKey, ...furtherKeys]: readonly SortKey<Row>[],
  ) {
    this.#rows = rows
    this.#first = rows.map((row) => field(row))
    this.#sign = isDescending ? -1 : 1
    this.#furtherKeys = furtherKeys
  }

  /** Rows that were made in the order of time mostly come sorted or exactly the other way round. */
  get order(): Found {
    return (this.#order ??= findOrder(this.#rows.length, (place) => this.compare(place - 1, place)))
  }

  /** Compares the rows at two places. */
  compare(a: number, b: number): number {
    const left = this.#first[a] as Value
    const right = this.#first[b] as Value
    if (left === right) return this.#compareFurther(a, b)
    return left < right ? -this.#sign : this.#sign
  }

  #compareFurther(a: number, b: number): number {
    if (this.#furtherKeys.length === 0) return 0
    this.#further ??= new Columns(this.#rows, this.#furtherKeys)
    if (this.#further.order === 'none') return this.#further.compare(a, b)
    return this.#further.order === 'sorted' ? a - b : b - a
  }
}

/** How rows come: sorted, the other way round, or in no order. */
export type Found = 'sorted' | 'reversed' | 'none'

/**
 * Finds how so many rows come. `compareWithLast` compares the row before a place with the one
 * there.
 */
export function findOrder(count: number, compareWithLast: (place: number) => number): Found {
  const isReversed = count > 1 && compareWithLast(1) > 0
  for (let place = 2; place < count; place += 1)
    if (compareWithLast(place) > 0 !== isReversed) return 'none'
  return isReversed ? 'reversed' : 'sorted'
}

const noKey: SortKey<unknown> = { field: () => 0, isDescending: false }
