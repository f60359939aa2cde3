import type { z } from 'zod'
import { ignoredParameters } from './ignored-parameters.ts'
import type { IgnoredParameter } from './ignored-parameters.ts'
import { usualForms } from '../lib/credentials.ts'
import type { CredentialForms } from '../lib/credentials.ts'
import { concatenate, sizeOf } from '../lib/json-fragment.ts'
import type { MemoryLimit } from './memory-limit.ts'
import { Tally } from './tally.ts'

/** A request of a client and its answer. */
export interface JournalEntry {
  id: number
  /** Sandbox time, RFC 3339. */
  at: string
  /** Real time when it came, RFC 3339; null where the sandbox was given no `realTime`. */
  real_at: string | null
  /** How long the answer took, real ms; null likewise. */
  duration_ms: number | null
  /**
   * Who asked: a client, the story of a recording, or a person at the console or the documents page
   * of the server.
   */
  asked_by: 'client' | 'story' | 'console' | 'docs'
  method: string
  /** The path and the query string; a credential in it is shown by its role or its length. */
  path: string
  /** The route that answered, such as `GET /v1/:account_id/posts`; null when none did. */
  route: string | null
  account_id: number | null
  organisation: number | null
  /**
   * The last four characters of the key behind an ellipsis, such as `…9f2c`, or `<unknown key, 12
   * characters>` for one that is none of the sandbox's; null when no key was sent.
   */
  key: string | null
  /** The role of the key; null without a key of the sandbox. */
  role: string | null
  status: number
  credits: number
  /** Why the request was refused; null on success. */
  error: string | null
  /** The code of the error in docs/errors.md; null on success, and for what a fault answered. */
  code: string | null
  /** The id of the fault that hit the request; 0 where that was when a story was recorded. */
  fault: number | null
  /** For an unknown path: the routes that resemble it. */
  near_misses: readonly string[]
  /**
   * What is to be known besides: that the world had been dropped before, or that the key looks
   * live; null mostly.
   */
  note: string | null
  /** The parameters that the route does not know. */
  ignored: readonly IgnoredParameter[]
  request: JournalMessage & {
    /**
     * By lower-case name; a credential is shown by its role or its length. Empty where the host
     * hands none on.
     */
    headers: Readonly<Record<string, string>>
  }
  response: JournalMessage
}

/** What was sent one way. */
interface JournalMessage {
  content_type: string | null
  /** As text; null when there was none, and for files. */
  body: string | null
  /** The size of the body. */
  bytes: number
}

/** A request without its bodies, for a list. */
export type JournalRow = Pick<
  JournalEntry,
  | 'id'
  | 'at'
  | 'duration_ms'
  | 'asked_by'
  | 'method'
  | 'path'
  | 'route'
  | 'account_id'
  | 'role'
  | 'status'
  | 'error'
  | 'fault'
> & {
  /** The size of the answer's body. */
  bytes: number
}

/** What the journal keeps of a route. */
export interface JournalRoute {
  readonly id: string
  readonly path: string
  readonly group: string
  readonly kind: 'relay' | 'service'
  readonly permission: string | null
  readonly pagination?: { readonly next: 'address' | 'bare' }
  readonly query: z.ZodType
  readonly body: z.ZodType | null
  readonly fileLimit?: number
}

/**
 * A request as the journal stores it. The journal derives a `JournalEntry` from it when somebody
 * reads it.
 */
export interface Exchange extends Pick<
  JournalEntry,
  | 'method'
  | 'path'
  | 'account_id'
  | 'organisation'
  | 'key'
  | 'role'
  | 'status'
  | 'credits'
  | 'error'
  | 'code'
  | 'fault'
> {
  at: number
  /** Real time when it came, epoch ms; null where there is none. */
  startedAt: number | null
  durationMs: number | null
  /** The id of the last request that had its answer when this one came. */
  after: number
  /** Another number after each change of the records but what requests cost. */
  version: number
  /** Set where a story asked. */
  asker?: 'story' | undefined
  /** Set where the key of a 401 had opened the sandbox lately, and was taken away since. */
  isKeyRevoked?: true
  route: JournalRoute | undefined
  nearMisses: readonly string[]
  note?: string
  request: SentMessage & {
    /**
     * The length of the headers; 0 where an earlier request has the same ones, which the two share.
     */
    headerLength: number
  }
  response: {
    content_type: string | null
    /** The body as text or as pieces of UTF-8; null for files. */
    body: string | readonly Uint8Array[] | null
  }
  /**
   * The sizes of the bodies: of files, whose bytes are not kept, and of others once somebody asked.
   */
  sizes?: { request: number; response: number }
}

