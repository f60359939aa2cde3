import { getRequestSender, getBodySizes } from '../world/journal/exchange.ts'
import type { Exchange } from '../world/journal/exchange.ts'
import type { Journal } from '../world/journal/journal.ts'
import { dayMs, minuteMs } from '../lib/time.ts'

interface RequestCost {
  credits: number
  requests: number
  /** Total size of the request and response bodies, bytes. */
  bytes: number
  /** Number of list pages in the responses. */
  pages: number
}

/** The cost of client requests. Routes are sorted by name, so that test snapshots are stable. */
export interface Cost extends RequestCost {
  routes: Record<string, RequestCost>
  /** The rate windows with the most requests, measured by the sandbox clock. */
  peak: {
    /** Maximum number of requests by one organisation in a minute and in a day. */
    minute: number
    day: number
    /**
     * Maximum share of a limit that an organisation used, from 0 to 1, rounded to four decimals.
     */
    minuteShare: number
    dayShare: number
  }
}

/**
 * Returns the rate limits of an organisation, requests per minute and per day. Returns undefined if
 * the organisation was removed.
 */
export type GetRateLimits = (organisation: number) => { minute: number; day: number } | undefined

/**
 * Adds up the cost of the requests in a journal since the checkpoint, or after the request `since`.
 * `of` selects requests sent by clients or by the story.
 */
export function computeCost(
  journal: Pick<Journal, 'exchanges' | 'checkpoint'>,
  {
    since = journal.checkpoint,
    of = 'client',
  }: { since?: number | undefined; of?: 'client' | 'story' | undefined },
  limitsOf: GetRateLimits,
): Cost {
  const total = createEmptyCost()
  const routes = new Map<string, RequestCost>()
  const counted: Exchange[] = []
  for (const [id, exchange] of journal.exchanges()) {
    if (id <= since || getRequestSender(exchange) !== of) continue
    const name = exchange.route?.id ?? 'no route'
    const spent = routes.get(name) ?? createEmptyCost()
    routes.set(name, spent)
    add(spent, exchange)
    // Skips requests without a key and requests that got a 429, which do not count towards rate
    // limits.
    if (exchange.organisation !== null && exchange.status !== 429) counted.push(exchange)
  }
  for (const spent of routes.values()) for (const name of sums) total[name] += spent[name]
  const minute = findPeak(counted, minuteMs, (organisation) => limitsOf(organisation)?.minute)
  const day = findPeak(counted, dayMs, (organisation) => limitsOf(organisation)?.day)
  return {
    ...total,
    routes: Object.fromEntries([...routes].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    peak: {
      minute: minute.requests,
      day: day.requests,
      minuteShare: minute.share,
      dayShare: day.share,
    },
  }
}

/**
 * Returns the highest number of requests in any rate window, and the highest used share of a limit
 * (0 to 1).
 */
function findPeak(
  counted: readonly Exchange[],
  lengthMs: number,
  limitOf: (organisation: number) => number | undefined,
): { requests: number; share: number } {
  const counts = new Map<string, { organisation: number; requests: number }>()
  for (const { organisation, at } of counted) {
    if (organisation === null) continue
    const window = `${organisation} ${Math.floor(at / lengthMs)}`
    const count = counts.get(window) ?? { organisation, requests: 0 }
    counts.set(window, count)
    count.requests += 1
  }
  let peak = { requests: 0, share: 0 }
  for (const { organisation, requests } of counts.values())
    peak = {
      requests: Math.max(peak.requests, requests),
      share: Math.max(peak.share, requests / (limitOf(organisation) || Infinity)),
    }
  return { ...peak, share: Math.round(peak.share * 10_000) / 10_000 }
}

const sums = ['credits', 'requests', 'bytes', 'pages'] as const

function createEmptyCost(): RequestCost {
  return { credits: 0, requests: 0, bytes: 0, pages: 0 }
}

function add(sum: RequestCost, exchange: Exchange): void {
  const { credits, status, route } = exchange
  const { request, response } = getBodySizes(exchange)
  sum.credits += credits
  sum.requests += 1
  sum.bytes += request + response
  if (route?.pagination !== undefined && status === 200) sum.pages += 1
}
