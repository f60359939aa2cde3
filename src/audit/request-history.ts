import { getRequestSender } from '../world/journal/exchange.ts'
import type { Journal } from '../world/journal/journal.ts'
import type { JournalRoute } from '../world/journal/exchange.ts'
import { AuditedRequest } from './audited-request.ts'
import { findPagedReads } from './paged-reads.ts'
import type { PagedReads } from './paged-reads.ts'

/** The requests to audit. */
export interface AuditScope {
  /** Only requests after this id. @default the checkpoint */
  since?: number | undefined
  /** The sender. @default 'client' */
  of?: 'client' | 'story' | undefined
}

/** The requests of clients, sorted by the time of their responses. */
export class RequestHistory {
  /** The requests to audit: by default, those since the checkpoint. */
  readonly requests: readonly AuditedRequest[]
  /** All requests in the journal. A client may use an id from a response before the checkpoint. */
  readonly known: readonly AuditedRequest[]
  /** Number of requests that the journal dropped since the checkpoint. */
  readonly dropped: number
  #refusals: readonly AuditedRequest[] | undefined
  #routes: ReadonlySet<JournalRoute> | undefined
  #walks: PagedReads | undefined
  #ids: ReadonlySet<string> | undefined
  #cursors: ReadonlySet<string> | undefined

  constructor(
    journal: Pick<Journal, 'exchanges' | 'checkpoint' | 'lastId'>,
    { since = journal.checkpoint, of = 'client' }: AuditScope = {},
  ) {
    const known: AuditedRequest[] = []
    let first: number | undefined
    for (const [id, exchange] of journal.exchanges()) {
      first ??= id
      if (getRequestSender(exchange) === of) known.push(new AuditedRequest(id, exchange))
    }
    this.known = known
    const start = known.findIndex(({ id }) => id > since)
    this.requests = start <= 0 ? (start === 0 ? known : []) : known.slice(start)
    this.dropped = Math.max(0, (first ?? journal.lastId + 1) - since - 1)
  }

  /** The requests with an error. Most rules check only these, and there are usually few. */
  get refusals(): readonly AuditedRequest[] {
    return (this.#refusals ??= this.requests.filter(({ status }) => status >= 400))
  }

  /** The requested routes. */
  get routes(): ReadonlySet<JournalRoute> {
    return (this.#routes ??= routesOf(this.requests))
  }

  /** The lists that clients read page by page. */
  get walks(): PagedReads {
    return (this.#walks ??= findPagedReads(this.requests))
  }

  /** The numbers with six or more digits in the latest successful responses. */
  get givenIds(): ReadonlySet<string> {
    return (this.#ids ??= this.#readAnswers(/(?<![\d.])\d{6,17}(?![\d.])/g))
  }

  /**
   * True if one of the latest responses contains this cursor. A cursor is an id, or a time in
   * seconds with a fraction.
   */
  gave(cursor: string): boolean {
    this.#cursors ??= this.#readAnswers(/\b\d{10}\.\d{1,6}\b/g)
    return this.#cursors.has(cursor) || this.givenIds.has(cursor)
  }

  /** Returns the matches of a pattern in the latest successful responses. */
  #readAnswers(form: RegExp): Set<string> {
    const found = new Set<string>()
    let scanned = 0
    for (const { answer, isGood } of this.known.toReversed()) {
      // Errors are skipped, because they repeat values that the client sent.
      if (!isGood) continue
      scanned += answer.length
      if (scanned > maxScannedLength) break
      for (const text of answer.match(form) ?? []) found.add(text)
    }
    return found
  }
}

function routesOf(requests: readonly AuditedRequest[]): Set<JournalRoute> {
  const routes = new Set<JournalRoute>()
  for (const { route } of requests) if (route !== undefined) routes.add(route)
  return routes
}

/** Maximum number of characters to search for ids. */
const maxScannedLength = 2_000_000
