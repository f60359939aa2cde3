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

/** Maximum time between two pauses, ms. */
export const sliceMs = 8

/** Work under way. Several callers may run it on. */
export class SlicedWork<Result> {
  readonly #work: Work<Result>
  #isRunning = false
  #outcome: { value: Result } | { error: unknown } | undefined

  constructor(work: Work<Result>) {
    this.#work = work
  }

  /** Runs it in slices with pauses between them. Without a pace it runs at once. */
  async run(pace: Pace | undefined): Promise<Result> {
    while (this.#outcome === undefined) {
      const start = pace?.now() ?? 0
      do this.#step()
      while (this.#outcome === undefined && (pace?.now() ?? 0) - start < sliceMs)
      // `finish` may end it during the pause.
      if (this.#outcome === undefined) await pace?.pause()
    }
    if ('error' in this.#outcome) throw this.#outcome.error
    return this.#outcome.value
  }

  /** Runs the rest at once, unless it is the caller. */
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

/** Does work to its end. Nothing else happens meanwhile. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
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
