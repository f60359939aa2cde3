import { addRoute, createRouter, findRoute } from 'rou3'
import type { RouterContext } from 'rou3'
import type { Route } from '../route.ts'

/** What stands at a path: the route, if the method has one, and the path's parameters, decoded. */
export interface Match {
  route: Route | undefined
  params: Readonly<Record<string, string>>
}

/** Finds routes by method and path. */
export interface RouteMatcher {
  match: (method: string, path: string) => Match
  /** The routes that an unknown method and path resemble, likeliest first. */
  nearMisses: (method: string, path: string) => string[]
}

/** Builds the matcher of a list of routes and their router. Those that are not served stay unknown: no other route answers on their paths. */
export function createMatcher(
  routes: readonly Route[],
  router: RouterContext<Route>,
  isServed: (route: Route) => boolean = () => true,
): RouteMatcher {
  return {
    match(method, path) {
      // The router passes a slash at the end over; the service need not.
      const found = path.endsWith('/') ? undefined : findRoute(router, method, path)
      return found !== undefined && isServed(found.data)
        ? { route: found.data, params: decode(found.params ?? {}) }
        : { route: undefined, params: {} }
    },
    nearMisses: (method, path) => nearest(routes.filter(isServed), method, path),
  }
}

/** Makes the router of a list of routes. */
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

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // malformed percent-encoding names nothing: the schema refuses it as it stands
  }
}

const shown = 3

function nearest(routes: readonly Route[], method: string, path: string): string[] {
  return routes
    .map((route) => ({ id: route.id, score: similarity(route.path, path) + (route.method === method ? 0.5 : 0) }))
    .filter(({ score }) => score >= 1)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, shown)
    .map(({ id }) => id)
}

/** How many segments agree, from both ends, less the difference in length. */
function similarity(pattern: string, path: string): number {
  const wanted = pattern.split('/').slice(2)
  const given = path.split('/').slice(2, 12)
  const agree = wanted.filter(
    (segment, index) => segment === given[index] || (segment.startsWith(':') && /^\d+$/.test(given[index] ?? '')),
  ).length
  const words = wanted.filter(
    (segment) =>
      !segment.startsWith(':') && given.some((other) => other !== '' && (segment.startsWith(other) || other.startsWith(segment))),
  ).length
  return agree + words - Math.abs(wanted.length - given.length)
}
