import type { Route } from '../api/route.ts'
import { getSourceLevel } from '../api/source.ts'
import { compareResponse, compareError, getResponseData, isSuccess } from './service-response.ts'
import type { Finding, ExpectedCache } from './compare-shape.ts'
import type { ServiceResponse } from './service-response.ts'
import { KnownIds } from './known-ids.ts'
import type { FilledRequest } from './known-ids.ts'
import { compareLimit, getListLimit } from './list-limits.ts'
import type { Limit } from './list-limits.ts'
import { NameGuard } from './name-guard.ts'
import { LiveServiceError, RetryingClient, StopRunError } from './retrying-client.ts'
import type { LiveRequest, RetryingClientOptions } from './retrying-client.ts'
import { isResultFinal } from './verify-report.ts'
import type { RouteResult } from './verify-report.ts'

export interface VerifyOptions extends RetryingClientOptions {
  /** The routes of the sandbox. */
  routes: readonly Route[]
  /**
   * Account to use.
   * @default the first account of the service
   */
  account?: string
  /**
   * Pattern that selects routes by id, with `*` as a wildcard.
   * @default all
   */
  glob?: string
  /** True to report unknown enumeration values. @default false */
  enums?: boolean
  /** Results of an earlier run. Their routes are skipped. */
  earlier?: readonly RouteResult[]
  /** Secrets that must not be written, such as the key. */
  secrets?: readonly string[]
  /** Called after each route. The next route waits for the returned promise. */
  onResult?: (verification: Verification) => void | Promise<void>
}

/** Results so far. */
export interface Verification {
  results: readonly RouteResult[]
  /** Number of credits spent. */
  spent: number
  requests: number
  /** Reason why the run ended early. */
  stopped?: string
  /** True if all credits have been spent. */
  isSpent: boolean
  /** Decides which names in findings may be written. */
  guard: NameGuard
}

/**
 * Sends one or two requests to each read-only route of the service, and compares the responses with
 * the sandbox.
 */
export async function verifyService(options: VerifyOptions): Promise<Verification> {
  const run = new VerificationRun(options)
  await run.go()
  return run.verification()
}

/** True if a route does not change data. */
export function isReadRoute({ method, isRead: isReadingPost = false, data }: Route): boolean {
  return data !== null && (method === 'GET' || isReadingPost)
}

const ranks = { documented: 0, published: 1, observed: 2, inferred: 3 } as const
class VerificationRun {
  readonly #options: VerifyOptions
  readonly #client: RetryingClient
  readonly #routes: readonly Route[]
  readonly #ids: KnownIds
  readonly #guard: NameGuard
  readonly #readings: ExpectedCache = new Map()
  readonly #results = new Map<string, RouteResult>()
  /** Routes whose responses were searched for ids in this run. */
  readonly #searchedRoutes = new Set<Route>()
  /** Successful requests in this run. */
  readonly #answered = new Map<Route, LiveRequest>()
  #stopped: string | undefined

  constructor(options: VerifyOptions) {
    const { routes, account, earlier = [], secrets = [] } = options
    this.#options = options
    this.#client = new RetryingClient(options)
    this.#routes = routes
      .filter((route) => isReadRoute(route) && route.path.startsWith('/v1/'))
      .toSorted((a, b) => ranks[getSourceLevel(a.source)] - ranks[getSourceLevel(b.source)])
    this.#ids = new KnownIds(account)
    this.#guard = new NameGuard(routes)
    for (const secret of secrets) this.#guard.hide(secret)
    for (const result of earlier.filter(isResultFinal)) this.#results.set(result.id, result)
  }

