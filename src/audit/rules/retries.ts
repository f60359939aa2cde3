import { dayMs, minuteMs } from '../../lib/time.ts'
import { groupBy } from '../group.ts'
import { defineRule } from '../rule.ts'
import type { Sight } from '../rule.ts'
import { isAfter, isHasty, isWithin, waitedMs } from '../sent.ts'
import type { Sent } from '../sent.ts'
import { count } from '../count.ts'

/** How many further attempts are too many. */
const tooMany = 3
/** Who asks again sooner does not wait at all, ms. */
const atOnceMs = 100
/** Who asks again after so long may hope that something has changed, ms. */
const patientMs = minuteMs

export const hammering = defineRule({
  name: 'hammering',
  severity: 'error',
  mistake: 'Three and more requests of the same organisation after a 429, before the window ends.',
  advice:
    'After a 429 send nothing for the organisation until the next UTC minute, or for the daily ' +
    'limit the next UTC day.',
  source: 'reference §8 Limits',
  example: {
    wrong: 'while ((answer = await get(url)).status === 429);',
    right: 'if (answer.status === 429) await sleep(60_000 - (Date.now() % 60_000))',
  },
  find({ requests, refusals }) {
    if (!refusals.some(({ status }) => status === 429)) return []
    const groups = groupBy(requests, ({ exchange }) => exchange.organisation?.toString())
    return [...groups.values()].flatMap(hammeringOf)
  },
})

/** Goes through the requests of one organisation, from one window that was full to the next. */
function hammeringOf(requests: readonly Sent[]): Sight[] {
  const sights: Sight[] = []
  let first: Sent | undefined
  let further: Sent[] = []
  const refused = new Set<string>()
  const tell = () => {
    if (first === undefined || further.length < tooMany) return
    const window =
      first.exchange.fault === null ? ' before the window ended' : ', which a fault answered'
    sights.push({
      message: `${count(further.length, 'request')} came after a 429${window}.`,
      requests: further,
    })
  }
  for (const request of requests) {
    if (first !== undefined && isOver(first, further.at(-1) ?? first, request)) {
      tell()
      first = undefined
      further = []
      refused.clear()
    }
    if (first !== undefined && isAfter(request, first) && countsAfter(first, request, refused))
      further.push(request)
    if (request.status === 429) first ??= request
    if (request.status === 429) refused.add(request.target)
  }
  tell()
  return sights
}

/**
 * Whether the window of a 429 is over. One that a fault answered has no window: who waits, or gets
 * through, has done enough.
 */
function isOver(first: Sent, last: Sent, request: Sent): boolean {
  const { at, code, fault } = first.exchange
  if (fault !== null) return request.status !== 429 || (waitedMs(last, request) ?? 0) >= 1000
  const windowMs = code === 'day_limit' ? dayMs : minuteMs
  return request.exchange.at >= at - (at % windowMs) + windowMs
}

/**
 * Whether a request was sent in spite of a 429: another one of a batch may have been under way when
 * it came.
 */
function countsAfter(first: Sent, request: Sent, refused: ReadonlySet<string>): boolean {
  return refused.has(request.target) || (waitedMs(first, request) ?? atOnceMs) >= atOnceMs
}

export const noBackoff = defineRule({
  name: 'no-backoff',
  severity: 'warning',
  mistake:
    'A 5xx asked again at once, three times or more; a POST sent twice though its answer came.',
  advice:
    'Wait longer before each retry (1 s, 2 s, 4 s, …), give up after a few, and send a POST ' +
    'again only when no answer came.',
  source: 'reference §7 Errors: each attempt takes a credit',
  example: {
    wrong: 'while ((answer = await get(url)).status >= 500);',
    right:
      'for (let attempt = 0; attempt < 4 && (answer = await get(url)).status >= 500; attempt += ' +
      '1) await sleep(1000 * 2 ** attempt)',
  },
  find({ requests, refusals }) {
    const failing = atPathsOf(
      requests,
      refusals.filter(({ status }) => status >= 500),
      tooMany,
    )
    const streaks = [...groupBy(failing, ({ target }) => target).values()].flatMap(streaksOf)
    return [
      ...streaks.map((streak) => ({
        message: `${streak[0]?.name} was asked again at once ${streak.length} times after a 5xx.`,
        requests: streak,
      })),
      ...doublesOf(requests),
    ]
  },
})

