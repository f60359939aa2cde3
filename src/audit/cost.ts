import { askerOf, sizesOf } from '../engine/journal.ts'
import type { Exchange, Journal } from '../engine/journal.ts'
import { dayMs, minuteMs } from '../engine/time.ts'

/** What requests took. */
interface Spent {
  credits: number
  requests: number
  /** The bytes of the bodies, both ways. */
  bytes: number
  /** How many answers were pages of a list. */
  pages: number
}

/** What clients spent. The routes stand in the order of their names, so that a snapshot of it stays as it is. */
export interface Cost extends Spent {
  routes: Record<string, Spent>
  /** The most requests that one organisation sent within one window of the sandbox's clock. */
  peak: { minute: number; day: number }
}

/** Adds up what the clients of a journal spent, or its story, since its checkpoint, or after the request `since`. */
export function costOf(
  journal: Pick<Journal, 'exchanges' | 'checkpoint'>,
  { since = journal.checkpoint, of = 'client' }: { since?: number | undefined; of?: 'client' | 'story' | undefined } = {},
): Cost {
  const total = nothing()
  const routes = new Map<string, Spent>()
  const minutes = new Map<string, number>()
  const days = new Map<string, number>()
  for (const [id, exchange] of journal.exchanges()) {
    if (id <= since || askerOf(exchange) !== of) continue
    const name = exchange.route?.id ?? 'no route'
    const spent = routes.get(name) ?? nothing()
    routes.set(name, spent)
    for (const sum of [total, spent]) add(sum, exchange)
    // What has no key, or was refused by a window, counts in none.
    if (exchange.organisation === null || exchange.status === 429) continue
    countIn(minutes, exchange, minuteMs)
    countIn(days, exchange, dayMs)
  }
  return {
    ...total,
    routes: Object.fromEntries([...routes].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    peak: { minute: Math.max(0, ...minutes.values()), day: Math.max(0, ...days.values()) },
  }
}

function nothing(): Spent {
  return { credits: 0, requests: 0, bytes: 0, pages: 0 }
}

function add(sum: Spent, exchange: Exchange): void {
  const { credits, status, route } = exchange
  const { request, response } = sizesOf(exchange)
  sum.credits += credits
  sum.requests += 1
  sum.bytes += request + response
  if (route?.pagination !== undefined && status === 200) sum.pages += 1
}

function countIn(windows: Map<string, number>, { organisation, at }: Exchange, windowMs: number): void {
  const window = `${organisation} ${Math.floor(at / windowMs)}`
  windows.set(window, (windows.get(window) ?? 0) + 1)
}
