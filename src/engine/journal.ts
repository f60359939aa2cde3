import type { Meter } from './budget.ts'
import { concatenate, sizeOf } from './json-bytes.ts'
import { Tally } from './tally.ts'

/** A request of a client and its answer. */
export interface JournalEntry {
  id: number
  /** Sandbox time, RFC 3339. */
  at: string
  method: string
  path: string
  /** The route that answered, such as `GET /v1/:account_id/posts`; null when none did. */
  route: string | null
  account_id: number | null
  organisation: number | null
  /** The last four characters of the key behind an ellipsis, such as `…9f2c`; null when no key was sent. */
  key: string | null
  status: number
  credits: number
  /** Why the request was refused; null on success. */
  error: string | null
  /** For an unknown path: the routes that resemble it. */
  near_misses: readonly string[]
  /** What happened to the world before, such as that it had been dropped; null mostly. */
  note: string | null
  request: { content_type: string | null; body: string | null }
  response: { content_type: string | null; body: string | null }
}

/** A request without its bodies, for a list. */
export type JournalRow = Pick<JournalEntry, 'id' | 'at' | 'method' | 'path' | 'route' | 'account_id' | 'status' | 'error'>

/** A request as the journal stores it. The journal derives a `JournalEntry` from it when somebody reads it. */
export interface Exchange extends Omit<JournalEntry, 'id' | 'at' | 'near_misses' | 'note' | 'response'> {
  at: number
  nearMisses: readonly string[]
  note?: string
  /** The body as text or as pieces of UTF-8; null for files. */
  response: { content_type: string | null; body: string | readonly Uint8Array[] | null }
}

/** Selects requests of the journal. */
export interface JournalQuery {
  passes?: (exchange: Exchange) => boolean
  limit?: number
  /** Only requests before the one with this id. */
  before?: number
}

/** The most characters or bytes of paths and bodies that the journal keeps, so that large bodies do not fill the memory. */
const mostCharacters = 32 * 1024 * 1024
/** What an entry takes of a budget besides its path and its bodies. */
const entryBytes = 600

/** A log of the last requests. It drops the oldest ones. */
export class Journal {
  /** The number of requests by sandbox time. */
  readonly tally = new Tally()
  /** The number of requests that may have written something that the world still has. It goes back with the world. */
  writes = 0
  readonly #size: number
  readonly #meter: Meter | undefined
  /** A ring buffer: the request with the id `n` stands at `n % size`. */
  #ring: (Exchange | undefined)[] = []
  #firstId = 1
  #characters = 0
  #lastId = 0
  #nextNote: string | undefined

  /** @param size How many requests to keep. @default 1000; @param meter What it takes of a budget, where there is one. */
  constructor(size = 1000, meter?: Meter) {
    this.#size = size
    this.#meter = meter
  }

  /** Adds a request. */
  record(exchange: Exchange): void {
    this.tally.add(exchange.at, exchange.error !== null)
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD' && exchange.status < 300) this.writes += 1
    if (this.size === this.#size) this.#forgetOldest()
    this.#lastId += 1
    if (this.#size === 0) {
      this.#firstId = this.#lastId + 1
      return
    }
    this.#ring[this.#lastId % this.#size] = this.#nextNote === undefined ? exchange : { ...exchange, note: this.#nextNote }
    this.#nextNote = undefined
    this.#count(charactersOf(exchange), 1)
    // Of a budget it leaves a part to records: then it keeps fewer requests.
    while ((this.#characters > mostCharacters || this.#meter?.budget.isReserved === true) && this.size > 1) this.#forgetOldest()
  }

  /** Lets the next request say what happened before it. */
  noteNext(note: string): void {
    this.#nextNote = note
  }

  /** The requests that the query selects, newest first. */
  entries(query: JournalQuery = {}): JournalEntry[] {
    return this.#find(query, toEntry)
  }

  /** The same requests without their bodies. */
  rows(query: JournalQuery = {}): JournalRow[] {
    return this.#find(query, toRow)
  }

  /** The number of requests that the journal holds. */
  get size(): number {
    return this.#lastId - this.#firstId + 1
  }

  /** The id of the last request; 0 when there was none. */
  get lastId(): number {
    return this.#lastId
  }

  /** Forgets all requests. */
  clear(): void {
    this.#count(-this.#characters, -this.size)
    this.#ring = []
    this.#firstId = 1
    this.tally.clear()
    this.#lastId = 0
  }

  #find<Found>(
    { passes = () => true, limit = Infinity, before = this.#lastId + 1 }: JournalQuery,
    read: (id: number, exchange: Exchange) => Found,
  ): Found[] {
    const found: Found[] = []
    for (let id = Math.min(before, this.#lastId + 1) - 1; id >= this.#firstId && found.length < limit; id -= 1) {
      const exchange = this.#get(id)
      if (exchange !== undefined && passes(exchange)) found.push(read(id, exchange))
    }
    return found
  }

  #get(id: number): Exchange | undefined {
    return this.#ring[id % this.#size]
  }

  #count(characters: number, entries: number): void {
    this.#characters += characters
    this.#meter?.add(characters + entries * entryBytes)
  }

  #forgetOldest(): void {
    const oldest = this.#get(this.#firstId)
    if (oldest === undefined) return
    this.#ring[this.#firstId % this.#size] = undefined
    this.#count(-charactersOf(oldest), -1)
    this.#firstId += 1
  }
}

function toEntry(id: number, { at, key, nearMisses, note, response, ...exchange }: Exchange): JournalEntry {
  return {
    id,
    at: new Date(at).toISOString(),
    key: key === null ? null : `…${key.slice(-4)}`,
    near_misses: nearMisses,
    note: note ?? null,
    ...exchange,
    response: {
      ...response,
      body: Array.isArray(response.body) ? new TextDecoder().decode(concatenate(response.body)) : (response.body as string | null),
    },
  }
}

function toRow(id: number, { at, method, path, route, account_id, status, error }: Exchange): JournalRow {
  return { id, at: new Date(at).toISOString(), method, path, route, account_id, status, error }
}

function charactersOf({ path, request, response }: Exchange): number {
  const { body } = response
  return path.length + (request.body?.length ?? 0) + (typeof body === 'string' ? body.length : sizeOf(body ?? []))
}
