import { MemoryLimitError } from '../errors.ts'

/** Bytes per MB. */
export const mebibyte = 1_048_576

/** Estimated memory of a row, including its strings and index entries, bytes. */
const bytesPerRow = 512
/** Maximum fraction of the limit that the journals of all worlds can use. */
const journalShare = 1 / 4
/** If this fraction of the limit is exceeded, idle worlds are evicted. */
const crowdedShare = 3 / 4
/** Maximum fraction of the limit that responses can use while they are sent. */
const answerShare = 1 / 4

/**
 * Limits the memory of a sandbox and its worlds. Also limits the number of rows in each world, and
 * counts the bytes that connections, bodies and journals use. On a server, also measures the memory
 * of the process.
 */
export class MemoryLimit {
  /** Bytes. */
  readonly limit: number
  readonly #measure: (limit: number) => number
  #held = 0
  #answers = 0

  /**
   * @param limit maximum, bytes
   * @param measure returns the memory of the process, bytes. Garbage counts only up to its
   * parameter.
   * @default not measured
   */
  constructor(limit: number, measure: (limit: number) => number = () => 0) {
    this.limit = limit
    this.#measure = measure
  }

  /** The number of counted bytes or of measured bytes, including garbage, whichever is larger. */
  get used(): number {
    return Math.max(this.#held, this.#measure(Infinity))
  }

  /** Maximum number of rows in a world. */
  get maxRows(): number {
    return Math.floor(this.limit / bytesPerRow)
  }

  get isFull(): boolean {
    return this.exceeds(1)
  }

  /** True if idle worlds should be evicted. */
  get isCrowded(): boolean {
    return this.exceeds(crowdedShare)
  }

  /** True if the memory in use, without garbage, exceeds this multiple of the limit. */
  exceeds(share: number): boolean {
    const bytes = this.limit * share
    return this.#held > bytes || this.#measure(bytes) > bytes
  }

  /** True if journals must drop their oldest requests. */
  get isJournalFull(): boolean {
    return this.#held > this.limit * journalShare
  }

  /** Counts bytes as used. A negative number releases bytes. */
  hold(bytes: number): void {
    this.#held += bytes
  }

  /** True if a response of this size may be sent now. A single response is always allowed. */
  hasRoomForResponse(bytes: number): boolean {
    return this.#answers === 0 || this.#answers + bytes <= this.limit * answerShare
  }

  /** Counts the bytes of a response that is being sent. A negative number releases bytes. */
  holdResponse(bytes: number): void {
    this.#answers += bytes
    this.hold(bytes)
  }

  /**
   * Checks that memory is available. `verb` names the operation in the error message, such as
   * `create a world`.
   * @throws {MemoryLimitError}
   */
  require(verb: string): void {
    if (this.isFull) throw this.error(verb)
  }

  /**
   * Checks that a world may have this number of rows.
   * @throws {MemoryLimitError}
   */
  requireRows(count: number, verb: string): void {
    if (count > this.maxRows) throw this.error(verb)
  }

  error(verb: string): MemoryLimitError {
    return new MemoryLimitError(verb, this.limit / mebibyte)
  }

  /** Returns a new limit of the same size, with no memory used, for another sandbox. */
  again(): MemoryLimit {
    return new MemoryLimit(this.limit, this.#measure)
  }
}
