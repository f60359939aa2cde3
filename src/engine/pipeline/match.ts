import { addRoute, createRouter, findRoute } from 'rou3'
import type { RouterContext } from 'rou3'
import type { Route, RouteMatcher } from '../route.ts'
import { decodeSegment, plainUrl } from '../url.ts'

/**
 * Builds the matcher of a list of routes and their router. A route that is not served still takes its path: a request for it is unknown,
 * and no other route answers it.
 */
export function createMatcher(
  routes: readonly Route[],
  router: RouterContext<Route>,
  isServed: (route: Route) => boolean = () => true,
): RouteMatcher {
  const served = routes.filter(isServed)
  return {
    routes: served,
    match(method, path) {
      // The router ignores a trailing slash. The sandbox does not: `/v1/101/posts/` is unknown.
      const found = path.endsWith('/') ? undefined : findRoute(router, method, plainUrl(path))
      return found !== undefined && isServed(found.data)
        ? { route: found.data, params: decode(found.params ?? {}) }
        : { route: undefined, params: {} }
    },
    nearMisses: (method, path) => nearest(served, method, path),
  }
}

/** Builds the router of a list of routes. */
export function toRouter(routes: readonly Route[]): RouterContext<Route> {
  const router = createRouter<Route>()
  for (const route of routes) {
    addRoute(router, route.method, route.path, route)
    if (route.head === true) addRoute(router, 'HEAD', route.path, route)
  }
  return router
}

function decode(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeSegment(value)]))
}

const mostNearMisses = 3

function nearest(routes: readonly Route[], method: string, path: string): string[] {
  return routes
    .map((route) => ({ id: route.id, score: similarity(route.path, path) + (route.method === method ? 0.5 : 0) }))
    .filter(({ score }) => score >= 1)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostNearMisses)
    .map(({ id }) => id)
}

/**
 * Scores how similar a path is to the path of a route. Each segment at the same place counts one, and each word of the route that is
 * a prefix of some segment, or has one as its prefix, counts one more. The difference in length is taken off. The first segment, `v1`,
 * does not count.
 */
function similarity(pattern: string, path: string): number {
  const expected = pattern.split('/').slice(2)
  const actual = path.split('/', 12).slice(2)
  const samePlace = expected.filter((segment, index) => fits(segment, actual[index] ?? '')).length
  const similarWords = expected.filter((segment) => !segment.startsWith(':') && actual.some((other) => sharePrefix(segment, other))).length
  return samePlace + similarWords - Math.abs(expected.length - actual.length)
}

function fits(segment: string, actual: string): boolean {
  return segment === actual || (segment.startsWith(':') && /^\d+$/.test(actual))
}

function sharePrefix(segment: string, actual: string): boolean {
  return actual !== '' && (segment.startsWith(actual) || actual.startsWith(segment))
}
