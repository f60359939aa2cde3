/**
 * Limits the text and the time of one look at a journal, so that the warnings and the audit do not
 * slow down requests.
 */
export class ReadBudget {
  /** Ids of the requests that were left out, because they did not fit. */
  readonly leftOut = new Set<number>()
  readonly #now: (() => number) | undefined
  #characters: number
  #ms: number

  /**
   * @param characters maximum length of the parsed bodies, characters. Searching eight characters
   *   of a response counts as one
   * @param ms maximum processing time
   * @param now returns the real time, ms. Without it, the time is not limited
   */
  constructor({ characters = Infinity, ms = Infinity, now }: ReadLimits = {}) {
    this.#characters = characters
    this.#ms = ms
    this.#now = now
  }

  /** Reserves the parsing of a body. Returns false if it does not fit. */
  parse(id: number, length: number): boolean {
    const isFitting = length <= this.#characters && this.#ms > 0
    if (isFitting) this.#characters -= length
    else this.leftOut.add(id)
    return isFitting
  }

  /** Reserves the search of a response. Returns false if it does not fit. */
  search(id: number, length: number): boolean {
    return this.parse(id, Math.ceil(length / charactersPerSearch))
  }

  /** Runs a step if there is time left. Returns undefined otherwise. */
  run<Result>(step: () => Result): Result | undefined {
    if (this.#ms <= 0) return undefined
    const start = this.#now?.() ?? 0
    const result = step()
    this.#ms -= (this.#now?.() ?? 0) - start
    return result
  }

  /** True if the time is used up. */
  get isSpent(): boolean {
    return this.#ms <= 0
  }
}

interface ReadLimits {
  characters?: number
  ms?: number
  now?: (() => number) | undefined
}

const charactersPerSearch = 8
