/**
 * A long operation, divided into small units. A server runs several units per slice, and handles
 * other requests between slices.
 */
export type Work<Result = void> = Generator<undefined, Result, undefined>

/** Defines how a server pauses between slices of work. */
export interface PausePolicy {
  /** Returns the real time for measuring slices, ms. */
  now: () => number
  /** Resolves after the event loop has run other tasks. */
  pause: () => Promise<void>
}

/** Maximum duration of a slice, ms. */
export const sliceMs = 8

/** Work in progress. During a pause, a synchronous caller can finish it. */
export class SlicedWork<Result> {
  readonly #work: Work<Result>
  #isRunning = false
  #outcome: { value: Result } | { error: unknown } | undefined

  constructor(work: Work<Result>) {
    this.#work = work
  }

  /** Runs the work in slices with pauses, or without pauses if `pace` is undefined. */
  async run(pace: PausePolicy | undefined): Promise<Result> {
    while (this.#outcome === undefined) {
      const start = pace?.now() ?? 0
      do this.#step()
      while (this.#outcome === undefined && (pace?.now() ?? 0) - start < sliceMs)
      if (this.#outcome === undefined) await pace?.pause()
    }
    if ('error' in this.#outcome) throw this.#outcome.error
    return this.#outcome.value
  }

  /** Runs the remaining work without pauses. Has no effect if the work itself calls this method. */
  finish(): void {
    while (this.#outcome === undefined && !this.#isRunning) this.#step()
  }

  #step(): void {
    this.#isRunning = true
    try {
      const { done, value } = this.#work.next()
      if (done === true) this.#outcome = { value }
    } catch (error) {
      this.#outcome = { error }
    } finally {
      this.#isRunning = false
    }
  }
}

/** Runs work in slices, or without pauses if `pace` is undefined. */
export function runInSlices<Result>(
  work: Work<Result>,
  pace: PausePolicy | undefined,
): Promise<Result> {
  return new SlicedWork(work).run(pace)
}

/**
 * Creates a function for asynchronous operations. The function pauses if the current slice is over.
 */
export function createSlicePause(pace: PausePolicy | undefined): () => Promise<void> {
  let start = pace?.now() ?? 0
  return async () => {
    if (pace === undefined || pace.now() - start < sliceMs) return
    await pace.pause()
    start = pace.now()
  }
}

/** Runs work without pauses. */
export function runToEnd<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Number of rows in one unit of `forEachInSlices`. */
const rowsPerUnit = 128

/** Calls a function for each row, in small units of work. */
export function* forEachInSlices<Row>(rows: readonly Row[], each: (row: Row) => void): Work {
  for (const [place, row] of rows.entries()) {
    each(row)
    if (place % rowsPerUnit === rowsPerUnit - 1) yield
  }
}

/** Sorts rows in small units of work. Rows that compare as equal keep their order. */
export function* sortInSlices<Row>(
  rows: readonly Row[],
  compare: (a: Row, b: Row) => number,
): Work<readonly Row[]> {
  if (rows.length <= rowsPerUnit) return rows.toSorted(compare)
  const middle = rows.length >> 1
  const left = yield* sortInSlices(rows.slice(0, middle), compare)
  const right = yield* sortInSlices(rows.slice(middle), compare)
  const merged: Row[] = []
  let [first, second] = [0, 0]
  while (first < left.length && second < right.length) {
    const [a, b] = [left[first] as Row, right[second] as Row]
    const isFirst = compare(a, b) <= 0
    if (isFirst) first += 1
    else second += 1
    merged.push(isFirst ? a : b)
    if (merged.length % rowsPerUnit === 0) yield
  }
  return merged.concat(left.slice(first), right.slice(second))
}
