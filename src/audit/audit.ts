import { ReadBudget, isEmptyPage } from './audited-request.ts'
import type { Journal } from '../world/journal/journal.ts'
import { getBodySizes, getRequestSender } from '../world/journal/exchange.ts'
import type { JournalRoute, Exchange } from '../world/journal/exchange.ts'
import { severities } from './rule.ts'
import type { Finding, Rule, Severity } from './rule.ts'
import { rules } from './rules.ts'
import type { AuditedRequest } from './audited-request.ts'
import type { Work } from '../world/work.ts'
import { RequestHistory } from './request-history.ts'
import type { AuditScope } from './request-history.ts'
import { dayMs, minuteMs } from '../lib/time.ts'

/**
 * An audit of clients: their mistakes, the cost of their requests, and the situations that they
 * have not encountered.
 */
export interface Audit {
  /** The mistakes, most severe first. Empty if the clients made no mistakes. */
  findings: Finding[]
  cost: Cost
  summary: AuditSummary
}

/** Counts and other information about the requests. */
export interface AuditSummary {
  /** Number of audited requests. */
  requests: number
  /**
   * Number of requests that the journal dropped before the audit. Increase `journalSize` to keep
   * more requests.
   */
  dropped: number
  /**
   * Number of requests that were not checked completely, because a body is longer than 262,144
   * characters, or because the bodies together are too long.
   */
  unread: number
  /** The credits of the requests, and how many of them the clients could see. */
  credits: CreditSummary
  /** Number of findings of each severity. */
  findings: Record<Severity, number>
  /**
   * Situations that can occur on the routes in use but have not occurred yet. The client has not
   * been tested in these situations.
   */
  untried: string[]
  /** Permissions that the client used. Its key's role needs at least these permissions. */
  smallestRole: string[]
}

/** The charged credits, and those in the `_meta` of responses that arrived. */
export interface CreditSummary {
  charged: number
  visible: number
  /** Ids of charged requests that failed. Errors have no `_meta`. At most 100 ids. */
  errors: number[]
  /** Ids of the other charged requests without `_meta`, such as lost responses. At most 100 ids. */
  lost: number[]
}

/** Maximum number of request ids per finding. */
const maxRequests = 100

/** Maximum length of the bodies that one audit parses, characters. */
const maxParsedLength = 16 * 1024 * 1024

/**
 * Audits the requests in a journal.
 * @default the clients' requests since the checkpoint
 */
export function* auditJournal(
  journal: Pick<Journal, 'exchanges' | 'checkpoint' | 'lastId'>,
  scope: AuditScope,
  limitsOf: GetRateLimits,
): Work<Audit> {
  const history = new RequestHistory(
    journal,
    scope,
    new ReadBudget({ characters: maxParsedLength }),
  )
  yield* history.reading()
  const findings: Finding[] = []
  for (const rule of rules) {
    findings.push(...findFindings(rule, history))
    yield
  }
  for (const { exchange } of history.requests) {
    getBodySizes(exchange)
    yield
  }
  const ordered = severities.flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity),
  )
  return {
    findings: ordered,
    cost: computeCost(journal, scope, limitsOf),
    summary: summarise(history, ordered),
  }
}

/**
 * Returns the audit's errors and warnings, each with its route.
 */
export function* findMistakes(
  journal: Pick<Journal, 'exchanges' | 'checkpoint' | 'lastId'>,
  scope: AuditScope,
  budget = new ReadBudget(),
): Work<{ finding: Finding; route: string }[]> {
  const history = new RequestHistory(journal, scope, budget)
  yield* history.reading()
  const findings: Finding[] = []
  for (const rule of rules) {
    if (rule.severity === 'hint') continue
    findings.push(...(budget.run(() => findFindings(rule, history)) ?? []))
    yield
  }
  return findings.map((finding) => {
    const first = history.requests.find(({ id }) => id === finding.requests[0])
    return { finding, route: first?.route?.id ?? first?.path ?? '' }
  })
}

function findFindings(
  { name, severity, advice, source, find }: Rule,
  history: RequestHistory,
): Finding[] {
  return find(history).map(({ message, count, requests }) => ({
    rule: name,
    severity,
    message,
    count: count ?? requests.length,
    requests: requests.slice(0, maxRequests).map(({ id }) => id),
    advice,
    source,
  }))
}

function summarise(
  { requests, refusals, routes, dropped, unread }: RequestHistory,
  findings: readonly Finding[],
): AuditSummary {
  const count = (severity: Severity) =>
    findings.filter((finding) => finding.severity === severity).length
  return {
    requests: requests.length,
    dropped,
    unread,
    credits: sumCredits(requests),
    findings: { error: count('error'), warning: count('warning'), hint: count('hint') },
    untried: [
      ...situations
        .filter(({ isFor, isMet }) => [...routes].some(isFor) && !refusals.some(isMet))
        .map(({ name }) => name),
      ...([...routes].some(({ pagination }) => pagination !== undefined) &&
      !requests.some(isEmptyPage)
        ? ['an empty page']
        : []),
    ],
    smallestRole: [
      ...new Set([...routes].flatMap(({ permission }) => permission ?? [])),
    ].toSorted(),
  }
}

function sumCredits(requests: readonly AuditedRequest[]): CreditSummary {
  const charged = requests.filter(({ exchange }) => exchange.credits > 0)
  const hidden = charged.filter(({ showsCredits }) => !showsCredits)
  const sum = (list: readonly AuditedRequest[]) =>
    list.reduce((total, { exchange }) => total + exchange.credits, 0)
  const listIds = (isError: boolean) =>
    hidden
      .filter(({ status }) => status >= 400 === isError)
      .slice(0, maxRequests)
      .map(({ id }) => id)
  return {
    charged: sum(charged),
    visible: sum(charged) - sum(hidden),
    errors: listIds(true),
    lost: listIds(false),
  }
}

/**
 * Situations that clients must handle. Each situation has the routes on which it can occur, and a
 * test that detects it in a request.
 */
const situations: readonly {
  name: string
  isFor: (route: JournalRoute) => boolean
  isMet: (request: AuditedRequest) => boolean
}[] = [
  { name: '402', isFor: isApiRoute, isMet: ({ status }) => status === 402 },
  { name: '424', isFor: ({ kind }) => kind === 'relay', isMet: ({ status }) => status === 424 },
  { name: '429', isFor: isApiRoute, isMet: ({ status }) => status === 429 },
  { name: '5xx', isFor: isApiRoute, isMet: ({ status }) => status >= 500 },
  {
    name: 'an expired link',
    isFor: ({ path }) => path === '/media-proxy',
    isMet: ({ exchange }) => exchange.code === 'media_link_expired',
  },
]

function isApiRoute({ permission }: JournalRoute): boolean {
  return permission !== null
}

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
