import { getRequestSender } from '../world/journal/exchange.ts'
import type { JournalRoute } from '../world/journal/exchange.ts'
import type { Journal } from '../world/journal/journal.ts'
import { AuditedRequest, ReadBudget } from './audited-request.ts'
import type { Work } from '../world/work.ts'
import { findPagedReads } from './paged-reads.ts'
import type { PagedReads } from './paged-reads.ts'

/** Selects the requests to audit. */
export interface AuditScope {
  /**
   * Includes only requests after this id.
   * @default the checkpoint
   */
  since?: number | undefined
  /**
   * Sender of the requests.
   * @default 'client'
   */
  of?: 'client' | 'story' | undefined
  /**
   * True if pauses are measured only in real time, because the sandbox clock jumped.
   * @default false
   */
  inRealTime?: boolean | undefined
}

/** Client requests, in the order of their responses. */
export class RequestHistory {
  /** Requests to audit. By default, the requests since the checkpoint. */
  readonly requests: readonly AuditedRequest[]
  /**
   * All requests in the journal, because a client may use an id from a response before the
   * checkpoint.
   */
  readonly known: readonly AuditedRequest[]
  /** Number of requests since the checkpoint that the journal has dropped. */
  readonly dropped: number
  readonly #budget: ReadBudget
  #refusals: readonly AuditedRequest[] | undefined
  #routes: ReadonlySet<JournalRoute> | undefined
  #pagedReads: PagedReads | undefined
  #ids: ReadonlySet<string> | undefined
  #cursors: ReadonlySet<string> | undefined

  constructor(
    journal: Pick<Journal, 'exchanges' | 'checkpoint' | 'lastId'>,
    { since = journal.checkpoint, of = 'client', inRealTime }: AuditScope = {},
    budget = new ReadBudget(),
  ) {
    this.#budget = budget
    const known: AuditedRequest[] = []
    let first: number | undefined
    for (const [id, exchange] of journal.exchanges()) {
      first ??= id
      if (getRequestSender(exchange) === of)
        known.push(new AuditedRequest(id, exchange, budget, inRealTime))
    }
    this.known = known
    const start = known.findIndex(({ id }) => id > since)
    this.requests = start <= 0 ? (start === 0 ? known : []) : known.slice(start)
    this.dropped = Math.max(0, (first ?? journal.lastId + 1) - since - 1)
  }

  /** Reads the bodies of the requests to audit, latest first. */
  *reading(): Work {
    for (const request of this.requests.toReversed()) {
      this.#budget.run(() => request.facts)
      yield
    }
  }

  /** Number of requests to audit with a body that was left out. */
  get unread(): number {
    return this.requests.filter(({ id }) => this.#budget.leftOut.has(id)).length
  }

  /** Requests that failed. Most rules check only these, because there are usually few. */
  get refusals(): readonly AuditedRequest[] {
    return (this.#refusals ??= this.requests.filter(({ status }) => status >= 400))
  }

  /** Routes that clients requested. */
  get routes(): ReadonlySet<JournalRoute> {
    return (this.#routes ??= listRoutes(this.requests))
  }

  /** Lists that clients read page by page. */
  get pagedReads(): PagedReads {
    return (this.#pagedReads ??= findPagedReads(this.requests))
  }

  /** Numbers with at least six digits that occur in the latest successful responses. */
  get givenIds(): ReadonlySet<string> {
    return (this.#ids ??= this.#readAnswers(/(?<![\d.])\d{6,17}(?![\d.])/g))
  }

  /**
   * True if a recent response contains this cursor, which is an id, or a time in seconds with a
   * fraction.
   */
  hasReturnedCursor(cursor: string): boolean {
    this.#cursors ??= this.#readAnswers(/\b\d{10}\.\d{1,6}\b/g)
    return this.#cursors.has(cursor) || this.givenIds.has(cursor)
  }

  /** Returns everything in the latest successful responses that matches a pattern. */
  #readAnswers(form: RegExp): Set<string> {
    const found = new Set<string>()
    let scanned = 0
    for (const request of this.known.toReversed()) {
      // Skips errors, because they repeat values that the client sent.
      if (!request.isGood) continue
      scanned += request.responseLength
      if (scanned > maxScannedLength) break
      for (const text of request.findInResponse(form)) found.add(text)
    }
    return found
  }
}

function listRoutes(requests: readonly AuditedRequest[]): Set<JournalRoute> {
  const routes = new Set<JournalRoute>()
  for (const { route } of requests) if (route !== undefined) routes.add(route)
  return routes
}

/** Maximum number of characters to search for ids. */
const maxScannedLength = 2_000_000
