import { reportGroups } from '../report-groups.ts'
import { defineRule, formatCount } from '../rule.ts'
import { groupBy } from '../../lib/iterables.ts'
import { getDelayMs } from '../audited-request.ts'
import type { AuditedRequest } from '../audited-request.ts'
import { minuteMs } from '../../lib/time.ts'

export const repeatedWrite = defineRule({
  name: 'repeated-write',
  severity: 'error',
  mistake:
    'A POST that was sent again because its response was lost or late, without a read in ' +
    'between, although the first request was carried out.',
  advice:
    'If a response is lost or late, check whether the request was carried out before you send it ' +
    'again: read the list that would contain the new record.',
  source: 'reference §4: a POST creates a record each time; there are no idempotency keys',
  example: {
    wrong: 'post(url, body).catch(() => post(url, body))',
    right: 'post(url, body).catch(async () => (await findPost(body)) ?? post(url, body))',
  },
  find({ requests }) {
    const unanswered = requests.filter(isUnanswered)
    if (unanswered.length === 0) return []
    const callers = groupBy(requests, ({ caller }) => caller)
    return unanswered.flatMap((first) => {
      const isAgain = ({ target }: AuditedRequest) => target === first.target
      const second = findRepetition(first, callers.get(first.caller) ?? [], isAgain)
      if (second === undefined || changesNothing(second, requests)) return []
      const problem = first.exchange.isAnswerLost === true ? 'lost' : 'late'
      return {
        message:
          `${second.name} was sent again as request ${second.id}, although request ${first.id} ` +
          `was carried out and only its response was ${problem}.`,
        requests: [second],
      }
    })
  },
})

/**
 * Routes that create records which have no effect until they are used, such as the URL of an
 * upload.
 */
const repeatable = ['POST /v1/:account_id/upload/signed/create']

/**
 * True if each request creates another record, so that a client must check for the record before it
 * repeats the request.
 */
export function createsRecord({ method, route }: AuditedRequest): boolean {
  return method === 'POST' && route?.isRead !== true && !repeatable.includes(route?.id ?? '')
}

/** True if a request created a record, but its response was lost or late. */
export function isUnanswered(request: AuditedRequest): boolean {
  const { isAnswerLost, isAnswerLate } = request.exchange
  return (isAnswerLost === true || isAnswerLate === true) && createsRecord(request)
}

/** True if a request changed no data, for example because the post was already pinned. */
function changesNothing(sent: AuditedRequest, requests: readonly AuditedRequest[]): boolean {
  const before = requests[requests.indexOf(sent) - 1]
  return sent.isGood && sent.exchange.version === before?.exchange.version
}

/** Returns the repeated request, or undefined if the client read data in between. */
export function findRepetition(
  { id, exchange }: AuditedRequest,
  sent: readonly AuditedRequest[],
  isRepetition: (request: AuditedRequest) => boolean,
): AuditedRequest | undefined {
  // If the response was late, the repetition comes before this request in the journal, which lists
  // requests in the order of completion.
  const [after, before] = exchange.isAnswerLost === true ? [id, Infinity] : [exchange.after, id]
  const next = sent.find(
    (request) =>
      request.id > after &&
      request.id < before &&
      (isRepetition(request) || request.method === 'GET' || request.route?.isRead === true),
  )
  return next !== undefined && isRepetition(next) ? next : undefined
}

export const paidMediaAgain = defineRule({
  name: 'paid-media-again',
  severity: 'warning',
  mistake: 'The same paid media were sent to the same fan again.',
  advice:
    'Store which media a fan has received, or read the messages of the chat before you send paid ' +
    'media.',
  source: 'inferred: each paid message is sold separately',
  example: {
    wrong: 'for (const fan of fans) post(messagesOf(fan), { text, price: 10, mediaFiles })',
    right: 'for (const fan of fans.filter((each) => !hasReceived(each, mediaFiles))) post(…)',
  },
  find: ({ requests }) =>
    findMessagesAgain(requests, ({ facts: { fields } }) =>
      Number(fields.get('price') ?? 0) > 0 ? String(fields.get('mediaFiles')) : undefined,
    ).map(([first, again]) => ({
      message: `Request ${again.id} sent the same paid media to a fan as request ${first.id}.`,
      requests: [again],
    })),
})

export const repeatedMessage = defineRule({
  name: 'repeated-message',
  severity: 'hint',
  mistake: 'The same text was sent to the same fan twice within a minute, for no visible reason.',
  advice: 'Before you send a message again, check whether the fan has already received it.',
  source: 'inferred: each POST creates a message',
  example: {
    wrong: 'button.onclick = () => post(messages, { text })',
    right: 'button.onclick = () => { button.disabled = true; post(messages, { text }) }',
  },
  find: ({ requests }) =>
    findMessagesAgain(requests, ({ facts: { fields } }) =>
      Number(fields.get('price') ?? 0) > 0 ? undefined : getLongText(fields.get('text')),
    )
      .filter(([first, again]) => {
        // A client that read something may have seen a tip or a message of the fan.
        const isInformed = requests.some(
          (read) =>
            read.id > first.id &&
            read.id < again.id &&
            read.caller === first.caller &&
            (read.method === 'GET' || read.route?.isRead === true),
        )
        return !isInformed && (getDelayMs(first, again) ?? 0) < minuteMs
      })
      .map(([first, again]) => ({
        message: `Request ${again.id} sent the same text to a fan as request ${first.id}.`,
        requests: [again],
      })),
})

