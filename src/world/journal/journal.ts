import { countBytes } from '../../lib/chunks.ts'
import { usualForms } from '../../lib/credentials.ts'
import type { CredentialPatterns } from '../../lib/credentials.ts'
import { toJournalEntry, toJournalRow } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import type { JournalEntry, JournalRow } from './journal-entry.ts'
import type { MemoryLimit } from '../memory-limit.ts'
import { runToEnd } from '../work.ts'
import type { Work } from '../work.ts'

/** Selects requests in the journal. */
export interface JournalQuery {
  passes?: (exchange: Exchange) => boolean
  limit?: number
  /** Returns only requests with a smaller id. */
  before?: number
  /** Returns only requests with a larger id, or since the checkpoint. */
  after?: number | 'checkpoint' | undefined
}

/** Maximum total length of the stored paths, headers and bodies, characters or bytes. */
const maxLength = 32 * 1024 * 1024
/** Number of latest requests that `wasAccepted` searches. */
const maxSearched = 1000

/** The latest requests. The oldest requests are dropped. */
export class Journal {
  /** Request counts by sandbox time. */
  readonly tally = new RequestCounts()
  /** Number of requests that wrote something. Restoring a snapshot restores this number too. */
  writes = 0
  /** Number of record changes that deducted a credit for a request. */
  charges = 0
  /** Id of the last request before the latest checkpoint. 0 if there is no checkpoint. */
  checkpoint = 0
  /** Number of times that the journal was cleared. Ids start at 1 again each time. */
  timesEmptied = 0
  /** Called after each request with a function that reads it, even if the journal is disabled. */
  onRecord: ((read: () => JournalEntry) => void) | undefined
  readonly #size: number
  readonly #memory: MemoryLimit | undefined
  readonly #credentials: CredentialPatterns
  /** A ring buffer. The request with the id `n` is at the index `n % size`. */
  #ring: (Exchange | undefined)[] = []
  #firstId = 1
  #lastId = 0
  /** The total length of the stored requests. */
  #length = 0
  #answeredId = 0
  #isAnswering = false
  #nextNote: string | undefined

  /**
   * @param size maximum number of requests
   * @default 1000
   * @param memory counts the memory of the stored requests
   * @param credentials patterns of credentials to mask in responses
   */
  constructor(size = 1000, memory?: MemoryLimit, credentials = usualForms) {
    this.#size = size
    this.#memory = memory
    this.#credentials = credentials
  }

  /** True if the journal only counts requests, without storing them. */
  get isDisabled(): boolean {
    return this.#size === 0
  }

