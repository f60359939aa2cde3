import { textOf } from '../world/exchange.ts'
import type { Exchange, JournalRoute } from '../world/exchange.ts'
import { readSentJson } from '../lib/sent-json.ts'
import { splitUrl } from '../lib/url.ts'

/** A request as the rules see it. What few rules ask for is read when one asks. */
export class Sent {
  readonly id: number
  readonly exchange: Exchange
  readonly method: string
  /** The path without the query string. */
  readonly path: string
  readonly rawQuery: string
  readonly status: number
  readonly route: JournalRoute | undefined
  #caller: string | undefined
  #target: string | undefined
  #query: URLSearchParams | undefined
  #json: { value: unknown } | undefined
  #answer: string | undefined
  #nextPage: { value: string | null } | undefined

  constructor(id: number, exchange: Exchange) {
    this.id = id
    this.exchange = exchange
    this.method = exchange.method
    this.status = exchange.status
    this.route = exchange.route
    const { path, rawQuery } = splitUrl(exchange.path)
    this.path = path
    this.rawQuery = rawQuery
  }

  /** Whoever shares windows and answers: the organisation and the role of the key. */
  get caller(): string {
    return (this.#caller ??= `${this.exchange.organisation ?? ''} ${this.exchange.role ?? ''}`)
  }

  /** The same for two requests that ask for the same. */
  get target(): string {
    return (this.#target ??=
      `${this.caller} ${this.method} ${this.exchange.path} ` +
      `${this.exchange.request.body ?? ''}`)
  }

  /** Method and path, with the name of the route in place of its parameters. */
  get name(): string {
    return this.route?.id ?? `${this.method} ${this.path.slice(0, 200)}`
  }

  get isGood(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.rawQuery))
  }

  /** The body that was sent; undefined where it is no JSON. */
  get json(): unknown {
    if (this.exchange.request.body === null) return undefined
    return (this.#json ??= { value: readSentJson(this.exchange.request.body) }).value
  }

  /** The text that was answered. */
  get answer(): string {
    return (this.#answer ??= textOf(this.exchange.response.body) ?? '')
  }

  /** The same as a value; undefined where it is no JSON. */
  get answered(): unknown {
    return readSentJson(this.answer)
  }

  /** The next page that the answer names; null on the last page and where there are no pages. */
  get nextPage(): string | null {
    return (this.#nextPage ??= { value: this.#readNextPage() }).value
  }

  #readNextPage(): string | null {
    if (this.route?.pagination === undefined || !this.isGood) return null
    const { body } = this.exchange.response
    // The pages stand behind the data: the data, which may be long, need not be read.
    const end =
      typeof body === 'string' || body === null
        ? (body ?? '').slice(-endLength)
        : decoder.decode(body.at(-1))
    const place = end.lastIndexOf('"_pagination":{"next_page":"')
    const [, text] =
      place === -1
        ? []
        : (/^"_pagination":\{"next_page":("(?:[^"\\]|\\.)*")/.exec(end.slice(place)) ?? [])
    return text === undefined ? null : (JSON.parse(text) as string)
  }
}

/**
 * How long a client waited from one answer to the next request, ms, by the clock that it lives by;
 * null where none moved, so that it may have waited or not: under a frozen clock, in process.
 */
export function waitedMs(before: Sent, next: Sent): number | null {
  const sandboxMs = next.exchange.at - before.exchange.at
  const { startedAt, durationMs } = before.exchange
  if (startedAt === null || next.exchange.startedAt === null)
    return sandboxMs > 0 ? sandboxMs : null
  return Math.max(sandboxMs, next.exchange.startedAt - startedAt - (durationMs ?? 0), 0)
}

/**
 * Whether a client may have known an answer when it sent a request. Requests that were under way
 * together know nothing of each other.
 */
export function isAfter(next: Sent, before: Sent): boolean {
  // A story asks one thing after another, however soon.
  return next.exchange.asker !== undefined || next.exchange.after >= before.id
}

/** Whether a client asked again within that time. One that may have waited counts as well. */
export function isWithin(before: Sent, next: Sent, ms: number): boolean {
  return isAfter(next, before) && (waitedMs(before, next) ?? 0) < ms
}

/**
 * Whether a client surely asked again sooner than anybody at a screen would: within a second of a
 * clock that moved.
 */
export function isHasty(before: Sent, next: Sent): boolean {
  const waited = waitedMs(before, next)
  return waited !== null && waited < hastyMs && isAfter(next, before)
}

const hastyMs = 1000
const decoder = new TextDecoder()
/** No address of a next page is longer. */
const endLength = 20_000
