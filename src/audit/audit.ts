import type { Journal } from '../engine/journal.ts'
import { costOf } from './cost.ts'
import type { Cost } from './cost.ts'
import { severities } from './rule.ts'
import type { Finding, Rule, Severity } from './rule.ts'
import { rules } from './rules.ts'
import type { Sent } from './sent.ts'
import { Trail } from './trail.ts'
import type { Heard } from './trail.ts'

/** What clients do wrong, what they spent, and what they never met. */
export interface Audit {
  /** The worst first. A correct client gets none. */
  findings: Finding[]
  cost: Cost
  summary: AuditSummary
}

/** What an audit saw besides mistakes. */
export interface AuditSummary {
  /** How many requests it judged. */
  requests: number
  /** How many the journal had dropped by then; with more of `journalSize` it keeps more. */
  dropped: number
  /** How many findings there are of each severity. */
  findings: Record<Severity, number>
  /** What the client never met on the routes that it used, so that nobody knows how it copes. */
  untried: string[]
  /** The permissions that it used: what its role needs. */
  smallestRole: string[]
}

/** The most ids of requests that a finding names. */
const mostRequests = 100

/** Audits the requests of a journal: by default those of clients since its checkpoint. */
export function auditJournal(journal: Pick<Journal, 'exchanges' | 'checkpoint' | 'lastId'>, heard: Heard = {}): Audit {
  const trail = new Trail(journal, heard)
  const findings = rules.flatMap((rule) => findingsOf(rule, trail))
  const ordered = severities.flatMap((severity) => findings.filter((finding) => finding.severity === severity))
  return { findings: ordered, cost: costOf(journal, heard), summary: summarise(trail, ordered) }
}

function findingsOf({ name, severity, advice, source, find }: Rule, trail: Trail): Finding[] {
  return [...find(trail)].map(({ message, count, requests }) => ({
    rule: name,
    severity,
    message,
    count: count ?? requests.length,
    requests: requests.slice(0, mostRequests).map(({ id }) => id),
    advice,
    source,
  }))
}

function summarise({ requests, dropped }: Trail, findings: readonly Finding[]): AuditSummary {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length
  return {
    requests: requests.length,
    dropped,
    findings: { error: count('error'), warning: count('warning'), hint: count('hint') },
    untried: trials.filter(({ isFor, isMet }) => requests.some(isFor) && !requests.some(isMet)).map(({ name }) => name),
    smallestRole: [...new Set(requests.flatMap(({ route }) => route?.permission ?? []))].toSorted(),
  }
}

/** What may happen to a client: where it can, and when it did. */
const trials: readonly { name: string; isFor: (request: Sent) => boolean; isMet: (request: Sent) => boolean }[] = [
  { name: '402', isFor: isOfApi, isMet: ({ status }) => status === 402 },
  { name: '424', isFor: ({ route }) => route?.kind === 'relay', isMet: ({ status }) => status === 424 },
  { name: '429', isFor: isOfApi, isMet: ({ status }) => status === 429 },
  { name: '5xx', isFor: isOfApi, isMet: ({ status }) => status >= 500 },
  {
    name: 'an expired link',
    isFor: ({ route }) => route?.path === '/media-proxy',
    isMet: ({ exchange }) => exchange.code === 'media_link_expired',
  },
  { name: 'an empty page', isFor: ({ route }) => route?.pagination !== undefined, isMet: isEmptyPage },
]

function isOfApi({ route }: Sent): boolean {
  return route?.permission != null
}

function isEmptyPage({ route, isGood, exchange }: Sent): boolean {
  const { body } = exchange.response
  // A page in pieces has rows: each is a piece.
  return route?.pagination !== undefined && isGood && typeof body === 'string' && emptyPage.test(body.slice(0, startLength))
}

const emptyPage = /^\{"data":(?:\[\]|\{[^[]*?:\[\])/
const startLength = 400
