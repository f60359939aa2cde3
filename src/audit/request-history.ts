import { askerOf } from '../world/journal/exchange.ts'
import type { Journal } from '../world/journal/journal.ts'
import type { JournalRoute } from '../world/journal/exchange.ts'
import { Sent } from './sent.ts'
import { toWalks } from './walks.ts'
import type { Walks } from './walks.ts'

/** The requests to audit. */
export interface Heard {
  /** Only requests after the one with this id. @default those since the checkpoint */
  since?: number | undefined
  /** The sender. @default 'client' */
  of?: 'client' | 'story' | undefined
}

/** The requests of clients, in the order in which they were answered. */
export class RequestHistory {
  /** The requests to judge: those since the checkpoint. */
  readonly requests: readonly Sent[]
  /** All requests in the journal. An earlier answer may have given an id. */
  readonly known: readonly Sent[]
  /** Number of requests that the journal dropped since the checkpoint. */
  readonly dropped: number
  #refusals: readonly Sent[] | undefined
  #routes: ReadonlySet<JournalRoute> | undefined
  #walks: Walks | undefined
  #ids: ReadonlySet<string> | undefined
  #cursors: ReadonlySet<string> | undefined

  constructor(
    journal: Pick<Journal, 'exchanges' | 'checkpoint' | 'lastId'>,
    { since = journal.checkpoint, of = 'client' }: Heard = {},
  ) {
    const known: Sent[] = []
    let first: number | undefined
    for (const [id, exchange] of journal.exchanges()) {
      first ??= id
      if (askerOf(exchange) === of) known.push(new Sent(id, exchange))
    }
    this.known = known
    const start = known.findIndex(({ id }) => id > since)
    this.requests = start <= 0 ? (start === 0 ? known : []) : known.slice(start)
    this.dropped = Math.max(0, (first ?? journal.lastId + 1) - since - 1)
  }

  /** The refused requests. Most rules look only at these, and there are usually few. */
  get refusals(): readonly Sent[] {
    return (this.#refusals ??= this.requests.filter(({ status }) => status >= 400))
  }

  /** The routes that were used. */
  get routes(): ReadonlySet<JournalRoute> {
    return (this.#routes ??= routesOf(this.requests))
  }

  /** The lists that clients paged through. */
  get walks(): Walks {
    return (this.#walks ??= toWalks(this.requests))
  }

  /** The numbers of six or more digits in the latest good answers. */
  get givenIds(): ReadonlySet<string> {
    return (this.#ids ??= this.#readAnswers(/(?<![\d.])\d{6,17}(?![\d.])/g))
  }

  /**
   * True if one of the latest answers contains this cursor: an id, or a time with a fraction of a
   * second.
   */
  gave(cursor: string): boolean {
    this.#cursors ??= this.#readAnswers(/\b\d{10}\.\d{1,6}\b/g)
    return this.#cursors.has(cursor) || this.givenIds.has(cursor)
  }

  /** The matches of a pattern in the latest good answers. */
  #readAnswers(form: RegExp): Set<string> {
    const found = new Set<string>()
    let scanned = 0
    for (const { answer, isGood } of this.known.toReversed()) {
      // Errors repeat what the client sent.
      if (!isGood) continue
      scanned += answer.length
      if (scanned > maxScannedLength) break
      for (const text of answer.match(form) ?? []) found.add(text)
    }
    return found
  }
}

function routesOf(requests: readonly Sent[]): Set<JournalRoute> {
  const routes = new Set<JournalRoute>()
  for (const { route } of requests) if (route !== undefined) routes.add(route)
  return routes
}

/** Maximum number of characters of answers that are searched for ids. */
const maxScannedLength = 2_000_000