  verification(): Verification {
    const order = new Map(this.#options.routes.map(({ id }, index) => [id, index]))
    const results = [...this.#results.values()].toSorted(
      (a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0),
    )
    return {
      results,
      spent: this.#client.spent,
      requests: this.#client.requests,
      guard: this.#guard,
      isSpent: this.#client.isSpent,
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
    }
  }

  async go(): Promise<void> {
    const wanted = this.#routes.filter((route) => matchesGlob(route.id, this.#options.glob))
    const probed = new Set<Route>()
    try {
      await this.#tryPendingRoutes(
        () => wanted.filter(({ id }) => !this.#results.has(id)),
        (route) => this.#try(route),
      )
      // Tests page sizes last, with the remaining credits, because response structures matter more.
      await this.#tryPendingRoutes(
        () =>
          wanted.filter(
            (route) => this.#results.get(route.id)?.awaitsProbe === true && !probed.has(route),
          ),
        (route) => this.#probe(route, probed),
      )
    } catch (error) {
      if (!(error instanceof StopRunError)) throw error
      this.#stopped = error.message
    }
    for (const route of wanted)
      if (!this.#results.has(route.id))
        await this.#settle(route, { outcome: 'not tried', why: this.#whyLeft(route) })
  }

  /** Tries the pending routes repeatedly, until a round finds no new ids. */
  async #tryPendingRoutes(
    pending: () => readonly Route[],
    ask: (route: Route) => Promise<void>,
  ): Promise<void> {
    for (;;) {
      const left = pending()
      const ready = left.find((route) => !('missing' in (this.#fill(route, 0) ?? {})))
      if (ready !== undefined) await ask(ready)
      else if (!(await this.#learnMore(left))) return
    }
  }

  #whyLeft(route: Route): string {
    const filled = this.#fill(route, 0)
    const isReady = filled !== undefined && !('missing' in filled)
    if (this.#stopped !== undefined && (isReady || this.#listSources([route]).length > 0))
      return this.#stopped
    return filled !== undefined && 'missing' in filled
      ? `no response contained a value for ${filled.missing}`
      : 'no response contained an id for it'
  }

  /**
   * Requests a list only to collect its ids. The list itself was compared in an earlier run or is
   * not selected. Returns false if there is no suitable list.
   */
  async #learnMore(pending: readonly Route[]): Promise<boolean> {
    const list = this.#listSources(pending).find(
      (route) => !('missing' in (this.#fill(route, 0) ?? { missing: '' })),
    )
    if (list === undefined) return false
    this.#searchedRoutes.add(list)
    const filled = this.#fill(list, 0) as FilledRequest
    try {
      const answered = await this.#client.send({
        method: list.method,
        path: filled.path,
        body: filled.body,
      })
      if (isSuccess(answered)) this.#ids.learn(list, getResponseData(list, answered.json))
    } catch (error) {
      if (!(error instanceof LiveServiceError)) throw error
    }
    return true
  }

  /**
   * Returns the lists that may contain the ids that these routes still need. Includes lists that
   * are needed to read these lists.
   */
  #listSources(pending: readonly Route[], depth = 0): Route[] {
    const found = pending
      .flatMap((route) => this.#ids.listSources(route, this.#options.routes))
      .filter(
        (route) =>
          !this.#searchedRoutes.has(route) && this.#results.get(route.id)?.outcome !== 'absent',
      )
    return found.length === 0 || depth > 3
      ? found
      : [...this.#listSources(found, depth + 1), ...found]
  }

  #fill(route: Route, attempt: number): FilledRequest | { missing: string } | undefined {
    return this.#ids.fill(route, this.#options.routes, attempt)
  }

  async #try(route: Route): Promise<void> {
    this.#searchedRoutes.add(route)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const filled = this.#fill(route, attempt)
      if (filled === undefined || 'missing' in filled) break
      try {
        const request = { method: route.method, path: filled.path, body: filled.body }
        const answered = await this.#client.send(request)
        if (isAbsent(answered, route, this.#options.routes)) {
          await this.#settle(route, {
            outcome: 'absent',
            why: `it answers ${answered.status}`,
            findings: compareError(answered),
          })
          continue
        }
        await this.#conclude(route, request, answered)
        return
      } catch (error) {
        if (!(error instanceof LiveServiceError)) throw error
        await this.#settle(route, { outcome: 'not tried', why: error.message })
        return
      }
    }
  }

