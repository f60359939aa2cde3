import { BudgetError } from '../errors.ts'

/** One MB of a budget, bytes. */
export const mebibyte = 1_048_576

/** The part of a budget that journals and the snapshots of stories leave to records. */
const reserve = 1 / 4
/** Below this part of a budget a write is tried before it is kept. */
const margin = 1 / 8

/**
 * The memory that a server with all its worlds may use. It is counted in bytes that the parts of
 * the sandbox account for themselves (docs/security.md tells how), not by the size of the heap,
 * which only shrinks when it is cleared up.
 */
export class Budget {
  /** Bytes. */
  readonly limit: number
  #used = 0

  /** @param limit bytes */
  constructor(limit: number) {
    this.limit = limit
  }

  /** The bytes in use. */
  get used(): number {
    return this.#used
  }

  /** Whether everything is used. */
  get isFull(): boolean {
    return this.#used > this.limit
  }

  /** Whether so little is left that a write has to be tried before it is kept. */
  get isTight(): boolean {
    return this.#used > this.limit * (1 - margin)
  }

  /** Whether only the part is left that is kept for records. */
  get isReserved(): boolean {
    return this.#used > this.limit * (1 - reserve)
  }

  /** Counts bytes that are used from now on, or that no longer are when they are negative. */
  add(bytes: number): void {
    this.#used += bytes
  }

  /**
   * Requires that so many more bytes fit. `verb` says what they are for, such as `make a world`.
   * @throws {BudgetError}
   */
  require(bytes: number, verb: string): void {
    if (this.#used + bytes > this.limit) throw new BudgetError(verb, this.limit / mebibyte)
  }

  /** Another budget of the same size. */
  again(): Budget {
    return new Budget(this.limit)
  }
}

/** What one holder uses of a budget: a world. */
export class Meter {
  readonly budget: Budget
  #bytes = 0
  #isClosed = false

  constructor(budget: Budget) {
    this.budget = budget
  }

  /** The bytes that the holder uses. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts bytes that the holder uses from now on, or that it no longer uses when they are
   * negative.
   */
  add(bytes: number): void {
    if (this.#isClosed) return
    this.#bytes += bytes
    this.budget.add(bytes)
  }

  /** Gives everything back, because the holder is gone. */
  close(): void {
    this.add(-this.#bytes)
    this.#isClosed = true
  }
}
