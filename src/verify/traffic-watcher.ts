import { createRouteMatcher, createLazyRouter } from '../api/route-matcher.ts'
import type { Route, RouteMatcher } from '../api/route.ts'
import { splitUrl } from '../lib/url.ts'
import {
  compareMergedShape,
  compareEnvelope,
  compareError,
  getResponseData,
} from './service-response.ts'
import type { Finding, ExpectedCache } from './compare-shape.ts'
import type { ServiceResponse } from './service-response.ts'
import { NameGuard } from './name-guard.ts'
import type { RouteResult } from './verify-report.ts'
import { addToShape, createEmptyShape } from './shape.ts'
import type { Shape } from './shape.ts'

/** Maximum number of unknown paths in the report. */
const maxUnknown = 200

interface ObservedRoute {
  shape: Shape | undefined
  /** Differences found outside the `data` of responses, without duplicates. */
  around: Map<string, Finding>
  refusals: Set<number>
}

/**
 * Finds differences between a service and the sandbox in a client's traffic. Stores only the
 * structure of values. Keeps the values in memory, to distinguish them from names, but never writes
 * them.
 */
export class TrafficWatcher {
  readonly guard: NameGuard
  readonly #matcher: RouteMatcher
  readonly #enums: boolean
  readonly #readings: ExpectedCache = new Map()
  readonly #seen = new Map<Route, ObservedRoute>()
  readonly #results = new Map<Route, RouteResult>()
  readonly #unknown = new Set<string>()

  constructor(routes: readonly Route[], { enums = false }: { enums?: boolean } = {}) {
    this.guard = new NameGuard(routes)
    this.#matcher = createRouteMatcher(routes, createLazyRouter(routes))
    this.#enums = enums
  }

  /** Adds a response. `isInspected` is false if the body is too long or not JSON. */
  see(
    { method, url, isInspected }: { method: string; url: string; isInspected: boolean },
    answered: ServiceResponse,
  ): void {
    const { path } = splitUrl(url)
    const { route } = this.#matcher.match(method, path)
    const isGood = answered.status >= 200 && answered.status < 300
    if (route === undefined) {
      if (isGood && this.#unknown.size < maxUnknown)
        this.#unknown.add(`${method} ${path.slice(0, 500)}`)
      // Treats parts of the URL as values, because the response may repeat them.
      addToShape(createEmptyShape(), answered.json, { onValue: this.guard.see })
      return
    }
    if (route.data === null || !isInspected) return
    const seen = this.#seen.get(route) ?? {
      shape: undefined,
      around: new Map(),
      refusals: new Set(),
    }
    this.#seen.set(route, seen)
    this.#results.delete(route)
    if (!isGood) seen.refusals.add(answered.status)
    for (const finding of isGood ? compareEnvelope(route, answered) : compareError(answered))
      seen.around.set(finding.text, finding)
    if (isGood)
      seen.shape = addToShape(
        seen.shape ?? createEmptyShape(),
        getResponseData(route, answered.json),
        {
          keepsWords: this.#enums,
          onValue: this.guard.see,
        },
      )
  }

  /** Returns the results so far, one per observed route. */
  results(): RouteResult[] {
    return this.#matcher.routes.flatMap((route) => {
      const seen = this.#seen.get(route)
      if (seen === undefined) return []
      const result = this.#results.get(route) ?? this.#getResult(route, seen)
      this.#results.set(route, result)
      return [result]
    })
  }

  /**
   * Returns paths that the service serves but the sandbox does not have, with possible values
   * replaced by `:id` and `:value`.
   */
  unknown(): string[] {
    const toTemplate = (segment: string) => {
      if (/^\d+$/.test(segment)) return ':id'
      return segment === '' || (/^[a-z][a-z\d-]{0,40}$/.test(segment) && this.guard.allows(segment))
        ? segment
        : ':value'
    }
    return [
      ...new Set(
        [...this.#unknown].map((address) => {
          const [method = '', path = ''] = address.split(' ')
          return `${method} ${path.split('/').map(toTemplate).join('/')}`
        }),
      ),
    ].toSorted()
  }

  #getResult(route: Route, { shape, around, refusals }: ObservedRoute): RouteResult {
    if (shape === undefined) {
      const absent = refusals.has(404) ? ': the route or the requested record does not exist' : ''
      const why = `it answered ${[...refusals].toSorted().join(', ')} every time${absent}`
      return { id: route.id, outcome: 'refused', findings: [...around.values()], notSeen: [], why }
    }
    const { findings, notSeen } = compareMergedShape(route, shape, {
      around: [...around.values()],
      readings: this.#readings,
    })
    return { id: route.id, outcome: findings.length === 0 ? 'same' : 'differs', findings, notSeen }
  }
}