/** The attempts of one request that came at once after a 5xx, where there are too many in a row. */
function streaksOf(attempts: readonly Sent[]): Sent[][] {
  const streaks: Sent[][] = []
  let streak: Sent[] = []
  for (const [index, attempt] of attempts.entries()) {
    const before = attempts[index - 1]
    const isAtOnce =
      before !== undefined && before.status >= 500 && isWithin(before, attempt, atOnceMs)
    if (!isAtOnce) streaks.push((streak = []))
    else streak.push(attempt)
  }
  return streaks.filter(({ length }) => length >= tooMany)
}

/**
 * Finds the POSTs that a caller sent exactly twice in a row, where both wrote: more of the same in
 * a row are a batch, and what comes later may be meant, as two messages that say the same.
 */
function doublesOf(requests: readonly Sent[]): Sight[] {
  const sights: Sight[] = []
  const isAgain = (second: Sent | undefined, first: Sent | undefined) =>
    second?.method === 'POST' && first?.path === second.path && first.target === second.target
  for (const sent of rowsOf(requests))
    for (const [index, second] of sent.entries()) {
      const first = sent[index - 1]
      if (first === undefined || !isAgain(second, first) || !first.isGood || !second.isGood)
        continue
      const isRun = isAgain(first, sent[index - 2]) || isAgain(sent[index + 1], second)
      const isWrite = first.exchange.version !== second.exchange.version
      if (isRun || !isWrite || first.exchange.fault !== null || !isHasty(first, second)) continue
      sights.push({
        message:
          `${second.name} was sent twice with the same body, though the first was ` +
          `answered ${first.status}.`,
        requests: [second],
      })
    }
  return sights
}

/** What each caller sent, in rows of its own; mostly there is one caller. */
function rowsOf(requests: readonly Sent[]): Iterable<readonly Sent[]> {
  const [first] = requests
  const isOne = requests.every(
    ({ exchange: { organisation, role } }) =>
      organisation === first?.exchange.organisation && role === first.exchange.role,
  )
  return isOne ? [requests] : groupBy(requests, ({ caller }) => caller).values()
}

/**
 * The requests of the paths where so many failed: most paths have none, and to compare requests
 * whole takes longer.
 */
function atPathsOf(requests: readonly Sent[], failed: readonly Sent[], minCount: number): Sent[] {
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
    'The same request again after 400, 402, 403, 404 or 413 though nothing changed, or after ' +
    '424 without a look at the account.',
  advice:
    'Do not repeat what was refused: change the request, or what it needs. After 424 look at ' +
    'the account, and have it connected ' +
    'again.',
  source: 'reference §7 Errors: such an answer takes a credit each time',
  example: {
    wrong: 'for (let attempt = 0; attempt < 3 && !answer.ok; attempt += 1) answer = await get(url)',
    right:
      'if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) throw new ' +
      'RequestRefused(answer)',
  },
  find({ requests, refusals }) {
    const looks = requests.filter(({ route }) => route?.group === 'Accounts')
    const keyOf = ({ exchange: { organisation }, target }: Sent) =>
      organisation === null ? undefined : target
    const refused = atPathsOf(
      requests,
      refusals.filter(({ status }) => status === 424 || hopeless.includes(status)),
      2,
    )
    return [...groupBy(refused, keyOf).values()].flatMap((attempts) => {
      let isSure = false
      const again = attempts.filter((attempt, index) => {
        const before = attempts[index - 1]
        if (before === undefined || !isAgainInVain(before, attempt, looks)) return false
        isSure ||= isHasty(before, attempt)
        return true
      })
      const [first] = again
      // A person may look at the same again after a while, but not at once, or again and again.
      if (first === undefined || (!isSure && again.length < tooMany)) return []
      return [
        {
          message:
            `${first.name} was refused with ${first.status} and sent again as it was, ` +
            `${count(again.length, 'time')}.`,
          requests: again,
        },
      ]
    })
  },
})

/**
 * Whether a request was refused like the one before it, soon, and nothing had changed; after 424
 * nobody had looked at the account.
 */
function isAgainInVain(before: Sent, again: Sent, looks: readonly Sent[]): boolean {
  if (before.status !== again.status || !isWithin(before, again, patientMs)) return false
  if (again.status === 424) return !looks.some(({ id }) => id > before.id && id < again.id)
  return hopeless.includes(again.status) && before.exchange.version === again.exchange.version
}
