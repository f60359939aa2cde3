import { isGood } from './exchange.ts'
import type { Answered } from './exchange.ts'

/** A request to the live service. */
export interface LiveRequest {
  method: string
  /** Path and query. */
  path: string
  body?: unknown
}

/** No usable answer from the service. The message never quotes the response. */
export class LiveError extends Error {
  override readonly name = 'LiveError'
}

/** A minute window and a margin. */
const windowMs = 61_000
const maxWaits = 5
const maxFailures = 5
const maxRefusals = 3

/** Ends the run. The message says why. */
export class Stop extends Error {}

export interface PatientClientOptions {
  /**
   * Sends a request to the service.
   * @throws {LiveError} when there is no answer
   */
  ask: (request: LiveRequest) => Promise<Answered>
  /** Waits, real time. */
  wait: (milliseconds: number) => Promise<void>
  /** Maximum credits to spend. */
  credits: number
}

/** Sends requests to a live service within a budget of credits, and counts their cost. */
export class PatientClient {
  readonly #options: PatientClientOptions
  /** Credits spent so far. */
  spent = 0
  /** Requests sent so far. */
  requests = 0
  #failures = 0
  #refusals = 0

  constructor(options: PatientClientOptions) {
    this.#options = options
  }

  /** True if the budget of credits is used up. */
  get isSpent(): boolean {
    return this.spent >= this.#options.credits
  }

  /**
   * Sends a request. Retries after a 429, a failure or a broken answer. Waits when a rate window is
   * nearly used up.
   *
   * @throws {LiveError} if the service gave no usable answer twice
   * @throws {Stop} if the run cannot continue
   */
  async ask(request: LiveRequest): Promise<Answered> {
    for (let waits = 0; ; waits += 1) {
      this.#requireCredits()
      const answered = await this.#askOnce(request)
      if (answered.status === 429) {
        if (waits >= maxWaits)
          throw new Stop('the service keeps answering 429: its rate window is used up')
        await this.#options.wait(windowMs)
        continue
      }
      this.#giveUpOn(answered)
      await this.#pace(answered)
      return answered
    }
  }

  async #askOnce(request: LiveRequest): Promise<Answered> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        this.requests += 1
        const answered = await this.#options.ask(request)
        if (answered.status !== 401 && answered.status !== 429) this.spent += creditsOf(answered)
        const isBroken = isGood(answered) && answered.json === undefined
        if (answered.status < 500 && (!isBroken || attempt > 0)) {
          this.#failures = 0
          return answered
        }
        // An answer may be truncated once; broken JSON twice is a failure.
        if (attempt > 0) throw new LiveError(`the service answered ${answered.status}, twice`)
      } catch (error) {
        if (!(error instanceof LiveError)) throw error
        this.#failures += 1
        if (this.#failures >= maxFailures)
          throw new Stop(`the service failed ${maxFailures} times in a row: ${error.message}`)
        if (attempt > 0) throw error
      }
      this.#requireCredits()
    }
  }

  #requireCredits(): void {
    if (this.isSpent) throw new Stop(`the budget of ${this.#options.credits} credits is used up`)
  }

  #giveUpOn({ status }: Answered): void {
    if (status === 401) throw new Stop('the service answered 401: it does not know the key')
    if (status === 402)
      throw new Stop('the service answered 402: the organisation has no subscription or no credits')
    this.#refusals = status === 403 ? this.#refusals + 1 : 0
    if (this.#refusals >= maxRefusals)
      throw new Stop(
        `the service answered 403 ${maxRefusals} times in a row: the key may not read. Give ` +
          `one with more permissions, or --routes`,
      )
  }

  async #pace({ json }: Answered): Promise<void> {
    const meta = (json as { _meta?: { _rate_limits?: Record<string, unknown> } } | null | undefined)
      ?._meta
    const {
      limit_minute: limit,
      remaining_minute: left,
      remaining_day: leftToday,
    } = meta?._rate_limits ?? {}
    if (leftToday === 0) throw new Stop('the rate window of the day is used up')
    // A tenth of the window is left to other clients of the service.
    if (typeof limit === 'number' && typeof left === 'number' && left <= limit / 10)
      await this.#options.wait(windowMs)
  }
}

function creditsOf({ json }: Answered): number {
  const used = (json as { _meta?: { _credits?: { used?: unknown } } } | null | undefined)?._meta
    ?._credits?.used
  return typeof used === 'number' && used >= 0 ? used : 1
}