/** What a client sent. */
export type SentMessage = Pick<JournalEntry['request'], 'content_type' | 'body'> & {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/**
 * The same with its credentials. `show` says what may be kept of a header; of what may be kept it
 * keeps all.
 */
export interface ShownMessage extends SentMessage {
  show: (name: string, value: SentMessage['headers'][string]) => SentMessage['headers'][string]
}

/** What a request counts by. */
type Counted = Pick<Exchange, 'at' | 'asker' | 'method' | 'status' | 'error'>

/** Selects requests of the journal. */
export interface JournalQuery {
  passes?: (exchange: Exchange) => boolean
  limit?: number
  /** Only requests before the one with this id. */
  before?: number
  /** Only requests after the one with this id. */
  after?: number
}

/**
 * The most characters or bytes of paths and bodies that the journal keeps, so that large bodies do
 * not fill the memory.
 */
const maxCharacters = 32 * 1024 * 1024
/** How many different headers the journal remembers: clients send the same ones again and again. */
const maxKnownHeaders = 8
/**
 * And how many different addresses: each of 100,000 requests with its own text of the same one
 * would take 6 MB.
 */
const maxKnownPaths = 8
/** The memory of an entry besides its path and its bodies, about, bytes. */
const entryBytes = 800

/** A log of the last requests. It drops the oldest ones. */
export class Journal {
  /** The number of requests by sandbox time. */
  readonly tally = new Tally()
  /**
   * The number of requests that may have written something that the world still has. It goes back
   * with the world.
   */
  writes = 0
  /** The number of changes of records that only took credits. */
  charges = 0
  /** The id of the last request before the last checkpoint; 0 without one. */
  checkpoint = 0
  /** Called with the id of each request that was added. */
  onRecord: ((id: number) => void) | undefined
  readonly #size: number
  readonly #memory: MemoryLimit | undefined
  readonly #credentials: CredentialForms
  /** A ring buffer: the request with the id `n` stands at `n % size`. */
  #ring: (Exchange | undefined)[] = []
  #firstId = 1
  #characters = 0
  #lastId = 0
  #toldId = 0
  #isTelling = false
  #nextNote: string | undefined
  /** What was sent lately, without bodies, each with other headers. */
  #known: readonly Exchange['request'][] = []
  /**
   * The addresses that were asked for lately: a request holds the text of an earlier one where it
   * is the same.
   */
  #knownPaths: string[] = []
  #nextPath = 0

  /**
   * @param size Maximum number of requests. @default 1000; @param memory counts their bytes; @param
   * credentials are masked in answers
   */
  constructor(size = 1000, memory?: MemoryLimit, credentials = usualForms) {
    this.#size = size
    this.#memory = memory
    this.#credentials = credentials
  }

  /** Whether it only counts requests. */
  get keepsNothing(): boolean {
    return this.#size === 0
  }

  /** Adds a request. */
  record(exchange: Exchange): void {
    if (this.keepsNothing) return this.count(exchange)
    if (exchange.asker === undefined) this.#countClient(exchange)
    if (this.size === this.#size) this.#forgetOldest()
    exchange.path = this.#sharedPath(exchange.path)
    this.#lastId += 1
    this.#ring[this.#lastId % this.#size] =
      this.#nextNote === undefined ? exchange : { ...exchange, note: this.#nextNote }
    this.#nextNote = undefined
    this.#count(charactersOf(exchange), 1)
    // Below a memory limit it keeps fewer requests.
    while (
      (this.#characters > maxCharacters || this.#memory?.isCacheFull === true) &&
      this.size > 1
    )
      this.#forgetOldest()
    this.#tell()
    this.onRecord?.(this.#lastId)
  }

  /** Counts a request in a journal that keeps none. */
  count(request: Counted): void {
    if (request.asker === undefined) this.#countClient(request)
    this.#lastId += 1
    this.#firstId = this.#lastId + 1
  }

  /**
   * What was sent as a request of the journal keeps it: with the headers of an earlier one where
   * they show the same.
   */
  share({ headers: sent, show, content_type, body }: ShownMessage): Exchange['request'] {
    const known = this.#known.find(
      (each) => each.content_type === content_type && showsAs(sent, show, each.headers),
    )
    if (known !== undefined)
      return body === null ? known : { content_type, headers: known.headers, body, headerLength: 0 }
    const headers = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, show(name, value)]),
    )
    this.#known = [
      { content_type, headers, body: null, headerLength: 0 },
      ...this.#known.slice(0, maxKnownHeaders - 1),
    ]
    return { content_type, headers, body, headerLength: lengthOf(headers) }
  }

  #sharedPath(path: string): string {
    const known = this.#knownPaths.find((each) => each === path)
    if (known !== undefined) return known
    this.#knownPaths[this.#nextPath] = path
    this.#nextPath = (this.#nextPath + 1) % maxKnownPaths
    return path
  }

  /** The requests as they are stored, oldest first, each with its id. */
  exchanges(): [id: number, exchange: Exchange][] {
    const exchanges: [number, Exchange][] = []
    for (let id = this.#firstId; id <= this.#lastId; id += 1) {
      const exchange = this.#get(id)
      if (exchange !== undefined) exchanges.push([id, exchange])
    }
    return exchanges
  }

  /** The request with this id; undefined when the journal does not hold it. */
  entry(id: number): JournalEntry | undefined {
    const exchange = id < this.#firstId || id > this.#lastId ? undefined : this.#get(id)
    return exchange && this.#toEntry(id, exchange)
  }

  /** Lets the next request say what happened before it. */
  noteNext(note: string): void {
    this.#nextNote = note
  }

  /** The requests that the query selects, newest first. */
  entries(query: JournalQuery = {}): JournalEntry[] {
    return this.#find(query, (id, exchange) => this.#toEntry(id, exchange))
  }

  /** The same requests without their bodies. */
  rows(query: JournalQuery = {}): JournalRow[] {
    return this.#find(query, toRow)
  }

  /** Whether one of the last thousand requests was let in by a key. */
  hasLetIn(key: string): boolean {
    for (let id = this.#lastId; id >= Math.max(this.#firstId, this.#lastId - 999); id -= 1)
      if (this.#get(id)?.key === key) return true
    return false
  }

  /** The number of requests that the journal holds. */
  get size(): number {
    return this.#lastId - this.#firstId + 1
  }

  /** The id of the last request; 0 when there was none. */
  get lastId(): number {
    return this.#lastId
  }

  /**
   * The id of the last request whose answer its client may have seen. Requests that are sent
   * together are answered one after another, and none of them knows the answers to those before it.
   */
  get toldId(): number {
    return this.#toldId
  }

  /** A client hears of an answer once the calls that came along with it have begun. */
  #tell(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    void Promise.resolve().then(() => {
      this.#isTelling = false
      this.#toldId = this.#lastId
    })
  }

  /** Forgets all requests. */
  clear(): void {
    this.#count(-this.#characters, -this.size)
    this.#ring = []
    this.#known = []
    this.#knownPaths = []
    this.#nextPath = 0
    this.#firstId = 1
    this.tally.clear()
    this.#lastId = 0
    this.#toldId = 0
    this.checkpoint = 0
  }

  /**
   * Counts what clients send: a story is played again after a seek back, and is no write that was
   * dropped by it.
   */
  #countClient({ at, error, method, status }: Counted): void {
    this.tally.add(at, status, error !== null)
    if (method !== 'GET' && method !== 'HEAD' && status < 300) this.writes += 1
  }

  /** Masks credentials in the answer here: most answers are never read again. */
  #toEntry(id: number, exchange: Exchange): JournalEntry {
    const entry = toEntry(id, exchange)
    const { body } = entry.response
    if (body === null) return entry
    const shown = this.#credentials.mask(body, (key) => `<unknown key, ${key.length} characters>`)
    return { ...entry, response: { ...entry.response, body: shown } }
  }

  #find<Found>(
    { passes = () => true, limit = Infinity, before = this.#lastId + 1, after = 0 }: JournalQuery,
    read: (id: number, exchange: Exchange) => Found,
  ): Found[] {
    const found: Found[] = []
    for (
      let id = Math.min(before, this.#lastId + 1) - 1;
      id >= Math.max(this.#firstId, after + 1) && found.length < limit;
      id -= 1
    ) {
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
    this.#memory?.hold(characters + entries * entryBytes)
  }

  #forgetOldest(): void {
    const oldest = this.#get(this.#firstId)
    if (oldest === undefined) return
    this.#ring[this.#firstId % this.#size] = undefined
    this.#count(-charactersOf(oldest), -1)
    this.#firstId += 1
  }
}

function toEntry(id: number, exchange: Exchange): JournalEntry {
  const { startedAt, key, role, route, path, response } = exchange
  const { headerLength: _, ...request } = exchange.request
  const sizes = sizesOf(exchange)
  return {
    id,
    at: new Date(exchange.at).toISOString(),
    real_at: startedAt === null ? null : new Date(startedAt).toISOString(),
    duration_ms: exchange.durationMs,
    asked_by: askerOf(exchange),
    method: exchange.method,
    path,
    route: route?.id ?? null,
    account_id: exchange.account_id,
    organisation: exchange.organisation,
    key: key === null || role === null ? key : `…${key.slice(-4)}`,
    role,
    status: exchange.status,
    credits: exchange.credits,
    error: exchange.error,
    code: exchange.code,
    fault: exchange.fault,
    near_misses: exchange.nearMisses,
    note: exchange.note ?? null,
    ignored: route === undefined ? [] : ignoredParameters(route, path, request.body),
    request: { ...request, headers: toHeaders(request.headers), bytes: sizes.request },
    response: {
      content_type: response.content_type,
      body: textOf(response.body),
      bytes: sizes.response,
    },
  }
}

function toHeaders(headers: SentMessage['headers']): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (value ?? []).join(', '),
    ]),
  )
}

