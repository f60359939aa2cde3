import { addRoute, createRouter, findRoute } from 'rou3'
import type { RouterContext } from 'rou3'
import { computeWordSimilarity } from '../lib/nearest-word.ts'
import { once } from '../lib/lazy-list.ts'
import type { Match, Route, RouteMatcher } from './route.ts'
import { decodeUrlPart, normaliseUrl } from '../lib/url.ts'

/** Creates the matcher for a list of routes. Requests that match none of them get a 404. */
export function createRouteMatcher(
  routes: readonly Route[],
  router: () => RouterContext<Route>,
  isServed: (route: Route) => boolean = () => true,
): RouteMatcher {
  const served = routes.filter(isServed)
  const find = (method: string, path: string): Match => {
    // The router ignores a trailing slash, but this API returns 404 for paths such as
    // `/v1/101/posts/`.
    const found = path.endsWith('/') ? undefined : findRoute(router(), method, normaliseUrl(path))
    return found !== undefined && isServed(found.data)
      ? { route: found.data, params: decode(found.params ?? {}) }
      : noMatch
  }
  const known = new Map<string, Match>()
  return {
    routes: served,
    match(method, path) {
      if (path.length > maxCachedLength) return find(method, path)
      const address = `${method} ${path}`
      const earlier = known.get(address)
      if (earlier !== undefined) return earlier
      const match = find(method, path)
      if (match.route === undefined) return match
      if (known.size >= maxKnown) known.clear()
      known.set(address, match)
      return match
    },
    nearMisses: (method, path) => findNearestRoutes(served, method, path),
  }
}

const noMatch: Match = { route: undefined, params: {} }
/**
 * Maximum number of cached URLs, and maximum length of a cached URL in characters. The cache helps
 * because clients often request the same URLs.
 */
const maxKnown = 500
const maxCachedLength = 200

/**
 * Returns a function that builds the router on first use. Building takes milliseconds, and many
 * test files send no requests.
 */
export function createLazyRouter(routes: readonly Route[]): () => RouterContext<Route> {
  return once(() => {
    const router = createRouter<Route>()
    for (const route of routes) {
      addRoute(router, route.method, route.path, route)
      if (route.head === true) addRoute(router, 'HEAD', route.path, route)
    }
    return router
  })
}

function decode(params: Readonly<Record<string, string>>): Record<string, string> {
  const decoded: Record<string, string> = {}
  for (const name in params) decoded[name] = decodeUrlPart(params[name] ?? '')
  return decoded
}

const maxNearMisses = 3
const maxSegments = 10
/** The distance of a similar route is below this. */
const maxDistance = 2
/** Distance of a route with another method. */
const methodDistance = 0.25

function findNearestRoutes(routes: readonly Route[], method: string, path: string): string[] {
  const sent = splitIntoSegments(path).slice(0, maxSegments)
  return routes
    .map((route) => {
      const segments = splitIntoSegments(route.path)
      const isRelated = segments.some((word) => sent.some((each) => isSimilar(word, each)))
      const start = route.method === method ? 0 : methodDistance
      const distance = isRelated ? computeDistance(segments, sent, maxDistance - start) : Infinity
      return { id: `${route.method} ${route.path}`, distance: start + distance }
    })
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxNearMisses)
    .map(({ id }) => id)
}

type Segments = readonly string[]

function splitIntoSegments(path: string): Segments {
  return path.split('/').filter((segment) => segment !== '' && segment !== 'v1')
}

function isSimilar(word: string, segment: string): boolean {
  return !word.startsWith(':') && computeWordSimilarity(word, segment) > 0
}

/**
 * Returns the edit distance between the path of a route and the path of a request, or Infinity if
 * it is not below `limit`.
 */
function computeDistance(route: Segments, sent: Segments, limit: number): number {
  if (limit <= 0) return Infinity
  if (route.length + sent.length === 0) return 0
  const [expected, ...nextExpected] = route
  const [actual, ...nextActual] = sent
  const steps: readonly (readonly [number, Segments, Segments])[] = [
    [computeSegmentDistance(expected, actual), nextExpected, nextActual],
    [computeSegmentDistance(expected), nextExpected, sent],
    [computeSegmentDistance(actual), route, nextActual],
  ]
  return Math.min(
    ...steps.map(([distance, ...next]) => distance + computeDistance(...next, limit - distance)),
  )
}

/**
 * Returns the distance of two segments, or of a segment that the other path lacks. Digits equal a
 * parameter.
 */
function computeSegmentDistance(segment = '', other = ''): number {
  if (segment === '') return Infinity
  if (other === '') return /^(?::|\d+$)/.test(segment) ? 0.5 : 1
  if (segment.startsWith(':')) return /^\d+$/.test(other) ? 0 : 0.5
  const similarity = computeWordSimilarity(segment, other)
  return similarity === 0 ? Infinity : (1 - similarity) * 3
}
