import { listKnownKeys, isIdName } from '../../world/journal/request-facts.ts'
import type { IgnoredParameter } from '../../world/journal/request-facts.ts'
import { findNearestWord } from '../../lib/nearest-word.ts'
import { once } from '../../lib/lazy-list.ts'
import { dayMs, parseRfc3339, toIsoTime } from '../../lib/time.ts'
import { decodeUrlPart } from '../../lib/url.ts'
import { quoteText } from '../../errors.ts'
import { reportGroups } from '../report-groups.ts'
import { defineRule } from '../rule.ts'
import type { AuditedRequest } from '../audited-request.ts'

/** Removed parameters and their replacements. */
const removed: Readonly<Record<string, string>> = { include_hidden: 'visibility' }

export const ignoredParameter = defineRule({
  name: 'ignored-parameter',
  severity: 'warning',
  mistake:
    'An unknown query parameter or body key, such as limt, which has no ' +
    'effect and causes no error.',
  advice: 'Correct the spelling of the parameter, or remove the parameter.',
  source:
    'reference §7 Errors: a parameter that is no longer parsed is ignored; §9 names those that ' +
    'were removed',
  example: {
    wrong: 'get(`/v1/${account}/posts?limt=50`)',
    right: 'get(`/v1/${account}/posts?limit=50`)',
  },
  find({ requests }) {
    const ignored = requests.flatMap((request) =>
      request.facts.ignored.map((parameter) => ({ request, parameter })),
    )
    // Lists a key only once, even if several items of a list contain it.
    const keyOf = ({ request, parameter }: (typeof ignored)[number]) =>
      `${request.name} ${parameter.in} ${parameter.name.replaceAll(/\d+/g, 'n')}`
    return reportGroups(ignored, keyOf, ({ request, parameter }) =>
      describeIgnored(request, parameter),
    )
  },
})

function describeIgnored({ name, route }: AuditedRequest, parameter: IgnoredParameter): string {
  const what =
    `${name} ignores the ` +
    `${parameter.in === 'query' ? 'query parameter' : 'body key'} ${quoteText(parameter.name, 80)}`
  const replacement = removed[parameter.name]
  if (replacement !== undefined)
    return `${what}, which was removed. It was replaced by ${replacement}.`
  const all = [
    ...(route === undefined ? [] : (listKnownKeys(route.query) ?? [])),
    ...(route?.body ? (listKnownKeys(route.body) ?? []) : []),
  ]
  const meant = findNearestWord(all, parameter.name)
  return meant === undefined ? `${what}.` : `${what}. Similar: ${meant}.`
}

export const idLost = defineRule({
  name: 'id-lost',
  severity: 'error',
  mistake:
    'An id that is similar to an id from a response, but not equal: truncated to 32 bits, ' +
    'rounded to a float, formatted, or sent as a string.',
  advice:
    'Do not change ids. Ids are integers up to 2^53. Send ids as numbers in a body. Do not ' +
    'store ids as 32-bit integers or floats, and do not format them.',
  source: 'reference §4: path ids are integers',
  example: {
    wrong: 'get(`/v1/${account}/posts/${post.id | 0}/stats`)',
    right: 'get(`/v1/${account}/posts/${post.id}/stats`)',
  },
  find(history) {
    const suspects = [
      ...history.refusals.filter(({ status }) => status === 404 || status === 400),
      ...history.requests.filter(({ isGood, rawQuery }) => isGood && idInQuery.test(rawQuery)),
    ].filter(({ route }) => route !== undefined)
    if (suspects.length === 0) return []
    const given = history.givenIds
    const findLoss = createLossFinder(given)
    const lost = suspects.flatMap((request) => {
      const found = findDamagedIds(request, given, findLoss)
      return found === undefined ? [] : [{ request, ...found }]
    })
    return reportGroups(
      lost,
      ({ request, how }) => `${request.name} ${how}`,
      ({ request, sent, id, how }) =>
        `${request.name} was requested with ${sent}, but responses contained ${id}: ${how}.`,
    )
  },
})

/**
 * Returns the original of a damaged id, and the kind of damage. Returns undefined if no response
 * contained such an original.
 */
type FindOriginalId = (sent: string) => { id: string; how: string } | undefined

function createLossFinder(given: ReadonlySet<string>): FindOriginalId {
  const losses = once(
    () =>
      new Map(
        [...given].flatMap((id) =>
          listDamagedForms(id).map(([text, how]) => [text, { id, how }] as const),
        ),
      ),
  )
  return (sent) => {
    const plain = sent.replaceAll(/[,_ ]|\.0*$/g, '')
    if (plain !== sent && given.has(plain)) return { id: plain, how: formatted }
    const whole = /[.e]/.test(sent) ? String(Number(sent)) : sent
    if (whole !== sent && given.has(whole)) return { id: whole, how: formatted }
    return losses().get(sent)
  }
}

const formatted = 'it was formatted'