/** The text of an answer that is kept as text or as pieces of UTF-8. */
export function textOf(body: Exchange['response']['body']): string | null {
  return body === null || typeof body === 'string'
    ? body
    : new TextDecoder().decode(concatenate(body))
}

function toRow(id: number, exchange: Exchange): JournalRow {
  const { at, durationMs, method, path, route, account_id, role, status, error, fault } = exchange
  const about = { asked_by: askerOf(exchange), bytes: sizesOf(exchange).response }
  const time = { at: new Date(at).toISOString(), duration_ms: durationMs }
  return {
    id,
    ...time,
    ...about,
    method,
    path,
    route: route?.id ?? null,
    account_id,
    role,
    status,
    error,
    fault,
  }
}

/** Whether the path or a body of a request contains a text, ignoring case. */
export function holdsText({ path, request, response }: Exchange, text: string): boolean {
  const part = text.toLowerCase()
  return [path, request.body, textOf(response.body)].some(
    (each) => each?.toLowerCase().includes(part) === true,
  )
}

/**
 * Tells who asked: a story, or by the page that the request came from. The pages of the server say
 * it, to their own origin alone.
 */
export function askerOf({
  asker,
  request,
}: Pick<Exchange, 'asker' | 'request'>): JournalEntry['asked_by'] {
  if (asker !== undefined) return asker
  const { referer } = request.headers
  if (typeof referer !== 'string') return 'client'
  const page = referer.replace(/\/?(?:[?#].*)?$/s, '')
  if (page.endsWith('/_sandbox')) return 'console'
  return page.endsWith('/docs') ? 'docs' : 'client'
}

/** The sizes of the bodies of a request, bytes. */
export function sizesOf(exchange: Exchange): { request: number; response: number } {
  return (exchange.sizes ??= {
    request: bytesOf(exchange.request.body),
    response: bytesOf(exchange.response.body),
  })
}

function bytesOf(body: string | readonly Uint8Array[] | null): number {
  return typeof body === 'string' ? new TextEncoder().encode(body).length : sizeOf(body ?? [])
}

function lengthOf(headers: SentMessage['headers']): number {
  let length = 0
  for (const name in headers) length += name.length + (headers[name]?.length ?? 0)
  return length
}

/** Whether headers show what is known: most show as they were sent. */
function showsAs(
  sent: SentMessage['headers'],
  show: ShownMessage['show'],
  known: SentMessage['headers'],
): boolean {
  for (const name in sent)
    if (known[name] !== sent[name] && known[name] !== show(name, sent[name])) return false
  for (const name in known) if (!(name in sent)) return false
  return true
}

function charactersOf({ path, request, response }: Exchange): number {
  const characters = path.length + (request.body?.length ?? 0) + request.headerLength
  const { body } = response
  return characters + (typeof body === 'string' ? body.length : sizeOf(body ?? []))
}
