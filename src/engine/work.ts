/** Long work in small units. It yields between two of them, so that a server can answer others in between. */
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
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value && 'throw' in value
}

/** How many rows go into a unit, where each is quickly done. */
const rowsPerUnit = 128

/** Does something with each row, some in a unit. */
export function* inUnits<Row>(rows: readonly Row[], each: (row: Row) => void, perUnit: number = rowsPerUnit): Work {
  for (let place = 0; place < rows.length; place += 1) {
    each(rows[place] as Row)
    if (place % perUnit === perUnit - 1) yield
  }
}

/** Makes so many items, some in a unit. */
export function* manyInUnits<Item>(count: number, make: (place: number) => Item, perUnit: number = rowsPerUnit): Work<Item[]> {
  const items: Item[] = []
  for (let place = 0; place < count; place += 1) {
    items.push(make(place))
    if (place % perUnit === perUnit - 1) yield
  }
  return items
}

/** The length of the runs that are sorted at once. */
const runLength = 1024

/** Sorts rows as `toSorted` does. */
export function* sortInUnits<Row>(rows: readonly Row[], compare: (a: Row, b: Row) => number): Work<readonly Row[]> {
  let runs: (readonly Row[])[] = []
  for (let start = 0; start < rows.length; start += runLength) {
    runs.push(rows.slice(start, start + runLength).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly Row[])[] = []
    for (let place = 0; place < runs.length; place += 2) merged.push(yield* merge(runs[place] ?? [], runs[place + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<Row>(a: readonly Row[], b: readonly Row[], compare: (a: Row, b: Row) => number): Work<readonly Row[]> {
  if (a.length === 0 || b.length === 0 || compare(a.at(-1) as Row, b[0] as Row) <= 0) return [...a, ...b]
  const merged: Row[] = []
  let [fromA, fromB] = [0, 0]
  while (fromA < a.length || fromB < b.length) {
    const takesB = fromA === a.length || (fromB < b.length && compare(a[fromA] as Row, b[fromB] as Row) > 0)
    merged.push((takesB ? b[fromB++] : a[fromA++]) as Row)
    if (merged.length % runLength === 0) yield
  }
  return merged
}