  /** Adds a request and returns its id. */
  record(exchange: Exchange): number {
    this.count(exchange)
    const id = this.#lastId
    const stored = this.#nextNote === undefined ? exchange : { ...exchange, note: this.#nextNote }
    this.#nextNote = undefined
    if (!this.isDisabled) this.#store(id, stored)
    this.onRecord?.(() => toJournalEntry(id, stored, this.#credentials))
    return id
  }

  #store(id: number, exchange: Exchange): void {
    if (this.size > this.#size) this.#dropOldest()
    this.#ring[id % this.#size] = exchange
    this.#addLength(getStoredLength(exchange))
    while ((this.#length > maxLength || this.#memory?.isJournalFull === true) && this.size > 1)
      this.#dropOldest()
    this.#markAnswered()
  }

  /**
   * Counts a request. Requests of a story do not count as writes, because they are repeated after a
   * rewind.
   */
  count({
    sender,
    at,
    error,
    method,
    status,
  }: Pick<Exchange, 'at' | 'sender' | 'method' | 'status' | 'error'>): void {
    this.#lastId += 1
    if (this.isDisabled) this.#firstId = this.#lastId + 1
    if (sender !== undefined) return
    this.tally.add(at, status, error !== null)
    if (method !== 'GET' && method !== 'HEAD' && status < 300) this.writes += 1
  }

  /** Returns the stored requests with their ids, oldest first. */
  exchanges(): [id: number, exchange: Exchange][] {
    return runToEnd(
      this.#find({}, (id, exchange): [number, Exchange] => [id, exchange]),
    ).toReversed()
  }

  /** Returns the request with the given id. Undefined if it is not stored. */
  entry(id: number): JournalEntry | undefined {
    const exchange = id < this.#firstId || id > this.#lastId ? undefined : this.#get(id)
    return exchange && toJournalEntry(id, exchange, this.#credentials)
  }

  /** Sets the note for the next request. */
  noteNext(note: string): void {
    this.#nextNote = note
  }

  /** Returns the requests that the query selects, newest first. */
  entries(query?: JournalQuery): JournalEntry[] {
    return runToEnd(this.readEntries(query))
  }

  /** Like `entries`, without bodies. */
  rows(query?: JournalQuery): JournalRow[] {
    return runToEnd(this.readRows(query))
  }

  /** Returns the result of `entries` in small units of work. */
  readEntries(query: JournalQuery = {}): Work<JournalEntry[]> {
    return this.#find(query, (id, exchange) => toJournalEntry(id, exchange, this.#credentials))
  }

  /** Returns the result of `rows` in small units of work. */
  readRows(query: JournalQuery = {}): Work<JournalRow[]> {
    return this.#find(query, toJournalRow)
  }

  /** True if a key was accepted for one of the last thousand requests. */
  wasAccepted(key: string): boolean {
    const oldest = Math.max(this.#firstId, this.#lastId - maxSearched + 1)
    for (let id = this.#lastId; id >= oldest; id -= 1) if (this.#get(id)?.key === key) return true
    return false
  }

  /** The number of stored requests. */
  get size(): number {
    return this.#lastId - this.#firstId + 1
  }

  /** Id of the last request. 0 if there was no request. */
  get lastId(): number {
    return this.#lastId
  }

  /**
   * Id of the last request whose response the client may have received. When concurrent requests
   * start, the responses to the other requests have not arrived yet.
   */
  get answeredId(): number {
    return this.#answeredId
  }

  /** Drops all requests. */
  clear(): void {
    this.#addLength(-this.#length)
    this.#ring = []
    this.#firstId = 1
    this.#lastId = 0
    this.#answeredId = 0
    this.checkpoint = 0
    this.timesEmptied += 1
    this.tally.clear()
  }

  /** Updates `answeredId` in a microtask, after all concurrent requests have started. */
  #markAnswered(): void {
    if (this.#isAnswering) return
    this.#isAnswering = true
    queueMicrotask(() => {
      this.#isAnswering = false
      this.#answeredId = this.#lastId
    })
  }

  *#find<Found>(
    { passes = () => true, limit = Infinity, before = this.#lastId + 1, after = 0 }: JournalQuery,
    read: (id: number, exchange: Exchange) => Found,
  ): Work<Found[]> {
    const found: Found[] = []
    const firstId = (after === 'checkpoint' ? this.checkpoint : after) + 1
    for (
      let id = Math.min(before, this.#lastId + 1) - 1;
      id >= Math.max(this.#firstId, firstId) && found.length < limit;
      id -= 1
    ) {
      const exchange = this.#get(id)
      if (exchange !== undefined && passes(exchange)) found.push(read(id, exchange))
      yield
    }
    return found
  }

  #get(id: number): Exchange | undefined {
    return this.#ring[id % this.#size]
  }

  #addLength(length: number): void {
    this.#length += length
    this.#memory?.hold(length)
  }

  #dropOldest(): void {
    const place = this.#firstId % this.#size
    const oldest = this.#ring[place]
    this.#firstId += 1
    if (oldest === undefined) return
    this.#ring[place] = undefined
    this.#addLength(-getStoredLength(oldest))
  }
}

/** Returns the length of a stored request, characters or bytes. */
function getStoredLength({ path, request, response }: Exchange): number {
  const { headers } = request
  const { body } = response
  let length = path.length + (request.body?.length ?? 0)
  for (const name in headers) length += name.length + (headers[name]?.length ?? 0)
  return length + (typeof body === 'string' ? body.length : countBytes(body ?? []))
}

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
class RequestCounts {
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
