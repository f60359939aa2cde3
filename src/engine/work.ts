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
