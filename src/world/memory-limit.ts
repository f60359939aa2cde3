import { MemoryLimitError } from '../errors.ts'

/** Bytes in a MB. */
export const mebibyte = 1_048_576

/** Estimated memory of a row with its strings and index entries, bytes. */
const bytesPerRow = 512
/** Maximum share of the limit for the journals of all worlds. */
const journalShare = 1 / 4
/** Share of the limit above which idle worlds are evicted. */
const crowdedShare = 3 / 4
/** Maximum share of the limit for responses that are being sent. */
const answerShare = 1 / 4

/**
 * Limits the memory of a sandbox and its worlds. It limits the rows of each world and counts the
 * bytes of connections, bodies and journals. A server also measures the memory of its process.
 */
export class MemoryLimit {
  /** Bytes. */
  readonly limit: number
  readonly #measure: () => number
  #held = 0
  #answers = 0

  /**
   * @param limit maximum, bytes
   * @param measure returns the memory of the process, bytes. @default not measured
   */
  constructor(limit: number, measure: () => number = () => 0) {
    this.limit = limit
    this.#measure = measure
  }

  /** The counted or the measured bytes, whichever is larger. */
  get used(): number {
    return Math.max(this.#held, this.#measure())
  }

  /** Maximum number of rows of a world. */
  get maxRows(): number {
    return Math.floor(this.limit / bytesPerRow)
  }

  get isFull(): boolean {
    return this.used > this.limit
  }

  /** True if idle worlds should be evicted. */
  get isCrowded(): boolean {
    return this.used > this.limit * crowdedShare
  }

  /** True if journals have to drop their oldest requests. */
  get isJournalFull(): boolean {
    return this.#held > this.limit * journalShare
  }

  /** Counts bytes as used. A negative number releases them. */
  hold(bytes: number): void {
    this.#held += bytes
  }

  /** True if a response of this size may be sent now. The first response is always allowed. */
  hasRoomForAnswer(bytes: number): boolean {
    return this.#answers === 0 || this.#answers + bytes <= this.limit * answerShare
  }

  /** Counts bytes of a response that is being sent. A negative number releases them. */
  holdAnswer(bytes: number): void {
    this.#answers += bytes
    this.hold(bytes)
  }

  /**
   * Requires free memory. `verb` is the operation for the error, such as `create a world`.
   * @throws {MemoryLimitError}
   */
  require(verb: string): void {
    if (this.isFull) throw this.error(verb)
  }

  /** Requires a number of rows to be within the limit of a world. @throws {MemoryLimitError} */
  requireRows(count: number, verb: string): void {
    if (count > this.maxRows) throw this.error(verb)
  }

  error(verb: string): MemoryLimitError {
    return new MemoryLimitError(verb, this.limit / mebibyte)
  }

  /** Returns a new, unused limit of the same size, for another sandbox. */
  again(): MemoryLimit {
    return new MemoryLimit(this.limit, this.#measure)
  }
}
