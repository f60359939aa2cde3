import { addRoute, createRouter, findRoute } from 'rou3'
import type { RouterContext } from 'rou3'
import { computeWordSimilarity } from '../lib/nearest-word.ts'
import { once } from '../lib/lazy-list.ts'
import type { Match, Route, RouteMatcher } from './route.ts'
import { decodePathSegment, normaliseUrl } from '../lib/url.ts'

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
  for (const name in params) decoded[name] = decodePathSegment(params[name] ?? '')
  return decoded
}

const maxNearMisses = 3
const maxSegments = 10

function findNearestRoutes(routes: readonly Route[], method: string, path: string): string[] {
  const actual = splitIntoSegments(path).slice(0, maxSegments)
  return routes
    .map((route) => ({
      id: `${route.method} ${route.path}`,
      score:
        scoreRouteSimilarity(splitIntoSegments(route.path), actual) +
        (route.method === method ? 0.5 : 0),
    }))
    .filter(({ score }) => score >= 1)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxNearMisses)
    .map(({ id }) => id)
}

/**
 * Scores the similarity of a path to the path of a route. Also compares the path with an account
 * inserted, so that `/pots` resembles `/:account_id/posts`.
 */
function scoreRouteSimilarity(expected: readonly string[], actual: readonly string[]): number {
  const asSent = scorePathSimilarity(expected, actual)
  const similarity =
    expected[0] === ':account_id'
      ? Math.max(asSent, scorePathSimilarity(expected, ['0', ...actual]) - 1.5)
      : asSent
  return similarity + (getLastName(expected) === getLastName(actual) ? nameScore : 0)
}

/**
 * Added to the score of a route whose last name is in the path, so that `/transactions` resembles
 * `/fans/:fan_id/transactions`.
 */
const nameScore = 1.5

/** Returns the last segment that is neither a parameter nor a number. */
function getLastName(segments: readonly string[]): string | undefined {
  return segments.findLast((segment) => segment !== '' && !/^(?::|\d+$)/.test(segment))
}

/**
 * Scores the similarity of two paths. Compares each segment with the segment at the same position,
 * and each word of the route with the most similar segment. Subtracts 0.5 for each additional
 * segment in the longer path. Ignores the prefix `v1` and a trailing slash.
 */
function scorePathSimilarity(expected: readonly string[], actual: readonly string[]): number {
  const samePlace = expected.map((segment, index) =>
    scoreSegmentSimilarity(segment, actual[index] ?? ''),
  )
  const words = expected.filter((segment) => !segment.startsWith(':'))
  const nearest = words.map((word) =>
    Math.max(0, ...actual.map((segment) => scoreSegmentSimilarity(word, segment))),
  )
  return (
    [...samePlace, ...nearest].reduce((sum, score) => sum + score, 0) -
    Math.abs(expected.length - actual.length) / 2
  )
}

function splitIntoSegments(path: string): string[] {
  return path.replace(/^\/(?:v1(?:\/|$))?|\/$/g, '').split('/')
}

/**
 * Scores how similar a segment of a path is to a segment of a route, from 0 to 1. A parameter of
 * the route matches any digits.
 */
function scoreSegmentSimilarity(expected: string, actual: string): number {
  if (expected.startsWith(':')) return /^\d+$/.test(actual) ? 1 : 0
  return computeWordSimilarity(expected, actual)
}
