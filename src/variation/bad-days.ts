import type { FaultInput } from '../world/fault-input.ts'
import type { JournalRoute } from '../world/journal/exchange.ts'
import type { BadDayName } from './variation.ts'

/**
 * The requests that a client sent in a run without failures. Later runs inject faults into some of
 * them.
 */
export interface GoodDay {
  /** Routes that the client used, in order of first use. */
  routes: readonly JournalRoute[]
  /** Number of requests. */
  requests: number
  /** The role of the first key, and the number of requests with it. */
  role?: { name: string; requests: number } | undefined
  /** The first account, and the number of requests for it. */
  account?: { id: number; requests: number } | undefined
}

/** A failure of the service that clients must handle or report. */
export interface BadDay {
  name: BadDayName
  /** Sentence that describes the effect of the failure. */
  does: string
  /** Sentence that describes a client that fails under these conditions. */
  breaks: string
  /** The part of the API contract that describes the failure. */
  source: string
  /**
   * True if the failure lasts until the client gives up. A client that sends more than three
   * further requests has failed.
   */
  isPermanent?: boolean
  /** True if an error is only a report, even if it is the expected one. */
  isOnlyReported?: boolean
  /** True if the clock jumps to the next minute when the fault has ended. */
  endsMinute?: boolean
  /**
   * Returns the faults for each run. There are no runs if the client does not use the routes that
   * fail.
   * @param lateMs delay of a late response, ms of real time
   */
  createFaults: (day: GoodDay, lateMs: number) => FaultInput[][]
}

const badGateway = defineBadDay({
  name: 'bad-gateway',
  does: 'The first request to each route fails with 502.',
  breaks: 'A client that does not retry, or reads the body of an error as data.',
  source: 'reference §7: 5xx occurs; a failed request still consumes 1 credit',
  createFaults: (day) => createFirstRequestFaults(day, 1),
})

const badGatewayTwice = defineBadDay({
  name: 'bad-gateway-twice',
  does: 'The first two requests to each route fail with 502.',
  breaks: 'A client that retries only once, or handles the second failure differently.',
  source: 'reference §7: 5xx occurs; a failed request still consumes 1 credit',
  createFaults: (day) => createFirstRequestFaults(day, 2),
})

function createFirstRequestFaults({ routes }: GoodDay, times: number): FaultInput[][] {
  return [routes.map(({ id }) => ({ route: id, status: 502, times }))]
}

/** Time from the first 429 of `throttled` until the clock jumps to the next minute, ms. */
const windowMs = 3000
/**
 * Maximum number of failed requests of a bad day. It prevents a client that never gives up from
 * running forever.
 */
const maxFailures = 200

const throttled = defineBadDay({
  name: 'throttled',
  does:
    'In the middle of the run, all requests fail with 429 for three seconds. Then the clock of ' +
    'the sandbox jumps to the next minute. A client that gives up has only reported the failure.',
  breaks: 'A client that treats 429 like any other error, or repeats the request immediately.',
  endsMinute: true,
  isOnlyReported: true,
  source: 'reference §8: when the rate limit is exceeded, the response is 429',
  createFaults: ({ routes, requests }) =>
    listApiRoutes(routes).length === 0
      ? []
      : [
          [
            {
              status: 429,
              times: maxFailures,
              lasts_ms: windowMs,
              ...inTheMiddle(requests),
            },
          ],
        ],
})

const lapsedSession = defineBadDay({
  name: 'lapsed-session',
  does:
    'One request to a relay route fails with 424. After the 424, the account is connected ' +
    'again.',
  breaks:
    'A client that treats the account as removed after a 424, or repeats the request in a loop.',
  source: 'reference §1: relay routes can fail when the upstream session has lapsed; §7: 424',
  createFaults: ({ routes }) =>
    createRunPerRoute(
      routes.filter(({ kind }) => kind === 'relay'),
      { status: 424 },
    ),
})

const lostAnswer = defineBadDay({
  name: 'lost-answer',
  does: 'A write is carried out, but the connection is closed before the response is sent.',
  breaks: 'A client that sends a POST again without checking whether it was carried out.',
  source: 'reference §4: a POST creates a record each time; there are no idempotency keys',
  createFaults: ({ routes }) =>
    createRunPerRoute(listWriteRoutes(routes), { drop: true, applied: true }),
})

const lateAnswer = defineBadDay({
  name: 'late-answer',
  does: 'A write is carried out immediately, but the response is late.',
  breaks: 'A client that sends a write again after a timeout, or has no timeout.',
  source: 'reference §1: relay routes pass a request on, and promise no response time',
  createFaults: ({ routes }, lateMs) =>
    createRunPerRoute(listWriteRoutes(routes), { delay_ms: lateMs, applied: true }),
})

