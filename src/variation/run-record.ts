import { findMistakes } from '../audit/audit.ts'
import { runToEnd } from '../world/work.ts'
import { formatCount } from '../audit/rule.ts'
import { groupBy } from '../lib/iterables.ts'
import { RequestHistory } from '../audit/request-history.ts'
import type { AuditScope } from '../audit/request-history.ts'
import type { Finding, Rule } from '../audit/rule.ts'
import { wrongKey } from '../audit/rules/access.ts'
import { hammering, retryHopeless } from '../audit/rules/retries.ts'
import {
  createsRecord,
  findRepetition,
  isUnanswered,
  repeatedWrite,
} from '../audit/rules/writes.ts'
import { findUnreadLists } from '../audit/paged-reads.ts'
import { isSentAfterResponse, getDelayMs } from '../audit/audited-request.ts'
import type { AuditedRequest } from '../audit/audited-request.ts'
import type { Exchange } from '../world/journal/exchange.ts'
import type { Journal } from '../world/journal/journal.ts'
import type { GoodDay } from './bad-days.ts'
import type { Trial } from './trials.ts'

/** A request of a run. */
export interface RunRequest {
  /** Number of the request within its run, counted in the order in which the requests started. */
  id: number
  method: string
  path: string
  status: number
  /** Id of the fault that was applied to the request. */
  fault: number | null
}

/** The requests of a run, and the mistakes in them. */
export interface RunRecord {
  day: GoodDay
  /** The requests, in the order in which they started. */
  requests: readonly RunRequest[]
  /** The number of each request, by its id in the journal. */
  numbers: ReadonlyMap<number, number>
  /** Errors and warnings of the audit, by rule and route. */
  mistakes: readonly { key: string; finding: Finding }[]
  /** Writes that took effect, by request. */
  writes: ReadonlyMap<string, readonly AuditedRequest[]>
  /** Writes that the client repeated with another body after a lost or late response. */
  changedRepetitions: readonly AuditedRequest[]
  /** Lists of which the client did not read all pages, by request. */
  unreadLists: ReadonlySet<string>
  /** Requests that the client repeated after a 429 without a pause. */
  hastyRetries: readonly AuditedRequest[]
  /** Requests that failed because of a fault, after the client knew of the first failure. */
  furtherFailures: readonly AuditedRequest[]
}

/** Minimum length of a pause, ms. */
const pauseMs = 100
/** Maximum number of requests that may follow a failure that ends all access. */
const maxFurtherFailures = 3
/** Maximum number of request ids per finding. */
const maxIds = 100

/** Reads the requests of a run from the journal. */
export function readRunRecord(
  journal: Pick<Journal, 'exchanges' | 'checkpoint' | 'lastId'>,
  scope: AuditScope,
): RunRecord {
  const { requests, routes } = new RequestHistory(journal, scope)
  // Sorts by start time, because the journal numbers requests when they end. Without real time, the
  // start is unknown and the journal's order is kept.
  const started = requests.toSorted(
    (a, b) => (a.exchange.startedAt ?? 0) - (b.exchange.startedAt ?? 0),
  )
  return {
    day: { routes: [...routes], requests: requests.length, ...findOwner(requests) },
    numbers: new Map(started.map(({ id }, index) => [id, index + 1])),
    requests: started.map(({ method, status, exchange }, index) => ({
      id: index + 1,
      method,
      path: exchange.path,
      status,
      fault: exchange.fault,
    })),
    mistakes: runToEnd(findMistakes(journal, scope)).map(({ finding, route }) => ({
      key: `${finding.rule} ${route}`,
      finding,
    })),
    writes: groupBy(requests.filter(changedData), ({ target }) => target),
    changedRepetitions: findChangedRepetitions(requests),
    unreadLists: findUnreadLists(requests),
    hastyRetries: findHastyRetries(requests),
    furtherFailures: findFurtherFailures(requests),
  }
}

/**
 * Returns the mistakes in a run that did not occur in the plain run: findings of the audit,
 * repeated writes, requests sent after a 429 without a pause, and many requests on which a
 * permanent failure must end the client.
 */
