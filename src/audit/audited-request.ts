import { getBodyText } from '../world/journal/exchange.ts'
import type { Exchange, JournalRoute } from '../world/journal/exchange.ts'
import { getRequestFacts, noFacts } from '../world/journal/request-facts.ts'
import type { RequestFacts } from '../world/journal/request-facts.ts'
import { countResponseRows, groupBy } from '../lib/iterables.ts'
import { parseJsonBody } from '../lib/plain-json.ts'
import { countBytes } from '../lib/chunks.ts'
import { splitUrl } from '../lib/url.ts'

/**
 * A request to be checked by the rules. Values that only a few rules need are computed on first
 * use.
 */
export class AuditedRequest {
  readonly id: number
  readonly exchange: Exchange
  readonly method: string
  /** The path, without the query string. */
  readonly path: string
  readonly rawQuery: string
  readonly status: number
  readonly route: JournalRoute | undefined
  #caller: string | undefined
  #target: string | undefined
  #query: URLSearchParams | undefined
  #responseText: string | undefined
  #nextPage: { value: string | null } | undefined

  readonly #budget: ReadBudget

  /** True if the pause after this request is measured only in real time. */
  readonly inRealTime: boolean

  constructor(id: number, exchange: Exchange, budget = new ReadBudget(), inRealTime = false) {
    this.id = id
    this.inRealTime = inRealTime
    this.#budget = budget
    this.exchange = exchange
    this.method = exchange.method
    this.status = exchange.status
    this.route = exchange.route
    const { path, rawQuery } = splitUrl(exchange.path)
    this.path = path
    this.rawQuery = rawQuery
  }

  /**
   * Organisation and role of the key. All requests of a caller share rate windows and responses.
   */
  get caller(): string {
    return (this.#caller ??= `${this.exchange.organisation ?? ''} ${this.exchange.role ?? ''}`)
  }

  /** Grouping key: identical requests have the same key. */
  get target(): string {
    return (this.#target ??= `${this.caller} ${this.method} ${this.exchange.path} ` + this.bodyKey)
  }

  /** Identical bodies have the same key. A body that was left out has its own key. */
  get bodyKey(): string {
    if (this.exchange.request.body === null) return ''
    const { bodyKey } = this.facts
    return bodyKey === '' ? `request ${this.id}` : bodyKey
  }

  /** Name of the request in messages: the route, or the method and path if no route matched. */
  get name(): string {
    return this.route?.id ?? `${this.method} ${this.path.slice(0, 200)}`
  }

  get isGood(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.rawQuery))
  }

