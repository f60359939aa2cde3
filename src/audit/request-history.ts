import { askerOf } from '../world/exchange.ts'
import type { Journal } from '../world/journal.ts'
import type { JournalRoute } from '../world/exchange.ts'
import { Sent } from './sent.ts'
import { toWalks } from './walks.ts'
import type { Walks } from './walks.ts'

/** Which requests to look at. */
export interface Heard {
  /** Those after the one with this id. @default those since the checkpoint */
  since?: number | undefined
  /** Who sent them. @default 'client' */
  of?: 'client' | 'story' | undefined
}

/** What clients sent, in the order in which it was answered. */
export class RequestHistory {
  /** The requests to judge: those since the checkpoint. */
  readonly requests: readonly Sent[]
  /** All that the journal holds: what an answer gave may have been given before. */
  readonly known: readonly Sent[]
  /** How many requests the journal has dropped since the checkpoint. */
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

  /**
   * Those of the requests that were refused: most rules look at these alone, and mostly they are
   * few.
   */
  get refusals(): readonly Sent[] {
    return (this.#refusals ??= this.requests.filter(({ status }) => status >= 400))
  }

  /** The routes that were used. */
  get routes(): ReadonlySet<JournalRoute> {
    return (this.#routes ??= routesOf(this.requests))
  }

  /** The lists that clients went through. */
  get walks(): Walks {
    return (this.#walks ??= toWalks(this.requests))
  }

  /** The numbers of six digits and more that the last answers gave. */
  get givenIds(): ReadonlySet<string> {
    return (this.#ids ??= this.#readAnswers(/(?<![\d.])\d{6,17}(?![\d.])/g))
  }

  /**
   * Whether one of the last answers gave a cursor: an id, or a time to the fraction of a second.
   */
  gave(cursor: string): boolean {
    this.#cursors ??= this.#readAnswers(/\b\d{10}\.\d{1,6}\b/g)
    return this.#cursors.has(cursor) || this.givenIds.has(cursor)
  }

  /** What the last answers have of a form. */
  #readAnswers(form: RegExp): Set<string> {
    const found = new Set<string>()
    let scanned = 0
    for (const { answer } of this.known.toReversed()) {
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

/** The most characters of answers to look through for ids. */
const maxScannedLength = 2_000_000
