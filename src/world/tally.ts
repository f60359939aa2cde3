/**
 * The number of requests in one piece of time, how many of them were refused, and how they were
 * answered.
 */
export interface TallyBucket {
  requests: number
  refused: number
  /** With a status from 200 to 399. */
  done: number
  /** With a status from 400 to 499. */
  rejected: number
  /** With a status from 500 on, or not at all. */
  failed: number
}

/** The width of a bucket in sandbox time, ms. */
const bucketMs = 10_000
/** The most buckets that a tally keeps. */
const maxBuckets = 20_000

/**
 * Counts requests by sandbox time. It keeps its counts long after the journal has dropped the
 * requests.
 */
export class Tally {
  readonly #buckets = new Map<number, TallyBucket>()

  /** Counts a request. `status` is 0 where the connection was cut. Epoch ms. */
  add(at: number, status: number, isRefused: boolean): void {
    const start = at - (at % bucketMs)
    const bucket = this.#buckets.get(start) ?? this.#open(start)
    bucket.requests += 1
    if (isRefused) bucket.refused += 1
    if (status >= 500 || status === 0) bucket.failed += 1
    else if (status >= 400) bucket.rejected += 1
    else bucket.done += 1
  }

  /** The buckets by their start, epoch ms, in no order. */
  buckets(): Iterable<[number, Readonly<TallyBucket>]> {
    return this.#buckets
  }

  /** Drops the buckets that begin after a time, because the world went back to it. Epoch ms. */
  dropAfter(at: number): void {
    for (const start of this.#buckets.keys()) if (start > at) this.#buckets.delete(start)
  }

  /** Forgets all counts. */
  clear(): void {
    this.#buckets.clear()
  }

  #open(start: number): TallyBucket {
    const bucket = { requests: 0, refused: 0, done: 0, rejected: 0, failed: 0 }
    this.#buckets.set(start, bucket)
    if (this.#buckets.size > maxBuckets) this.#dropOldest()
    return bucket
  }

  #dropOldest(): void {
    for (const oldest of this.#buckets.keys()) {
      this.#buckets.delete(oldest)
      return
    }
  }
}