  async #conclude(route: Route, request: LiveRequest, answered: ServiceResponse): Promise<void> {
    if (!isSuccess(answered)) {
      const why =
        answered.status === 424
          ? 'it answers 424: the session of the account has lapsed'
          : `it answers ${answered.status}`
      await this.#settle(route, { outcome: 'refused', why, findings: compareError(answered) })
      return
    }
    const data = getResponseData(route, answered.json)
    this.#ids.learn(route, data)
    const { findings, notSeen } = compareResponse(route, answered, {
      look: this.#look(),
      readings: this.#readings,
    })
    this.#answered.set(route, request)
    await this.#settle(route, {
      ...toOutcome(findings),
      notSeen,
      ...(getListLimit(route) === undefined ? {} : { awaitsProbe: true }),
    })
  }

  /** Requests one row more than the maximum page size from a route that has already succeeded. */
  async #probe(route: Route, probed: Set<Route>): Promise<void> {
    probed.add(route)
    const limit = getListLimit(route)
    const known = this.#results.get(route.id)
    const request = this.#answered.get(route) ?? {
      method: route.method,
      ...(this.#fill(route, 0) as FilledRequest),
    }
    if (known === undefined || limit === undefined) return
    try {
      const found = await this.#testLimits(limit, route, request)
      await this.#settle(route, {
        ...toOutcome([...known.findings, ...found]),
        notSeen: known.notSeen,
      })
    } catch (error) {
      // After a connection error, the route has no result. The next run requests it again.
      if (!(error instanceof LiveServiceError)) throw error
    }
  }

  async #testLimits(limit: Limit, route: Route, request: LiveRequest): Promise<Finding[]> {
    const more = limit.maximum + 1
    const path =
      limit.part === 'query'
        ? `${request.path}${request.path.includes('?') ? '&' : '?'}limit=${more}`
        : request.path
    const body = limit.part === 'body' ? { ...(request.body as object), limit: more } : request.body
    const answered = await this.#client.send({ method: request.method, path, body })
    const ofError = isSuccess(answered) ? [] : compareError(answered)
    return [...compareLimit(limit, answered, getResponseData(route, answered.json)), ...ofError]
  }

  #look() {
    return { keepsWords: this.#options.enums === true, onValue: this.#guard.see }
  }

  async #settle(
    route: Route,
    {
      outcome,
      findings = [],
      notSeen = [],
      ...rest
    }: Partial<RouteResult> & Pick<RouteResult, 'outcome'>,
  ): Promise<void> {
    this.#results.set(route.id, { ...rest, id: route.id, outcome, findings, notSeen })
    await this.#options.onResult?.(this.verification())
  }
}

function toOutcome(findings: readonly Finding[]): Pick<RouteResult, 'outcome' | 'findings'> {
  return { outcome: findings.length === 0 ? 'same' : 'differs', findings }
}

/**
 * True if a response shows that the route does not exist, including a 400 from a parameterised
 * route that matched instead.
 */
function isAbsent(
  { status }: ServiceResponse,
  { method, path }: Route,
  routes: readonly Route[],
): boolean {
  if (status === 404 || status === 405 || status === 410) return true
  if (status !== 400) return false
  const segments = path.split('/')
  return routes.some((other) => {
    const others = other.path.split('/')
    const isLike =
      other.method === method && other.path !== path && others.length === segments.length
    return (
      isLike &&
      others.every((segment, index) => segment === segments[index] || segment.startsWith(':'))
    )
  })
}

/** True if an id matches a pattern with `*` as wildcard. */
export function matchesGlob(id: string, glob: string | undefined): boolean {
  if (glob === undefined) return true
  const pattern = glob
    .replace(/\{(\w+)\}/g, ':$1')
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^(?:[A-Z]+ )?${pattern.join('.*')}$`).test(id)
}
