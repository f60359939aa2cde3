/** A long operation in small units. A server answers other requests between two units. */
export type Work<Result = void> = Generator<undefined, Result, undefined>

/** The pauses between slices of work. */
export interface Pace {
  /** Real time, ms. It only measures the duration of a slice. */
  now: () => number
  /** Resolves after the event loop has run other tasks. */
  pause: () => Promise<void>
}

/** Maximum time between two pauses, ms. */
export const sliceMs = 8

/** Work in progress, which a synchronous caller may finish during a pause. */
export class SlicedWork<Result> {
  readonly #work: Work<Result>
  #isRunning = false
  #outcome: { value: Result } | { error: unknown } | undefined

  constructor(work: Work<Result>) {
    this.#work = work
  }

  /** Runs the work in slices with pauses between them, or at once without a pace. */
  async run(pace: Pace | undefined): Promise<Result> {
    while (this.#outcome === undefined) {
      const start = pace?.now() ?? 0
      do this.#step()
      while (this.#outcome === undefined && (pace?.now() ?? 0) - start < sliceMs)
      if (this.#outcome === undefined) await pace?.pause()
    }
    if ('error' in this.#outcome) throw this.#outcome.error
    return this.#outcome.value
  }

  /** Runs the rest at once, unless the work itself calls this. */
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

/** Runs work in slices, or at once without a pace. */
export function inSlices<Result>(work: Work<Result>, pace: Pace | undefined): Promise<Result> {
  return new SlicedWork(work).run(pace)
}

/** Creates a function that pauses an asynchronous operation whenever a slice is over. */
export function createPause(pace: Pace | undefined): () => Promise<void> {
  let start = pace?.now() ?? 0
  return async () => {
    if (pace === undefined || pace.now() - start < sliceMs) return
    await pace.pause()
    start = pace.now()
  }
}

/** Runs work at once. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Rows per unit of `inUnits`. */
const rowsPerUnit = 128

/** Calls a function with each row, as work. */
export function* inUnits<Row>(rows: readonly Row[], each: (row: Row) => void): Work {
  for (const [place, row] of rows.entries()) {
    each(row)
    if (place % rowsPerUnit === rowsPerUnit - 1) yield
  }
}