/** Returns the truncated and rounded forms of an id, each with the cause of the damage. */
function listDamagedForms(id: string): [string, string][] {
  const whole = Number(id)
  const losses: [string, string][] = []
  if (whole > 0x7fffffff)
    losses.push(
      [String(whole | 0), 'it was truncated to 32 bits'],
      [String(whole >>> 0), 'it was truncated to 32 bits'],
    )
  if (id.length < 8) return losses
  const rounded = [
    Math.fround(whole),
    Number(whole.toPrecision(6)),
    Number(whole.toPrecision(7)),
  ].map(String)
  losses.push(
    ...rounded
      .filter((text) => text !== id)
      .map((text): [string, string] => [text, 'digits were lost in a float']),
  )
  for (const cut of [1, 2, 3]) losses.push([id.slice(0, -cut), 'its last digits are missing'])
  return losses
}

/** Minimum length of an id, in digits. Shorter numbers could have another meaning. */
const minDigits = 6

/** Matches a query with ids. A list returns an empty page for ids that do not exist. */
const idInQuery = /(?:^|[&_])ids?(?:%5B%5D|\[\])?=[^&]*\d{6}/i

function findDamagedIds(
  request: AuditedRequest,
  given: ReadonlySet<string>,
  findLoss: FindOriginalId,
) {
  const { isGood, query } = request
  const inPath = isGood ? undefined : findDamagedIdInPath(request, given, findLoss)
  if (inPath !== undefined) return inPath
  const sentIds = [
    ...[...query].flatMap(([name, value]) =>
      isIdName(name.replace('[]', '')) ? value.split(',') : [],
    ),
    ...(isGood ? [] : request.facts.ids.map(String)),
  ]
  for (const sent of sentIds) {
    if (!/^-?\d{6,}$/.test(sent) || given.has(sent)) continue
    // Skips ids that the response contains, because they exist and are not damaged.
    if (isGood && request.hasInResponse(sent)) continue
    const loss = findLoss(sent)
    if (loss !== undefined) return { sent, ...loss }
  }
  return undefined
}

function findDamagedIdInPath(
  { path, facts, status, exchange: { code, account_id } }: AuditedRequest,
  given: ReadonlySet<string>,
  findLoss: FindOriginalId,
) {
  // Skips the account id if the account was found, because the id is then correct.
  const found = code === 'account_unknown' ? '' : String(account_id)
  for (const segment of path.split('/')) {
    if (segment.length < minDigits) continue
    const sent = decodeUrlPart(segment)
    if (
      sent === found ||
      sent.length < minDigits ||
      !/^-?\d[\d.,_ e+]*$/.test(sent) ||
      given.has(sent)
    )
      continue
    const loss = findLoss(sent)
    if (loss !== undefined) return { sent, ...loss }
  }
  if (status !== 400 || code !== 'parameter_invalid') return undefined
  const text = facts.ids.find((id) => typeof id === 'string' && given.has(id))
  return text === undefined
    ? undefined
    : { sent: `"${text}"`, id: text, how: 'it was sent as a string' }
}

export const clockSkew = defineRule({
  name: 'clock-skew',
  severity: 'warning',
  mistake:
    "A time that is implausible by the API's clock: a window that begins in the future, or " +
    'a scheduled time in the past.',
  advice:
    "Compute times from the API's clock. In a test, let the sandbox follow your clock with " +
    'sandbox.clock.follow(() => Date.now()), or set its start time with the option now.',
  source: 'reference §4 Posts (scheduledTime is in the future) and §9.3 (windows)',
  example: {
    wrong:
      'get(`${url}?start_date=${new Date(Date.now() - 7 * day).toISOString()}`) // but the ' +
      'clock of the sandbox is in another year',
    right: 'sandbox.clock.follow(() => Date.now())',
  },
  find({ requests }) {
    const timed = requests.filter(({ route }) => route !== undefined)
    const skewed = timed.flatMap((request) =>
      listTimes(request).map((time) => ({ request, ...time })),
    )
    return reportGroups(
      skewed,
      ({ request, name }) => `${request.name} ${name}`,
      ({ request, name, value, wrong }) =>
        `${request.name} received ${name} ${quoteText(value, 80)}, ${wrong}. The sandbox's clock ` +
        `is at ${toIsoTime(request.exchange.at)}.`,
    )
  },
})

const lowerBound = /^(?:from|start|start_?date|date_?start)$/i
/** Groups of routes whose time windows may be in the future. */
const calendars = ['Schedules', 'Reach']

function listTimes(request: AuditedRequest): { name: string; value: string; wrong: string }[] {
  const { rawQuery, query, facts, status, route, exchange } = request
  // Most queries contain no times.
  const inQuery = rawQuery.includes('-') ? [...query] : []
  return [...inQuery, ...facts.fields].flatMap(([name, value]) => {
    const time =
      typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? readTime(value) : undefined
    if (time === undefined) return []
    const isAhead =
      lowerBound.test(name) && !calendars.includes(route?.group ?? '') && time > exchange.at + dayMs
    const isLate =
      /schedul/i.test(name) &&
      status === 400 &&
      exchange.code === 'parameter_invalid' &&
      time < exchange.at - dayMs
    if (!isAhead && !isLate) return []
    return [
      {
        name,
        value: value as string,
        wrong: isAhead ? 'which is in the future' : 'which is in the past',
      },
    ]
  })
}

function readTime(text: string): number | undefined {
  const time = parseRfc3339(text) ?? Date.parse(text.slice(0, 10))
  return Number.isNaN(time) ? undefined : time
}