const noCredits = defineBadDay({
  name: 'no-credits',
  does: 'One request fails with 402.',
  breaks: 'A client that repeats the request immediately, or loses the data that it already read.',
  source: 'reference §7: 402 occurs; §8: each request takes a credit',
  createFaults: ({ routes }) => createRunPerRoute(listApiRoutes(routes), { status: 402 }),
})

const droppedRead = defineBadDay({
  name: 'dropped-read',
  does: 'The connection of one read is closed before a response is sent.',
  breaks: 'A client that counts a read without a response as an empty list, or leaves it out.',
  source: 'reference §1: relay routes pass a request on; a connection can break at any time',
  createFaults: ({ routes }) => createRunPerRoute(listReadRoutes(routes), { drop: true }),
})

const hangingRead = defineBadDay({
  name: 'hanging-read',
  does: 'The first read gets no response. After a long time, the connection is closed.',
  breaks: 'A client that has no timeout, or continues without the data after the timeout.',
  source: 'reference §1: relay routes pass a request on, and promise no response time',
  createFaults: ({ routes }, lateMs) =>
    createRunPerRoute(listReadRoutes(routes).slice(0, 1), { drop: true, delay_ms: lateMs }),
})

const htmlError = defineBadDay({
  name: 'html-error',
  does: 'The first read of each route fails with 502 and the HTML page of a proxy.',
  breaks: 'A client that parses the body of an error as JSON, or takes the page for data.',
  source: 'reference §7: 5xx occurs; a proxy in front of a service answers in its own format',
  createFaults: ({ routes }) => [
    listReadRoutes(routes).map(({ id }) => ({
      route: id,
      status: 502,
      body: '<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>',
      content_type: 'text/html',
      times: 1,
    })),
  ],
})

const keyRevoked = defineBadDay({
  name: 'key-revoked',
  does: 'In the middle of the run, the key is revoked: all further requests fail with 401.',
  breaks: 'A client that continues with a rejected key, or takes the failure for an empty list.',
  source: 'reference §5 Authentication: a revoked key is rejected; §7: 401',
  isPermanent: true,
  isOnlyReported: true,
  createFaults: ({ role }) =>
    role === undefined
      ? []
      : [
          [
            {
              role: role.name,
              status: 401,
              error: 'The API key is not valid.',
              times: maxFailures,
              ...inTheMiddle(role.requests),
            },
          ],
        ],
})

const accountDisconnected = defineBadDay({
  name: 'account-disconnected',
  does:
    'In the middle of the run, the account is disconnected: all further requests for it fail ' +
    'with 404.',
  breaks: 'A client that continues with this account, or takes the failure for missing data.',
  source: 'reference §7: 404 for an account that is not connected',
  isPermanent: true,
  isOnlyReported: true,
  createFaults: ({ account }) =>
    account === undefined
      ? []
      : [
          [
            {
              account_id: account.id,
              status: 404,
              error: `Account ${account.id} is not a connected account of this organisation.`,
              times: maxFailures,
              ...inTheMiddle(account.requests),
            },
          ],
        ],
})

function inTheMiddle(requests: number): { after?: number } {
  return requests < 2 ? {} : { after: Math.floor(requests / 2) }
}

/** Returns one run per route. In each run, a fault applies to the first request to that route. */
function createRunPerRoute(
  routes: readonly JournalRoute[],
  effect: Omit<FaultInput, 'route' | 'times'>,
): FaultInput[][] {
  return routes.map(({ id }) => [{ ...effect, route: id, times: 1 }])
}

function listApiRoutes(routes: readonly JournalRoute[]): JournalRoute[] {
  return routes.filter(({ permission }) => permission !== null)
}

function listWriteRoutes(routes: readonly JournalRoute[]): JournalRoute[] {
  return listApiRoutes(routes).filter((route) => !readsOnly(route))
}

function listReadRoutes(routes: readonly JournalRoute[]): JournalRoute[] {
  return listApiRoutes(routes).filter(readsOnly)
}

function readsOnly({ method, isRead }: JournalRoute): boolean {
  return method === 'GET' || isRead === true
}

function defineBadDay(declared: BadDay): BadDay {
  return declared
}

/** All bad days. */
export const badDays: readonly BadDay[] = [
  badGateway,
  badGatewayTwice,
  throttled,
  lapsedSession,
  lostAnswer,
  lateAnswer,
  noCredits,
  droppedRead,
  hangingRead,
  htmlError,
  keyRevoked,
  accountDisconnected,
]
