/** Number of requests in an interval, by result. */
export interface RequestCountBucket {
  requests: number
  refused: number
  /** Requests with a status from 200 to 399. */
  done: number
  /** Requests with a status from 400 to 499. */
  rejected: number
  /** Requests with a status of 500 or above, or without a response. */
  failed: number
}

/** Duration of a bucket in sandbox time, ms. */
const bucketMs = 10_000
/** Maximum number of buckets. */
const maxBuckets = 20_000

/** Counts requests by sandbox time, including requests that the journal has dropped. */
export class RequestCounts {
  readonly #buckets = new Map<number, RequestCountBucket>()

  /** Counts a request. `at` is in epoch ms. `status` is 0 if the connection was closed. */
  add(at: number, status: number, isRefused: boolean): void {
    const start = at - (at % bucketMs)
    const bucket = this.#buckets.get(start) ?? this.#open(start)
    bucket.requests += 1
    if (isRefused) bucket.refused += 1
    if (status >= 500 || status === 0) bucket.failed += 1
    else if (status >= 400) bucket.rejected += 1
    else bucket.done += 1
  }

  /** Returns the buckets by start time, epoch ms, in any order. */
  buckets(): Iterable<[number, Readonly<RequestCountBucket>]> {
    return this.#buckets
  }

  /**
   * Removes the buckets that start after a time, epoch ms. Called when the world is restored to an
   * earlier state.
   */
  dropAfter(at: number): void {
    for (const start of this.#buckets.keys()) if (start > at) this.#buckets.delete(start)
  }

  /** Drops all counts. */
  clear(): void {
    this.#buckets.clear()
  }

  #open(start: number): RequestCountBucket {
    const bucket = { requests: 0, refused: 0, done: 0, rejected: 0, failed: 0 }
    this.#buckets.set(start, bucket)
    const [oldest = start] = this.#buckets.keys()
    if (this.#buckets.size > maxBuckets) this.#buckets.delete(oldest)
    return bucket
  }
}
