import { MemoryLimitError } from '../errors.ts'

/** One MB, bytes. */
export const mebibyte = 1_048_576

/** The memory of a row, about, with its texts and its places in indexes, bytes. */
const bytesPerRow = 512
/** The part of the limit that journals and cached views may use. */
const cacheShare = 1 / 4
/** The part of the limit from which idle worlds leave memory. */
const crowdedShare = 3 / 4
/** The part of the limit that answers may use while they are being sent. */
const answerShare = 1 / 4

/**
 * Limits the memory of a sandbox with all its worlds. Rows of a world have a maximum. Bodies under
 * way, journals and cached views are counted in bytes. A server also measures its process.
 */
export class MemoryLimit {
  /** Bytes. */
  readonly limit: number
  readonly #measure: () => number
  #held = 0
  #answers = 0

  /**
   * @param limit bytes
   * @param measure the memory of the process, bytes. @default not measured
   */
  constructor(limit: number, measure: () => number = () => 0) {
    this.limit = limit
    this.#measure = measure
  }

  /** The bytes in use, as far as they are counted or measured. */
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

  /** True if idle worlds should leave memory. */
  get isCrowded(): boolean {
    return this.used > this.limit * crowdedShare
  }

  /** True if journals and caches have to drop what is oldest. */
  get isCacheFull(): boolean {
    return this.#held > this.limit * cacheShare
  }

  /** Counts bytes that are held from now on; negative ones are released. */
  hold(bytes: number): void {
    this.#held += bytes
  }

  /** True if an answer of that size may be sent besides those under way. One always may. */
  hasRoomForAnswer(bytes: number): boolean {
    return this.#answers === 0 || this.#answers + bytes <= this.limit * answerShare
  }

  /** Counts bytes of an answer that is being sent; negative ones are released. */
  holdAnswer(bytes: number): void {
    this.#answers += bytes
    this.hold(bytes)
  }

  /**
   * Requires room for something new. `verb` names it, such as `make a world`.
   * @throws {MemoryLimitError}
   */
  require(verb: string): void {
    if (this.isFull) throw this.error(verb)
  }

  /** Requires that a world may have this many rows. @throws {MemoryLimitError} */
  requireRows(count: number, verb: string): void {
    if (count > this.maxRows) throw this.error(verb)
  }

  error(verb: string): MemoryLimitError {
    return new MemoryLimitError(verb, this.limit / mebibyte)
  }

  /** A limit of the same size for a sandbox of its own. */
  again(): MemoryLimit {
    return new MemoryLimit(this.limit, this.#measure)
  }
}