  /** Facts about the parameters and the body. Empty if the body is left out. */
  get facts(): RequestFacts {
    const { exchange } = this
    const { body } = exchange.request
    if (exchange.facts === undefined && !this.#budget.parse(this.id, body?.length ?? 0))
      return noFacts
    const facts = getRequestFacts(exchange)
    if (facts.isUnread) this.#budget.leftOut.add(this.id)
    return facts
  }

  /** Finds a pattern in the response body. Finds nothing if the response is left out. */
  findInResponse(pattern: RegExp): readonly string[] {
    return this.#readResponse().match(pattern) ?? []
  }

  /** True if the response body contains a text. */
  hasInResponse(text: string): boolean {
    return this.#readResponse().includes(text)
  }

  /** Length of the response body, bytes or characters. */
  get responseLength(): number {
    const { body } = this.exchange.response
    return typeof body === 'string' ? body.length : countBytes(body ?? [])
  }

  #readResponse(): string {
    if (!this.#budget.search(this.id, this.responseLength)) return ''
    return (this.#responseText ??= getBodyText(this.exchange.response.body) ?? '')
  }

  /**
   * Number of rows in the response. Undefined if it has no list. A body stored in chunks counts as
   * a full page, which has infinite rows.
   */
  get responseRows(): number | undefined {
    const { exchange } = this
    const { body } = exchange.response
    if (typeof body !== 'string') return Infinity
    if (!('rows' in exchange) && this.#budget.parse(this.id, body.length))
      exchange.rows = countResponseRows(parseJsonBody(body))
    return exchange.rows
  }

  /** The response's `next_page`. Null on the last page and for responses without pages. */
  get nextPage(): string | null {
    return (this.#nextPage ??= { value: this.#readNextPage() }).value
  }

  #readNextPage(): string | null {
    if (this.route?.pagination === undefined || !this.isGood) return null
    const text = this.#readEnds()
      .map((end) => /"_pagination":\{"next_page":("(?:[^"\\]|\\.)*")/.exec(end)?.[1])
      .find((found) => found !== undefined)
    return text === undefined ? null : (JSON.parse(text) as string)
  }

  /** True if the client received the number of credits in `_meta`. */
  get showsCredits(): boolean {
    if (!this.isGood || this.exchange.isAnswerLost === true) return false
    return this.#readEnds().some((end) => end.includes('"_credits":{"used":'))
  }

  /**
   * Returns the ends of the response body, because the paging information and `_meta` stand beside
   * the data. Their order is not promised.
   */
  #readEnds(): string[] {
    const { body } = this.exchange.response
    return typeof body === 'string'
      ? [body.slice(-endLength), body.slice(0, endLength)]
      : [body?.at(-1), body?.at(0)].map((chunk) => decoder.decode(chunk))
  }
}

/**
 * Returns the time between a response and the next request, ms, in real time or sandbox time,
 * whichever is longer. Returns null if the time is unknown, because the sandbox clock is frozen and
 * real time is not recorded.
 */
export function getDelayMs(before: AuditedRequest, next: AuditedRequest): number | null {
  const sandboxMs = next.exchange.at - before.exchange.at
  const { startedAt, durationMs } = before.exchange
  if (startedAt === null || next.exchange.startedAt === null)
    return sandboxMs > 0 ? sandboxMs : null
  return Math.max(
    before.inRealTime ? 0 : sandboxMs,
    next.exchange.startedAt - startedAt - (durationMs ?? 0),
    0,
  )
}

/**
 * True if the client could have received the response to `before` when it sent `next`, which means
 * that the two requests were not concurrent.
 */
export function isSentAfterResponse(next: AuditedRequest, before: AuditedRequest): boolean {
  // A story's requests are never concurrent.
  return next.exchange.sender !== undefined || next.exchange.after >= before.id
}

/** True if the next request was sent within the given time, or if the time is unknown. */
export function isSentWithin(before: AuditedRequest, next: AuditedRequest, ms: number): boolean {
  return isSentAfterResponse(next, before) && (getDelayMs(before, next) ?? 0) < ms
}

/**
 * True if the next request is known to have been sent within a second, which is too fast for a
 * user.
 */
export function isFasterThanUser(before: AuditedRequest, next: AuditedRequest): boolean {
  const waited = getDelayMs(before, next)
  return waited !== null && waited < hastyMs && isSentAfterResponse(next, before)
}

const hastyMs = 1000
const decoder = new TextDecoder()
/** Number of characters at the end of a body to search for paging information. */
const endLength = 20_000

/** Groups requests by caller. Usually there is only one caller. */
export function groupByCaller(
  requests: readonly AuditedRequest[],
): Iterable<readonly AuditedRequest[]> {
  const [first] = requests
  const isOne = requests.every(
    ({ exchange: { organisation, role } }) =>
      organisation === first?.exchange.organisation && role === first.exchange.role,
  )
  return isOne ? [requests] : groupBy(requests, ({ caller }) => caller).values()
}

/**
 * True if the first list in a response is empty. Always false for bodies stored in chunks, because
 * those contain rows.
 */
export function isEmptyPage({ route, isGood, exchange }: AuditedRequest): boolean {
  const { body } = exchange.response
  if (route?.pagination === undefined || !isGood || typeof body !== 'string') return false
  const place = body.indexOf('[')
  return place !== -1 && body.startsWith(':[]', place - 1) && body.startsWith('{"data":')
}

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
