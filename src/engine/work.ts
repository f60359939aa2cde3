/**
 * Long work in small units. It yields between two of them, so that a server can answer others in
 * between.
 */
export type Work<Result = void> = Generator<undefined, Result, undefined>

/** How a host does long work: in slices, and others go on between two of them. */
export interface Pace {
  /** Real time, ms. It only measures how long a slice takes. */
  now: () => number
  /** Resolves when all others have had a turn. */
  pause: () => Promise<void>
}

/** Does work to its end. Nothing else happens meanwhile. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Work of a single unit. */
export function* inOneUnit<Result>(job: () => Result): Work<Result> {
  const result = job()
  yield
  return result
}

/** Whether a value is work that is still to be done. */
export function isWork(value: unknown): value is Work<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.iterator in value &&
    'next' in value &&
    'throw' in value
  )
}

/** How many rows go into a unit, where each is quickly done. */
const rowsPerUnit = 128

/** Does something with each row, some in a unit. */
export function* inUnits<Row>(
  rows: readonly Row[],
  each: (row: Row) => void,
  perUnit: number = rowsPerUnit,
): Work {
  for (let place = 0; place < rows.length; place += 1) {
    each(rows[place] as Row)
    if (place % perUnit === perUnit - 1) yield
  }
}

/** Makes so many items, some in a unit. */
export function* manyInUnits<Item>(
  count: number,
  make: (place: number) => Item,
  perUnit: number = rowsPerUnit,
): Work<Item[]> {
  const items: Item[] = []
  for (let place = 0; place < count; place += 1) {
    items.push(make(place))
    if (place % perUnit === perUnit - 1) yield
  }
  return items
}

/** The length of the runs that are sorted at once. */
const runLength = 1024

/**
 * Sorts rows as `toSorted` does. @note Each pass goes from one array to the other: an array a pass
 * would be garbage of many megabytes.
 */
export function* sortInUnits<Row>(
  rows: readonly Row[],
  compare: (a: Row, b: Row) => number,
): Work<readonly Row[]> {
  let sorted = rows.slice()
  for (let start = 0; start < sorted.length; start += runLength) {
    const run = sorted.slice(start, start + runLength).sort(compare)
    for (let place = 0; place < run.length; place += 1) sorted[start + place] = run[place] as Row
    yield
  }
  let other = sorted.length > runLength ? sorted.slice() : []
  for (let width = runLength; width < sorted.length; width *= 2) {
    for (let start = 0; start < sorted.length; start += 2 * width) {
      const [middle, end] = [start + width, start + 2 * width].map((place) =>
        Math.min(place, sorted.length),
      )
      yield* merge(
        { from: sorted, to: other, start, middle: middle as number, end: end as number },
        compare,
      )
    }
    ;[sorted, other] = [other, sorted]
  }
  return sorted
}

/**
 * Two sorted runs of an array, from `start` and from `middle` on, and the array that gets them
 * merged at the same place.
 */
interface Runs<Row> {
  from: readonly Row[]
  to: Row[]
  start: number
  middle: number
  end: number
}

function* merge<Row>(
  { from, to, start, middle, end }: Runs<Row>,
  compare: (a: Row, b: Row) => number,
): Work {
  const isInOrder = middle === end || compare(from[middle - 1] as Row, from[middle] as Row) <= 0
  let [left, right] = [start, middle]
  for (let place = start; place < end; place += 1) {
    const takesRight =
      left === middle ||
      (!isInOrder && right < end && compare(from[left] as Row, from[right] as Row) > 0)
    to[place] = (takesRight ? from[right++] : from[left++]) as Row
    if (place % runLength === runLength - 1) yield
  }
}
