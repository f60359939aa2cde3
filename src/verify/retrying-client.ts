import { isSuccess } from './service-response.ts'
import type { ServiceResponse } from './service-response.ts'

/** A request to the live service. */
export interface LiveRequest {
  method: string
  /** Request path with query. */
  path: string
  body?: unknown
}

/** Thrown if the service returned no usable response. The message does not quote the service. */
export class LiveServiceError extends Error {
  override readonly name = 'LiveServiceError'
}

/** Wait until a one-minute rate window has ended: the minute and a margin, ms. */
const windowMs = 61_000
const maxWaits = 5
const maxFailures = 5
const maxRefusals = 3

/** Thrown to end the run, with the reason as its message. */
export class StopRunError extends Error {}

export interface RetryingClientOptions {
  /**
   * Sends a request to the service.
   * @throws {LiveServiceError} if there is no response
   */
  send: (request: LiveRequest) => Promise<ServiceResponse>
  /** Waits for a duration of real time. */
  wait: (milliseconds: number) => Promise<void>
  /** Maximum number of credits to spend. */
  credits: number
}

/** Sends requests to a live service until a maximum number of credits is spent. */
export class RetryingClient {
  readonly #options: RetryingClientOptions
  /** Number of credits spent so far. */
  spent = 0
  /** Number of requests sent so far. */
  requests = 0
  #failures = 0
  #refusals = 0

  constructor(options: RetryingClientOptions) {
    this.#options = options
  }

  /** True if all credits have been spent. */
  get isSpent(): boolean {
    return this.spent >= this.#options.credits
  }

  /**
   * Sends a request. Retries after a 429, a failure or an invalid response. Waits if a rate limit
   * is nearly reached.
   *
   * @throws {LiveServiceError} if the service returned no usable response twice
   * @throws {StopRunError} if the run cannot continue
   */
  async send(request: LiveRequest): Promise<ServiceResponse> {
    for (let waits = 0; ; waits += 1) {
      this.#requireCredits()
      const answered = await this.#sendOnce(request)
      if (answered.status === 429) {
        if (waits >= maxWaits)
          throw new StopRunError('the service still answers 429 after several waits')
        await this.#options.wait(windowMs)
        continue
      }
      this.#giveUpOn(answered)
      await this.#pace(answered)
      return answered
    }
  }

  async #sendOnce(request: LiveRequest): Promise<ServiceResponse> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        this.requests += 1
        const answered = await this.#options.send(request)
        if (answered.status !== 401 && answered.status !== 429) this.spent += getCredits(answered)
        const isBroken = isSuccess(answered) && answered.json === undefined
        if (answered.status < 500 && (!isBroken || attempt > 0)) {
          this.#failures = 0
          return answered
        }
        // One response with invalid JSON may have been truncated, but two in a row count as a
        // failure.
        if (attempt > 0)
          throw new LiveServiceError(`the service answered ${answered.status}, twice`)
      } catch (error) {
        if (!(error instanceof LiveServiceError)) throw error
        this.#failures += 1
        if (this.#failures >= maxFailures)
          throw new StopRunError(
            `the service failed ${maxFailures} times in a row: ${error.message}`,
          )
        if (attempt > 0) throw error
      }
      this.#requireCredits()
    }
  }

  #requireCredits(): void {
    if (this.isSpent)
      throw new StopRunError(`the maximum of ${this.#options.credits} credits is spent`)
  }

  #giveUpOn({ status }: ServiceResponse): void {
    if (status === 401) throw new StopRunError('the service answered 401: the key is not valid')
    if (status === 402)
      throw new StopRunError(
        'the service answered 402: the organisation has no subscription or no credits',
      )
    this.#refusals = status === 403 ? this.#refusals + 1 : 0
    if (this.#refusals >= maxRefusals)
      throw new StopRunError(
        `the service answered 403 ${maxRefusals} times in a row: the key has no permission to ` +
          'read. Use a key with more permissions, or select routes with --routes',
      )
  }

  async #pace({ json }: ServiceResponse): Promise<void> {
    const meta = (json as { _meta?: { _rate_limits?: Record<string, unknown> } } | null | undefined)
      ?._meta
    const {
      limit_minute: limit,
      remaining_minute: left,
      remaining_day: leftToday,
    } = meta?._rate_limits ?? {}
    if (leftToday === 0) throw new StopRunError('the daily rate limit is reached')
    // Leaves a tenth of the rate limit unused, for other clients.
    if (typeof limit === 'number' && typeof left === 'number' && left <= limit / 10)
      await this.#options.wait(windowMs)
  }
}

function getCredits({ json }: ServiceResponse): number {
  const used = (json as { _meta?: { _credits?: { used?: unknown } } } | null | undefined)?._meta
    ?._credits?.used
  return typeof used === 'number' && used >= 0 ? used : 1
}
