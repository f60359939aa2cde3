import { dayMs, minuteMs } from '../../lib/time.ts'
import { groupBy } from '../../lib/iterables.ts'
import { defineRule, formatCount } from '../rule.ts'
import type { Occurrence } from '../rule.ts'
import {
  isSentAfterResponse,
  isFasterThanUser,
  isSentWithin,
  groupByCaller,
  getDelayMs,
} from '../audited-request.ts'
import type { AuditedRequest } from '../audited-request.ts'
import { isMessage } from './writes.ts'

/** Minimum number of retries for a finding. */
const tooMany = 3
/** A retry within this time counts as immediate (ms). */
const atOnceMs = 100
/** After this time, a client may expect a different result (ms). */
const patientMs = minuteMs

export const hammering = defineRule({
  name: 'hammering',
  severity: 'error',
  mistake:
    'Three or more requests from one organisation between a 429 and the end of the rate ' +
    'limit window.',
  advice:
    'After a 429, send no request for the organisation until the next UTC minute, or the next ' +
    'UTC day for the daily limit.',
  source: 'reference §8 Limits',
  example: {
    wrong: 'while ((response = await get(url)).status === 429);',
    right: 'if (response.status === 429) await sleep(60_000 - (Date.now() % 60_000))',
  },
  find({ requests, refusals }) {
    if (!refusals.some(({ status }) => status === 429)) return []
    const groups = groupBy(requests, ({ exchange }) => exchange.organisation?.toString())
    return [...groups.values()].flatMap(findRequestsAfter429)
  },
})

/** Finds the requests that an organisation sent after a 429, grouped by rate window. */
function findRequestsAfter429(requests: readonly AuditedRequest[]): Occurrence[] {
  const occurrences: Occurrence[] = []
  let first: AuditedRequest | undefined
  let further: AuditedRequest[] = []
  const refused = new Set<string>()
  const addOccurrence = () => {
    if (first === undefined || further.length < tooMany) return
    const window = first.exchange.fault === null ? ' before the window ended' : ' from a fault'
    occurrences.push({
      message: `${formatCount(further.length, 'request')} followed a 429${window}.`,
      requests: further,
    })
  }
  for (const request of requests) {
    if (first !== undefined && hasWindowEnded(first, further.at(-1) ?? first, request)) {
      addOccurrence()
      first = undefined
      further = []
      refused.clear()
    }
    if (
      first !== undefined &&
      isSentAfterResponse(request, first) &&
      wasSentDespite429(first, request, refused)
    )
      further.push(request)
    if (request.status === 429) first ??= request
    if (request.status === 429) refused.add(request.target)
  }
  addOccurrence()
  return occurrences
}

/**
 * True if a 429's rate window has ended. A 429 from a fault has no window, so it counts as ended
 * after a pause of one second, or after a response with another status.
 */
function hasWindowEnded(
  first: AuditedRequest,
  last: AuditedRequest,
  request: AuditedRequest,
): boolean {
  const { at, code, fault } = first.exchange
  if (fault !== null) return request.status !== 429 || (getDelayMs(last, request) ?? 0) >= 1000
  const windowMs = code === 'day_limit' ? dayMs : minuteMs
  return request.exchange.at >= at - (at % windowMs) + windowMs
}

/**
 * True if a client sent a request although it had received a 429. Concurrent requests may have been
 * sent before the 429 arrived.
 */
function wasSentDespite429(
  first: AuditedRequest,
  request: AuditedRequest,
  refused: ReadonlySet<string>,
): boolean {
  return refused.has(request.target) || (getDelayMs(first, request) ?? atOnceMs) >= atOnceMs
}

export const noBackoff = defineRule({
  name: 'no-backoff',
  severity: 'warning',
  mistake:
    'Three or more immediate retries after a 5xx, or a POST that is sent twice although the ' +
    'first one got a response.',
  advice:
    'Wait longer before each retry (1 s, 2 s, 4 s, …), and give up after a few attempts. Do ' +
    'not repeat a POST that got a response. If no response arrived, first check whether the ' +
    'POST was carried out.',
  source: 'reference §7 Errors: each attempt takes a credit',
  example: {
    wrong: 'while ((response = await get(url)).status >= 500);',
    right:
      'for (let attempt = 0; attempt < 4 && (response = await get(url)).status >= 500; ' +
      'attempt += 1) await sleep(1000 * 2 ** attempt)',
  },
  find({ requests, refusals }) {
    const failing = selectByFailedPath(
      requests,
      refusals.filter(({ status }) => status >= 500),
      tooMany,
    )
    const streaks = [...groupBy(failing, ({ target }) => target).values()].flatMap(findRetryStreaks)
    return [
      ...streaks.map((streak) => ({
        message: `${streak[0]?.name} was retried immediately ${streak.length} times after a 5xx.`,
        requests: streak,
      })),
      ...findDuplicatePosts(requests),
    ]
  },
})

/** Finds series of immediate retries of a request after a 5xx. */
function findRetryStreaks(attempts: readonly AuditedRequest[]): AuditedRequest[][] {
  const streaks: AuditedRequest[][] = []
  let streak: AuditedRequest[] = []
  for (const [index, attempt] of attempts.entries()) {
    const before = attempts[index - 1]
    const isAtOnce =
      before !== undefined && before.status >= 500 && isSentWithin(before, attempt, atOnceMs)
    if (!isAtOnce) streaks.push((streak = []))
    else streak.push(attempt)
  }
  return streaks.filter(({ length }) => length >= tooMany)
}

/**
 * Finds pairs of identical POST requests that a caller sent in succession and that both succeeded.
 * Three or more count as a batch, not a mistake. Repetitions after a longer time may be
 * intentional, such as a message with the same text.
 */
