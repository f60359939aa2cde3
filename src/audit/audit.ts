import { ReadBudget, isEmptyPage } from './audited-request.ts'
import type { Journal } from '../world/journal/journal.ts'
import { getBodySizes } from '../world/journal/exchange.ts'
import type { JournalRoute } from '../world/journal/exchange.ts'
import { computeCost } from './cost.ts'
import type { Cost, GetRateLimits } from './cost.ts'
import { severities } from './rule.ts'
import type { Finding, Rule, Severity } from './rule.ts'
import { rules } from './rules.ts'
import type { AuditedRequest } from './audited-request.ts'
import type { Work } from '../world/work.ts'
import { RequestHistory } from './request-history.ts'
import type { AuditScope } from './request-history.ts'

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