export function findNewMistakes(
  run: RunRecord,
  plain: RunRecord,
  { isPermanent }: Pick<Trial, 'isPermanent'>,
): Finding[] {
  const known = new Set(plain.mistakes.map(({ key }) => key))
  const mistakes = run.mistakes.filter(({ key }) => !known.has(key)).map(({ finding }) => finding)
  const isFound = ({ name }: Rule) => mistakes.some(({ rule }) => rule === name)
  const repeated = [...run.writes.values()].filter(
    (sent) => sent.length > countUsualWrites(sent[0]?.name, plain),
  )
  const found = [
    ...mistakes,
    ...(isFound(repeatedWrite)
      ? []
      : repeated.map((sent) =>
          toFinding(
            repeatedWrite,
            sent,
            `${sent[0]?.name} was carried out ${formatCount(sent.length, 'time')} with the same body.`,
          ),
        )),
    ...run.changedRepetitions
      .filter(({ name }) => countWrites(name, run) > countWrites(name, plain))
      .map((sent) =>
        toFinding(
          repeatedWrite,
          [sent],
          `${sent.name} was sent again with another body, although the first request was carried ` +
            'out and only its response was lost or late.',
        ),
      ),
    ...(isFound(hammering) || run.hastyRetries.length === 0
      ? []
      : [
          toFinding(
            hammering,
            run.hastyRetries,
            `${run.hastyRetries[0]?.name} was sent again without a pause after a 429.`,
          ),
        ]),
    ...(isPermanent && run.furtherFailures.length > maxFurtherFailures
      ? [
          toFinding(
            run.furtherFailures[0]?.status === 401 ? wrongKey : retryHopeless,
            run.furtherFailures,
            `${formatCount(run.furtherFailures.length, 'request')} followed a ` +
              `${run.furtherFailures[0]?.status} that ends all access.`,
          ),
        ]
      : []),
  ]
  const toNumber = (id: number) => run.numbers.get(id) ?? id
  return found.map((finding) => ({
    ...finding,
    message: finding.message.replaceAll(
      /\brequest (\d+)/g,
      (_, id: string) => `request ${toNumber(Number(id))}`,
    ),
    requests: finding.requests.map(toNumber),
  }))
}

/** Returns the role of the first key and the first account, each with its number of requests. */
function findOwner(requests: readonly AuditedRequest[]): Pick<GoodDay, 'role' | 'account'> {
  const exchanges = requests.map(({ exchange }) => exchange)
  const name = exchanges.find(({ role }) => role !== null)?.role ?? null
  const id = exchanges.find((exchange) => exchange.account_id !== null)?.account_id ?? null
  const count = (isOwn: (exchange: Exchange) => boolean) => exchanges.filter(isOwn).length
  return {
    role: name === null ? undefined : { name, requests: count(({ role }) => role === name) },
    account:
      id === null ? undefined : { id, requests: count((exchange) => exchange.account_id === id) },
  }
}

function findFurtherFailures(requests: readonly AuditedRequest[]): AuditedRequest[] {
  const failed = requests.filter(({ exchange }) => exchange.fault !== null)
  return failed.filter((request) => isSentAfterResponse(request, failed[0] as AuditedRequest))
}

/** Returns how often the same write occurred on a route in the plain run. */
function countUsualWrites(name: string | undefined, { writes }: RunRecord): number {
  const counts = [...writes.values()].map((sent) => (sent[0]?.name === name ? sent.length : 1))
  return Math.max(1, ...counts)
}

/** Returns how many writes of a route took effect. */
function countWrites(name: string, { writes }: RunRecord): number {
  return [...writes.values()].flat().filter((sent) => sent.name === name).length
}

function toFinding(
  { name: rule, severity, advice, source }: Rule,
  sent: readonly AuditedRequest[],
  message: string,
): Finding {
  const requests = sent.slice(0, maxIds).map(({ id }) => id)
  return { rule, severity, message, count: sent.length, requests, advice, source }
}

/** True if a request created a record, even if its response was lost. */
function changedData(sent: AuditedRequest, index: number, all: readonly AuditedRequest[]): boolean {
  const { exchange, isGood } = sent
  if (!createsRecord(sent)) return false
  if (exchange.isAnswerLost === true) return true
  // Does not compare versions after a fault, because the journal lists a request with a late
  // response after requests that were sent later.
  if (exchange.fault !== null) return isGood
  return isGood && exchange.version !== all[index - 1]?.exchange.version
}

/**
 * Finds writes that were sent again with another body, such as a newer time, after a lost or late
 * response, without a read in between.
 */
function findChangedRepetitions(requests: readonly AuditedRequest[]): AuditedRequest[] {
  return requests.filter(isUnanswered).flatMap((first) => {
    const sent = requests.filter(({ caller }) => caller === first.caller)
    const second = findRepetition(
      first,
      sent,
      ({ method, path }) => method === first.method && path === first.path,
    )
    return second === undefined || second.target === first.target ? [] : [second]
  })
}

/**
 * Finds requests that were repeated immediately after a 429. Ignores repetitions with an unknown
 * time in between.
 */
function findHastyRetries(requests: readonly AuditedRequest[]): AuditedRequest[] {
  if (!requests.some(({ status }) => status === 429)) return []
  return [...groupBy(requests, ({ target }) => target).values()].flatMap((attempts) =>
    attempts.filter((attempt, index) => {
      const before = attempts[index - 1]
      if (before?.status !== 429 || !isSentAfterResponse(attempt, before)) return false
      const waited = getDelayMs(before, attempt)
      return waited !== null && waited < pauseMs
    }),
  )
}