function findDuplicatePosts(requests: readonly AuditedRequest[]): Occurrence[] {
  const occurrences: Occurrence[] = []
  const isAgain = (second: AuditedRequest | undefined, first: AuditedRequest | undefined) =>
    second?.method === 'POST' && first?.path === second.path && first.target === second.target
  for (const sent of groupByCaller(requests))
    for (const [index, second] of sent.entries()) {
      const first = sent[index - 1]
      if (first === undefined || !isAgain(second, first) || !first.isGood || !second.isGood)
        continue
      // The rules for messages judge these, because one text may thank for two tips.
      if (isMessage(second)) continue
      const isRun = isAgain(first, sent[index - 2]) || isAgain(sent[index + 1], second)
      const isWrite = first.exchange.version !== second.exchange.version
      if (isRun || !isWrite || first.exchange.fault !== null || !isFasterThanUser(first, second))
        continue
      occurrences.push({
        message:
          `${second.name} was sent twice with the same body, although the first request ` +
          `returned ${first.status}.`,
        requests: [second],
      })
    }
  return occurrences
}

/**
 * Returns the requests to paths with at least `minCount` failures. Filters by path first, because
 * most paths have no failures, and comparing whole requests is slower.
 */
function selectByFailedPath(
  requests: readonly AuditedRequest[],
  failed: readonly AuditedRequest[],
  minCount: number,
): AuditedRequest[] {
  const counts = new Map<string, number>()
  for (const { path } of failed) counts.set(path, (counts.get(path) ?? 0) + 1)
  const isMany = [...counts.values()].some((amount) => amount >= minCount)
  return isMany ? requests.filter(({ path }) => (counts.get(path) ?? 0) >= minCount) : []
}

const hopeless = [400, 402, 403, 404, 413]

export const retryHopeless = defineRule({
  name: 'retry-hopeless',
  severity: 'warning',
  mistake:
    'A request that was repeated unchanged after 400, 402, 403, 404 or 413, or after 424 ' +
    'without checking the account.',
  advice:
    'Do not repeat a refused request unchanged. First correct the request, or change the data ' +
    'that it depends on. After 424, check the account and ask its owner to reconnect it.',
  source: 'reference §7 Errors: each of these responses costs a credit',
  example: {
    wrong:
      'for (let attempt = 0; attempt < 3 && !response.ok; attempt += 1) response = await get(url)',
    right:
      'if (response.status >= 400 && response.status < 500 && response.status !== 429) throw new ' +
      'RequestRefused(response)',
  },
  find({ requests, refusals }) {
    const looks = requests.filter(({ route }) => route?.group === 'Accounts')
    const keyOf = ({ exchange: { organisation }, target }: AuditedRequest) =>
      organisation === null ? undefined : target
    const refused = selectByFailedPath(
      requests,
      refusals.filter(({ status }) => status === 424 || hopeless.includes(status)),
      2,
    )
    return [...groupBy(refused, keyOf).values()].flatMap((attempts) => {
      let isSure = false
      const again = attempts.filter((attempt, index) => {
        const before = attempts[index - 1]
        if (before === undefined || !isRepeatedRejection(before, attempt, looks)) return false
        isSure ||= isFasterThanUser(before, attempt)
        return true
      })
      const [first] = again
      // Counts only immediate or frequent repetitions, because a user may request the same page
      // again later.
      if (first === undefined || (!isSure && again.length < tooMany)) return []
      return [
        {
          message:
            `${first.name} was refused with ${first.status} and sent again ` +
            `${formatCount(again.length, 'time')} without a change.`,
          requests: again,
        },
      ]
    })
  },
})

/**
 * True if a request was sent within a minute of the previous one and rejected with the same status,
 * without a change in between. After a 424, reading the account counts as a change.
 */
function isRepeatedRejection(
  before: AuditedRequest,
  again: AuditedRequest,
  looks: readonly AuditedRequest[],
): boolean {
  if (before.status !== again.status || !isSentWithin(before, again, patientMs)) return false
  if (again.status === 424) return !looks.some(({ id }) => id > before.id && id < again.id)
  return hopeless.includes(again.status) && before.exchange.version === again.exchange.version
}

/** Maximum number of times that a client may attempt a request. */
const maxAttempts = 10

export const endlessRetry = defineRule({
  name: 'endless-retry',
  severity: 'error',
  mistake: `More than ${maxAttempts} attempts of the same request, each after a failure.`,
  advice: 'Give up after a few attempts, and report the failure to the user.',
  source: 'reference §7 Errors: each attempt takes a credit',
  example: {
    wrong: 'for (;;) { try { return await get(url) } catch { await sleep(1000) } }',
    right: 'for (let attempt = 1; attempt <= 4; attempt += 1) …; throw new GaveUp(url)',
  },
  find({ requests }) {
    const failing = selectByFailedPath(requests, requests.filter(isRetriable), maxAttempts)
    return [...groupBy(failing, ({ target }) => target).values()].flatMap((attempts) => {
      const runs = splitIntoRuns(attempts).filter(({ length }) => length > maxAttempts)
      return runs.map((run) => ({
        message: `${run[0]?.name} was sent ${run.length} times, each time after a failure.`,
        requests: run,
      }))
    })
  },
})

/** True if a client may send a request again: after a 5xx, a 429, or no response. */
function isRetriable({ status }: AuditedRequest): boolean {
  return status >= 500 || status === 429 || status === 0
}

/** Splits the attempts of a request after each response that is not a failure. */
function splitIntoRuns(attempts: readonly AuditedRequest[]): AuditedRequest[][] {
  const runs: AuditedRequest[][] = [[]]
  for (const attempt of attempts) {
    runs.at(-1)?.push(attempt)
    if (!isRetriable(attempt)) runs.push([])
  }
  return runs
}