/** Minimum length of a text that people do not repeat by habit, such as 'ha', characters. */
const minTextLength = 10

function getLongText(text: unknown): string | undefined {
  return typeof text === 'string' && text.length >= minTextLength ? text : undefined
}

/** The route that sends a message to one fan. */
const messageRoute = 'POST /v1/:account_id/chats/:user_id/messages'
const unsendRoute = 'DELETE /v1/:account_id/messages/:message_id'

/** True if a request sends a message to one fan. */
export function isMessage({ route }: AuditedRequest): boolean {
  return route?.id === messageRoute
}

/**
 * Finds pairs of messages to the same fan with the same content. A client may send a message again
 * after a failed write, or after unsending a message.
 * `contentOf` returns undefined for messages to ignore.
 */
function findMessagesAgain(
  requests: readonly AuditedRequest[],
  contentOf: (request: AuditedRequest) => string | undefined,
): [AuditedRequest, AuditedRequest][] {
  const sent = requests.filter((request) => isMessage(request) && contentOf(request) !== undefined)
  const groups = groupBy(
    sent,
    (request) => `${request.caller} ${request.path} ${contentOf(request)}`,
  )
  const reasons = requests.filter(
    ({ method, isGood, route }) => (method !== 'GET' && !isGood) || route?.id === unsendRoute,
  )
  return [...groups.values()].flatMap((group) =>
    group.flatMap((again, index): [AuditedRequest, AuditedRequest][] => {
      const first = group[index - 1]
      if (first === undefined || !first.isGood || !again.isGood) return []
      const hasReason = reasons.some(({ id }) => id > first.id && id < again.id)
      return hasReason ? [] : [[first, again]]
    }),
  )
}

export const brokenText = defineRule({
  name: 'broken-text',
  severity: 'warning',
  mistake: 'A string with half of a surrogate pair, because an emoji was cut in two.',
  advice:
    'Shorten strings by code points, not by UTF-16 code units: [...text].slice(0, 100).join("").',
  source: 'RFC 8259, 8.2: the behaviour of software that receives such strings is unpredictable',
  example: {
    wrong: 'post(url, { text: text.slice(0, 100) })',
    right: "post(url, { text: [...text].slice(0, 100).join('') })",
  },
  find({ requests }) {
    const broken = requests.filter(({ facts }) => facts.hasBrokenText)
    return [...groupBy(broken, ({ name }) => name)].map(([name, group]) => ({
      message: `${name} received half of a surrogate pair ${formatCount(group.length, 'time')}.`,
      requests: group,
    }))
  },
})

/** Minimum price of a post on similar services, in dollars. */
const minPrice = 3
const maxPrice = 200

export const unusualPrice = defineRule({
  name: 'unusual-price',
  severity: 'warning',
  mistake:
    `A post with a price below ${minPrice} or above ${maxPrice} dollars, or a paid post ` +
    'without media. The sandbox accepts these posts, because the reference does not limit prices.',
  advice:
    `Similar services reject posts with such prices. Use 0, or ${minPrice} to ${maxPrice} ` +
    'dollars, and attach media to paid posts.',
  source: 'reference §4 Posts sets no bounds; the bounds come from similar services',
  example: {
    wrong: "post(`/v1/${account}/posts`, { text: 'Hello', price: 1 })",
    right: "post(`/v1/${account}/posts`, { text: 'Hello', price: 5, mediaFiles: [mediaId] })",
  },
  find({ requests }) {
    const unusual = requests.flatMap((request) => {
      const fact = describeUnusualPrice(request)
      return fact === undefined ? [] : [{ request, fact }]
    })
    const describe = ({ request, fact }: (typeof unusual)[number]) =>
      `${request.name} received ${fact}.`
    return reportGroups(unusual, describe, describe)
  },
})

const writes = ['POST /v1/:account_id/posts', 'PUT /v1/:account_id/posts/:post_id']

/**
 * Describes the price of an accepted post if it is unusual. Returns undefined if the price is usual
 * or absent.
 */
function describeUnusualPrice(request: AuditedRequest): string | undefined {
  const { route, method, isGood } = request
  if (route === undefined || !writes.includes(route.id) || !isGood) return undefined
  const { fields } = request.facts
  const [price, mediaFiles] = [fields.get('price'), fields.get('mediaFiles')]
  if (typeof price !== 'number' || price === 0) return undefined
  if (price < minPrice || price > maxPrice) return `the price ${price}`
  // Assumes that a post has media if an update omits mediaFiles, because the update keeps them.
  const hasMedia = mediaFiles === undefined ? method === 'PUT' : mediaFiles !== '[]'
  return hasMedia ? undefined : `the price ${price} without media`
}
